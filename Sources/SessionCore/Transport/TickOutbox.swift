/// What one turn of the loop has to tell: events in order, and which transfers' counts moved.
///
/// Counts that merely moved are held back so that a fast transfer publishes some sixty times a second instead of
/// thousands; everything else goes out with the turn in which it happened.
struct TickOutbox {
    /// Milliseconds between two publications of counts.
    static let interval: Int64 = 16

    private(set) var events: [EngineEvent] = []
    private(set) var dirty: [Transfer] = []
    private var isUrgent = false
    private var lastPublished: Int64 = 0

    var isEmpty: Bool { events.isEmpty && dirty.isEmpty }

    mutating func append(_ event: EngineEvent) {
        events.append(event)
        isUrgent = true
    }

    /// Notes that a transfer's counts moved.
    ///
    /// Called once per transfer until it was published.
    mutating func noteDirty(_ transfer: Transfer) {
        dirty.append(transfer)
    }

    /// Makes the next turn publish, because a phase changed.
    mutating func hurry() {
        isUrgent = true
    }

    /// When the loop has to publish at the latest; nil when there is nothing to tell.
    func deadline(now: Int64) -> Int64? {
        if isEmpty { return nil }
        return isUrgent ? now : lastPublished + Self.interval
    }

    /// Takes everything when it is time to publish.
    mutating func take(now: Int64) -> (events: [EngineEvent], dirty: [Transfer])? {
        guard let deadline = deadline(now: now), deadline <= now else { return nil }
        defer {
            events = []
            dirty = []
            isUrgent = false
            lastPublished = now
        }
        return (events, dirty)
    }
}
