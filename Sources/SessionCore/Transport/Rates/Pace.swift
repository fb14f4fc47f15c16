/// The limits on how fast bodies move, and the transfers that have used up what they were granted.
///
/// Confined to the transfer loop. While nothing is bounded, a chunk costs one look at ``isActive``.
struct Pace {
    /// The direction of a body.
    enum Direction: CaseIterable {
        case download, upload
    }

    private var download = RateLimiter()
    private var upload = RateLimiter()
    /// Transfers that have used up a portion in this turn.
    private(set) var usedUp: [(id: TransferID, direction: Direction)] = []
    /// Whether a limit bounds either direction.
    private(set) var isActive = false
    /// Directions whose last limit was lifted, in which transfers may still be held back.
    private var lifted: [Direction] = []
    /// Whether a turn of the loop has to look at the transfers: to grant portions, or because a direction is free again.
    var needsTurn: Bool { isActive || !lifted.isEmpty }
    /// Portions that were used up so far, by which it is told whose turn it is.
    private var portionCount = 0

    /// When somebody may be granted a portion at the earliest.
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

    /// Bounds a transfer by limits of its own; nil, also for a direction, for those of each task.
    mutating func setOwn(_ limit: RateLimit?, of id: TransferID, at now: Int64) {
        for direction in Direction.allCases {
            change(direction) { $0.setOwn(limit?.rate(direction), of: id, at: now) }
        }
    }

    /// Whether a transfer may move bytes now; one that may not waits for its next portion.
    mutating func mayMove(
        _ direction: Direction, _ id: TransferID, host: String, lane: TransferLane, at now: Int64
    ) -> Bool {
        change(direction) { $0.mayMove(id, host: host, lane: lane, at: now) }
    }

    /// Counts bytes that a transfer has moved.
    ///
    /// Returns the number of the portion that they have used up, counted over all transfers; nil when there is some left.
    mutating func hasMoved(_ direction: Direction, _ bytes: Int64, _ id: TransferID) -> Int? {
        guard change(direction, { $0.moved(id, bytes) }) else { return nil }
        usedUp.append((id, direction))
        portionCount += 1
        return portionCount
    }

    /// The next transfer that was granted a portion.
    mutating func next(_ direction: Direction, at now: Int64) -> TransferID? {
        change(direction) { $0.next(at: now) }
    }

    /// Bytes that a transfer moves in one step at most.
    func step(_ direction: Direction, of id: TransferID) -> Int {
        guard isActive else { return .max }
        return Int(clamping: direction == .download ? download.portion(of: id) : upload.portion(of: id))
    }

    /// Removes and returns the directions whose last limit was lifted; one may have a new limit by now, and transfers that
    /// waited for the old one ask anew.
    mutating func takeLifted() -> [Direction] {
        defer { lifted = [] }
        return lifted
    }

    /// Removes and returns those that have used up a portion in this turn.
    mutating func takeUsedUp() -> [(id: TransferID, direction: Direction)] {
        defer { usedUp.removeAll(keepingCapacity: true) }
        return usedUp
    }

    /// A transfer is paused, or its attempt has ended.
    mutating func leave(_ id: TransferID) {
        for direction in Direction.allCases { change(direction) { $0.leave(id) } }
    }

    /// A transfer is over.
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
