/// What one turn of the loop has to tell: events in order, and which transfers' counts moved.
///
/// Counts that merely moved are held back so that a fast transfer publishes some sixty times a second instead of
/// thousands; everything else goes out with the turn in which it happened. Where many transfers run at once nobody
/// waits for a single one, and every publication costs its receivers a thread change: then events gather for eight
/// milliseconds, and a change of phase waits with the counts, by which time most small transfers have ended.
struct TickOutbox<Source> {
    /// What is published together.
    struct Batch {
        var events: [EngineEvent]
        /// Transfers whose status is published.
        var moved: [Source]
        /// Transfers whose attempts have begun or been answered since the last batch.
        var measured: [Source]
    }

    /// Milliseconds between two publications of counts.
    static var interval: Int64 { 16 }
    /// Milliseconds between two publications of events while many transfers run.
    private static var crowdInterval: Int64 { 8 }
    /// Events for each running transfer that are published without waiting: whoever adds transfers while others end
    /// must hear of it before all that were added have ended.
    private static var crowdShare: Int { 4 }
    /// The number of running transfers from which on their events are published in batches.
    static var crowd: Int { 8 }
    /// The most events that memory is reserved for: a burst must not keep its memory for ever.
    private static var largestReserve: Int { 1_024 }

    private var events: [EngineEvent] = []
    private var moved: [Source] = []
    private var measured: [Source] = []
    private var isUrgent = false
    /// Transfers that have a slot.
    var running = 0
    private var eventsPublished: Int64 = 0
    private var countsPublished: Int64 = 0
    /// How many events the last batch had.
    private var usualCount = 0

    var isEmpty: Bool { events.isEmpty && moved.isEmpty }

    mutating func append(_ event: EngineEvent) {
        // A turn mostly has as much to tell as the one before.
        if events.isEmpty { events.reserveCapacity(usualCount) }
        events.append(event)
    }

    /// Enqueues a transfer whose counts moved.
    ///
    /// Called once per transfer until it was published.
    mutating func enqueueStatus(of source: Source) { moved.append(source) }

    /// Enqueues a transfer whose connection has new figures; they go out with the next batch.
    mutating func enqueueFigures(of source: Source) { measured.append(source) }

    /// Makes the next turn publish counts, because a phase changed.
    mutating func hurry() { isUrgent = true }

    /// When the loop has to publish at the latest; nil when there is nothing to tell.
    func deadline(now: Int64) -> Int64? {
        guard !events.isEmpty else { return moved.isEmpty ? nil : countsDeadline(now: now) }
        let mayGather = isCrowd && events.count < running * Self.crowdShare
        let due = mayGather ? eventsPublished + Self.crowdInterval : now
        return moved.isEmpty ? due : min(due, countsDeadline(now: now))
    }

    /// Removes and returns what is to be published now; nil when that is nothing.
    mutating func take(now: Int64) -> Batch? {
        guard let deadline = deadline(now: now), deadline <= now else { return nil }
        var batch = Batch(events: events, moved: [], measured: measured)
        usualCount = min(events.count, Self.largestReserve)
        events = []
        measured = []
        eventsPublished = now
        // Counts go along with events, unless there would be a crowd of them.
        if !isCrowd || countsDeadline(now: now) <= now {
            batch.moved = moved
            moved = []
            isUrgent = false
            countsPublished = now
        }
        return batch
    }

    private var isCrowd: Bool { running >= Self.crowd }

    private func countsDeadline(now: Int64) -> Int64 {
        isUrgent && !isCrowd ? now : countsPublished + Self.interval
    }
}
