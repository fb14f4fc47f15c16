/// The rate limits of bodies, and the transfers that have used up their portions.
///
/// Confined to the transfer loop. Without limits, a chunk only costs reading ``isActive``.
struct Pace {
    /// The direction of a body.
    enum Direction: CaseIterable {
        case download, upload
    }

    private var download = RateLimiter()
    private var upload = RateLimiter()
    /// Transfers that have used up a portion in this turn.
    private(set) var usedUp: [(id: TransferID, direction: Direction)] = []
    /// Whether a limit applies to either direction.
    private(set) var isActive = false
    /// Directions whose last limit was lifted, in which transfers may still be paused.
    private var lifted: [Direction] = []
    /// Whether the loop has to check the transfers: to grant portions, or because a limit was lifted.
    var needsTurn: Bool { isActive || !lifted.isEmpty }
    /// The portions used up so far; orders connections by their latest one.
    private var portionCount = 0

    /// When a portion can be granted at the earliest.
    var nextMoment: Int64? {
        guard let first = download.nextMoment, let second = upload.nextMoment else {
            return download.nextMoment ?? upload.nextMoment
        }
        return min(first, second)
    }

    mutating func set(_ limits: RateLimits, at now: Int64) {
        for direction in Direction.allCases {
            let rates = RateLimiter.Rates(
                all: limits.all.rate(direction), perHost: limits.perHost.rate(direction),
                perTask: limits.perTask.rate(direction))
            change(direction) { $0.set(rates, at: now) }
        }
    }

    /// Sets a transfer's own limits; nil, also for one direction, applies the limit per task.
    mutating func setOwn(_ limit: RateLimit?, of id: TransferID, at now: Int64) {
        for direction in Direction.allCases {
            change(direction) { $0.setOwn(limit?.rate(direction), of: id, at: now) }
        }
    }

    /// Whether a transfer may move bytes now; a refused one waits for its next portion.
    mutating func mayMove(
        _ direction: Direction, _ id: TransferID, host: String, lane: TransferLane, at now: Int64
    ) -> Bool {
        change(direction) { $0.mayMove(id, host: host, lane: lane, at: now) }
    }

    /// Counts bytes that a transfer has moved, and returns the number of the portion they have used up, counted over
    /// all transfers; nil when some is left.
    mutating func hasMoved(_ direction: Direction, _ bytes: Int64, _ id: TransferID) -> Int? {
        guard change(direction, { $0.moved(id, bytes) }) else { return nil }
        usedUp.append((id, direction))
        portionCount += 1
        return portionCount
    }

    /// Returns the next transfer that was granted a portion.
    mutating func next(_ direction: Direction, at now: Int64) -> TransferID? {
        change(direction) { $0.next(at: now) }
    }

    /// Returns the most bytes that a transfer may move in one step.
    func step(_ direction: Direction, of id: TransferID) -> Int {
        guard isActive else { return .max }
        return Int(clamping: direction == .download ? download.portion(of: id) : upload.portion(of: id))
    }

    /// Removes and returns the directions whose last limit was lifted; if one has a new limit by now, transfers that
    /// waited for the old one ask again.
    mutating func takeLifted() -> [Direction] {
        defer { lifted = [] }
        return lifted
    }

    /// Removes and returns the transfers that have used up a portion in this turn.
    mutating func takeUsedUp() -> [(id: TransferID, direction: Direction)] {
        defer { usedUp.removeAll(keepingCapacity: true) }
        return usedUp
    }

    /// Forgets a transfer that is paused, or whose attempt has ended.
    mutating func leave(_ id: TransferID) {
        for direction in Direction.allCases { change(direction) { $0.leave(id) } }
    }

    /// Forgets a transfer that is over, with its own limits.
    mutating func forget(_ id: TransferID, at now: Int64) {
        for direction in Direction.allCases { change(direction) { $0.forget(id, at: now) } }
    }

    private mutating func change<Result>(
        _ direction: Direction, _ body: (inout RateLimiter) -> Result
    ) -> Result {
        let wasBounded = isBounded(direction)
        defer {
            isActive = download.isActive || upload.isActive
            if wasBounded, !isBounded(direction) { lifted.append(direction) }
        }
        switch direction {
        case .download: return body(&download)
        case .upload: return body(&upload)
        }
    }

    private func isBounded(_ direction: Direction) -> Bool {
        direction == .download ? download.isActive : upload.isActive
    }
}

extension RateLimit {
    fileprivate func rate(_ direction: Pace.Direction) -> Int64? {
        direction == .download ? download : upload
    }
}
