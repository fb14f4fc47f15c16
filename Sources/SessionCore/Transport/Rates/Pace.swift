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
    private(set) var usedUp: [(transfer: Transfer, direction: Direction)] = []
    /// Whether a limit bounds either direction.
    private(set) var isActive = false
    /// Directions whose last limit was lifted, in which transfers may still be held back.
    private var lifted: [Direction] = []
    /// Whether a turn of the loop has to look at the transfers: to grant portions, or because a direction is free again.
    var needsLook: Bool { isActive || !lifted.isEmpty }
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
    mutating func mayMove(_ direction: Direction, _ transfer: Transfer) -> Bool {
        let now = transfer.core.now
        return change(direction) { $0.mayMove(transfer.id, host: transfer.origin, lane: transfer.lane, at: now) }
    }

    /// Counts bytes that an attempt of a transfer has moved.
    mutating func hasMoved(_ direction: Direction, _ bytes: Int64, _ attempt: Attempt) {
        guard change(direction, { $0.moved(attempt.transferID, bytes) }) else { return }
        usedUp.append((attempt.transfer, direction))
        portionCount += 1
        attempt.latestPortion = portionCount
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
    mutating func takeUsedUp() -> [(transfer: Transfer, direction: Direction)] {
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

extension LoopCore {
    /// Changes the limits; a transfer that waits for a portion and need not any more goes on in this turn.
    func setRateLimits(_ limits: RateLimits) { pace.set(limits, at: now) }

    /// Bounds a transfer by limits of its own.
    func bound(_ transfer: Transfer, to limit: RateLimit?) {
        guard limit != nil || pace.isActive else { return }
        pace.setOwn(limit, of: transfer.id, at: now)
    }

    /// Grants what there is, and stops those that have used up their portions and were granted none.
    ///
    /// Each direction is freed by itself: a limit of uploads does not keep downloads waiting for a limit they no longer have.
    func keepPace() {
        for direction in pace.takeLifted() {
            for transfer in allTransfers { transfer.goOn(direction) }
        }
        let usedUp = pace.takeUsedUp().filter { $0.transfer.hasMore($0.direction) }
        for entry in usedUp { _ = pace.mayMove(entry.direction, entry.transfer) }
        for direction in Pace.Direction.allCases {
            while let id = pace.next(direction, at: now) { transfer(id)?.goOn(direction) }
        }
        for entry in usedUp { entry.transfer.stopForPace(entry.direction) }
    }
}

extension Transfer {
    /// Whether bytes may move now; an attempt that may not is paused by whoever asks.
    func mayMove(_ direction: Pace.Direction, _ attempt: Attempt) -> Bool {
        guard !core.pace.mayMove(direction, self) else { return true }
        attempt.pause.insert(direction.pause)
        attempt.wasPaced = true
        return false
    }

    /// As much of a buffer as a body may fill in one step.
    func step(of buffer: UnsafeMutableRawBufferPointer) -> UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(core.pace.step(.upload, of: id)))
    }

    /// It was granted a portion, or nothing bounds it any more.
    ///
    /// Where several connections want the portion, the one goes first that has waited for the longest time: whoever did so
    /// always would take it all.
    fileprivate func goOn(_ direction: Pace.Direction) {
        let further = direction == .download ? heldAttempts(direction.pause) : []
        guard !further.isEmpty else { return unpause(direction.pause) }
        let all = further + [attempt].compactMap(\.self)
        for attempt in all.sorted(by: { $0.latestPortion < $1.latestPortion }) {
            unpause(attempt, direction.pause)
        }
    }

    /// Holds an attempt that has used up its portion back from the connection, which costs less than to refuse bytes that
    /// were read.
    fileprivate func stopForPace(_ direction: Pace.Direction) {
        if let attempt, !attempt.pause.contains(direction.pause), !mayMove(direction, attempt) { applyPause(attempt) }
        guard direction == .download else { return }
        for attempt in branchAttempts(without: direction.pause) where !mayMove(direction, attempt) {
            applyPause(attempt)
        }
    }

    /// Whether an attempt is under way that wants to move more: a body that is sent in full waits for nothing.
    fileprivate func hasMore(_ direction: Pace.Direction) -> Bool {
        guard let attempt, !machine.isHeld else { return false }
        return direction == .download || attempt.source?.length != attempt.sent
    }

    /// Lets go of what a paused transfer was granted; it asks anew when it goes on.
    func leavePace(_ attempt: Attempt) {
        core.pace.leave(id)
        attempt.pause.subtract([.downloadRate, .uploadRate])
    }

    /// Lets go of what a transfer was granted whose own attempt has ended; its further connections ask anew.
    func leavePace() {
        guard core.pace.isActive else { return }
        core.pace.leave(id)
        if !heldAttempts(.downloadRate).isEmpty { _ = core.pace.mayMove(.download, self) }
    }
}

extension Pace.Direction {
    fileprivate var pause: Attempt.Pause { self == .download ? .downloadRate : .uploadRate }
}
