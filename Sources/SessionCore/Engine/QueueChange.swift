/// A row of a long list that waits in the queue without a task, which would cost kilobytes.
///
/// The scheduler treats it like a waiting task, and asks for its task shortly before it is admitted.
package struct QueueEntry: Sendable {
    /// The number of the entry; its task may have another one.
    package var id: TransferID
    /// The host of its request, named as in ``HostKeys``, or ``anywhere``.
    package var host: String
    package var kind: TransferKind
    package var priority: Float
    /// The position within its priority, lowest first.
    package var position: UInt64

    /// Means no particular host: the entry may use several, and it waits for none.
    package static let anywhere = ""

    package init(id: TransferID, host: String, kind: TransferKind, priority: Float, position: UInt64) {
        (self.id, self.host, self.kind) = (id, host, kind)
        (self.priority, self.position) = (priority, position)
    }
}

/// A change to the entries without tasks.
package enum QueueChange: Sendable {
    /// The entry starts to wait, unless it waits already.
    case enter(QueueEntry)
    /// A waiting entry has another priority or position.
    case move(TransferID, priority: Float, position: UInt64)
    /// The entry no longer waits.
    case leave(TransferID)
    /// The entry gets its task now, whatever the limits.
    case hasten(TransferID)

    /// Returns the entries that start to wait, for an engine without a scheduler.
    package static func entered(_ changes: [QueueChange]) -> [TransferID] {
        changes.compactMap { if case .enter(let entry) = $0 { entry.id } else { nil } }
    }
}
