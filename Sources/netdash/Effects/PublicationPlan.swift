/// When the next message about rows is due.
///
/// A sooner wish makes a timer of its own and the later one still goes off: it finds nothing due then. A timer that
/// published all the same would begin a second row of messages beside the first, for as long as anything moves.
struct PublicationPlan: Sendable, Equatable {
    /// A timer may read another clock than its plan did, and one that went off too soon would be the last.
    private static let tolerance: Int64 = 2

    /// The moment, in milliseconds of the monotonic clock; nil when nothing waits.
    private var due: Int64?

    /// Notes that something is to be told by a moment; true when that needs a timer.
    mutating func add(by moment: Int64) -> Bool {
        if let due, due <= moment { return false }
        due = moment
        return true
    }

    /// Whether it is time, when a timer has gone off; the next wish begins anew then.
    mutating func takeDue(at now: Int64) -> Bool {
        guard let due, due <= now + Self.tolerance else { return false }
        self.due = nil
        return true
    }
}
