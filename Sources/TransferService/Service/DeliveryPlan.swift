/// How soon a notice reaches a subscriber that draws frames.
enum Urgency: Sendable, Equatable {
    /// The notice concerns no single row.
    case immediate
    /// A transfer was added: the first rows are wanted at once, and later ones in large batches.
    case addition
    /// An event worth a line, such as a pause or an end.
    case event
    /// A visible row has changed.
    case frame
    /// The numbers of an invisible row have changed; sums and sort orders need them twice a second.
    case rest

    /// Milliseconds that the first rows wait: adding a page of them takes less.
    private static let firstDelay: Int64 = 2
    /// Milliseconds that an event waits, so that a burst arrives together.
    private static let eventDelay: Int64 = 5
    /// Milliseconds between two updates of invisible rows; speeds are measured as often.
    static let restDelay: Int64 = 500

    /// The milliseconds until delivery.
    ///
    /// - Parameters:
    ///   - frame: milliseconds between two frames.
    ///   - idle: milliseconds since the last delivery; nil before the first one.
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

/// Plans the next delivery to a subscriber.
///
/// An earlier moment starts a second timer, and the later one still fires: it then finds nothing due. If it delivered,
/// it would start a second sequence of updates that never ends while something moves.
struct DeliveryPlan: Sendable, Equatable {
    /// A timer may read another clock than its plan did, and one that fired too soon would be the last.
    private static let tolerance: Int64 = 2

    /// Milliseconds of the monotonic clock; nil when nothing waits.
    private var due: Int64?

    /// Plans a delivery by a moment; returns whether that needs a timer.
    mutating func add(by moment: Int64) -> Bool {
        if let due, due <= moment { return false }
        due = moment
        return true
    }

    /// Returns whether a delivery is due when a timer fires, and clears the plan.
    mutating func takeDue(at now: Int64) -> Bool {
        guard let due, due <= now + Self.tolerance else { return false }
        self.due = nil
        return true
    }
}
