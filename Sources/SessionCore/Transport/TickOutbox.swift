/// What one turn of the loop has to tell: events in order, and which transfers' counts moved.
///
/// Counts that merely moved are held back so that a fast transfer publishes some sixty times a second instead of
/// thousands; everything else goes out with the turn in which it happened, unless many transfers run at once: then it
/// gathers for four milliseconds, because every publication costs its receivers a thread change.
struct TickOutbox {
    /// Milliseconds between two publications of counts.
    static let interval: Int64 = 16
    /// Milliseconds between two publications while many transfers run.
    static let crowdInterval: Int64 = 4
    /// So many transfers are a crowd, in which nobody waits for a single one.
    static let crowd = 8

    private(set) var events: [EngineEvent] = []
    private(set) var dirty: [Transfer] = []
    private var isUrgent = false
    /// Transfers that have a slot.
    var running = 0
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
        guard isUrgent else { return lastPublished + Self.interval }
        return running < Self.crowd ? now : lastPublished + Self.crowdInterval
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
