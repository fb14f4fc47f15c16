/// An entry of the queue without a task, which would weigh kilobytes: a row of a long list.
///
/// The scheduler treats it as the tasks that wait, and asks for its task when its turn is near.
package struct QueueEntry: Sendable {
    /// The number by which it is asked for; its task may have another one.
    package var id: TransferID
    /// What it will ask, as ``HostKeys`` names it, or ``anywhere``.
    package var host: String
    package var kind: TransferKind
    package var priority: Float
    /// The place within its priority, lowest first.
    package var place: UInt64

    /// Stands for no host: what it wants may come from several, and it waits for none.
    package static let anywhere = ""

    package init(id: TransferID, host: String, kind: TransferKind, priority: Float, place: UInt64) {
        (self.id, self.host, self.kind) = (id, host, kind)
        (self.priority, self.place) = (priority, place)
    }
}

/// A change of the entries without tasks.
package enum QueueChange: Sendable {
    /// One begins to wait, unless it does already.
    case enter(QueueEntry)
    /// One that waits has another priority or place.
    case move(TransferID, priority: Float, place: UInt64)
    /// One waits no longer.
    case leave(TransferID)
    /// One is to get its task now, whatever the limits say.
    case hasten(TransferID)

    /// The entries that begin to wait, for an engine without a scheduler.
    package static func entered(_ changes: [QueueChange]) -> [TransferID] {
        changes.compactMap { if case .enter(let entry) = $0 { entry.id } else { nil } }
    }
}
