/// The place that a persistent session gives a task: the number it is stored under, and whether it is stored at all.
public struct TaskEntry: Sendable, Equatable {
    /// The task's number.
    ///
    /// A transfer that is stored under it is replaced: it was written down by ``SessionManager/store(_:)``, or its
    /// earlier task has ended.
    public var id: TransferID
    /// Whether a persistent session writes the task down.
    ///
    /// False for one that nothing is to be known of later, and for one that ``SessionManager/store(_:)`` has written down.
    public var isKept: Bool
    /// Its place among the others; nil for the one that goes with its number.
    public var position: Int64?

    /// An entry, under a new number unless one is given.
    public init(id: TransferID = .next(), isKept: Bool = true, position: Int64? = nil) {
        self.id = id
        self.isKept = isKept
        self.position = position
    }
}

/// Where the body of a data task goes.
public enum BodyDelivery: Sendable {
    /// Collected, serialized and handed to the completion handler; limited by ``SessionConfiguration/dataLimit``.
    case memory
    /// Handed over in chunks on the delegate queue, in order, and not collected. The transfer waits while chunks are
    /// unread, so a slow closure slows the server down instead of filling memory.
    case stream(@Sendable ([UInt8]) -> Void)
}
