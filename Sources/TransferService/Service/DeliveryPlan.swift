/// How soon a subscriber that draws frames is told of something.
enum Urgency: Sendable, Equatable {
    /// It concerns no single row.
    case immediate
    /// A transfer was added: the first rows are wanted at once, and those behind them not a few at a time.
    case addition
    /// Something happened that is worth a line, such as a pause or an end.
    case event
    /// A row that is shown has changed.
    case frame
    /// The numbers of a row that is not shown have changed; sums and orders need them, twice a second.
    case rest

    /// Milliseconds that the first rows of all wait: a page of them is added in less.
    private static let firstDelay: Int64 = 2
    /// Milliseconds that an event waits, so that a burst of them is told together.
    private static let eventDelay: Int64 = 5
    /// Milliseconds between two reports on rows that are not shown: speeds are measured as often.
    static let restDelay: Int64 = 500

    /// The milliseconds until it is told.
    ///
    /// - Parameters:
    ///   - frame: milliseconds between two frames.
    ///   - idle: milliseconds since the subscriber was told something; nil before the first time.
    func delay(frame: Int64, idle: Int64?) -> Int64 {
        switch self {
        case .immediate: 0
        case .addition: idle.map { $0 > frame ? Self.eventDelay : frame } ?? Self.firstDelay
        case .event: Self.eventDelay
        case .frame: frame
        case .rest: max(frame, Self.restDelay)
        }
    }
}

/// The moment at which a subscriber is told next.
///
/// A sooner wish makes a timer of its own and the later one still goes off: it finds nothing due then. A timer that told
/// all the same would begin a second sequence of updates beside the first, for as long as anything moves.
struct DeliveryPlan: Sendable, Equatable {
    /// A timer may read another clock than its plan did, and one that went off too soon would be the last.
    private static let tolerance: Int64 = 2

    /// The moment, in milliseconds of the monotonic clock; nil when nothing waits.
    private var due: Int64?

    /// Plans an update by a moment; true when that needs a timer.
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
