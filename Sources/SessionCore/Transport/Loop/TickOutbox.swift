/// The output of one turn of the loop: events in order, and the transfers whose counts changed.
///
/// Changed counts are delayed so that a fast transfer publishes some sixty times a second instead of thousands;
/// everything else is published in the turn in which it happened. While many transfers run, no caller waits for a
/// single one, and every publication costs its receivers a thread change: events then gather for eight milliseconds,
/// and a change of phase waits with the counts, by which time most small transfers have ended.
struct TickOutbox<Source> {
    /// The events and transfers that are published together.
    struct Batch {
        var events: [EngineEvent]
        /// Transfers whose status is published.
        var moved: [Source]
        /// Transfers whose attempts have begun or been answered since the last batch.
        var measured: [Source]
    }

    static var interval: Int64 { 16 }
    /// Milliseconds between two publications of events while many transfers run.
    private static var crowdInterval: Int64 { 8 }
    /// The same while slots are free that only the caller can fill: a caller that adds transfers as others end would
    /// otherwise leave a fast server idle for most of the time.
    private static var starvedInterval: Int64 { 1 }
    /// Events per running transfer that trigger a publication: a caller that adds transfers as others end must learn of
    /// it before all have ended.
    private static var crowdShare: Int { 4 }
    /// The number of running transfers from which their events are published in batches.
    static var crowd: Int { 8 }
    /// The most events that memory is reserved for, so that a burst does not keep its memory.
    private static var largestReserve: Int { 1_024 }

    private var events: [EngineEvent] = []
    /// Transfers whose counts have changed, each once.
    var moved: [Source] = []
    /// Transfers whose connections have new metrics.
    var measured: [Source] = []
    private var isUrgent = false
    var running = 0
    /// Whether transfers have ended since the last batch, and none waits for their slots.
    private(set) var isStarved = false
    private var eventsPublished: Int64 = 0
    private var countsPublished: Int64 = 0
    /// The number of events in the last batch.
    private var usualCount = 0

    var isEmpty: Bool { events.isEmpty && moved.isEmpty }

    mutating func append(_ event: EngineEvent) {
        // A turn usually has as many events as the previous one.
        if events.isEmpty { events.reserveCapacity(usualCount) }
        events.append(event)
    }

    /// Notes that no transfer waits for the slot of one that has ended.
    mutating func starve() { isStarved = true }

    /// Makes the next turn publish counts, because a phase changed.
    mutating func hurry() { isUrgent = true }

    /// Returns when the loop has to publish at the latest; nil when nothing is queued.
    func deadline(now: Int64) -> Int64? {
        guard !events.isEmpty else { return moved.isEmpty ? nil : countsDeadline(now: now) }
        let mayGather = isCrowd && events.count < running * Self.crowdShare
        let interval = isStarved ? Self.starvedInterval : Self.crowdInterval
        let due = mayGather ? eventsPublished + interval : now
        return moved.isEmpty ? due : min(due, countsDeadline(now: now))
    }

    /// Removes and returns what has to be published now; nil for nothing.
    mutating func take(now: Int64) -> Batch? {
        guard let deadline = deadline(now: now), deadline <= now else { return nil }
        var batch = Batch(events: events, moved: [], measured: measured)
        usualCount = min(events.count, Self.largestReserve)
        events = []
        measured = []
        isStarved = false
        eventsPublished = now
        // Counts are published with events, unless many transfers run.
        if !isCrowd || countsDeadline(now: now) <= now {
            batch.moved = moved
            moved = []
            isUrgent = false
            countsPublished = now
        }
        return batch
    }

    /// Whether so many transfers run that none of them is in a hurry.
    var isCrowd: Bool { running >= Self.crowd }

    private func countsDeadline(now: Int64) -> Int64 {
        isUrgent && !isCrowd ? now : countsPublished + Self.interval
    }
}
