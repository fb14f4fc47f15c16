import CCurl

/// Pausing and resuming an attempt.
extension Transfer {
    func hold() {
        guard let attempt else { return }
        leavePace(attempt)
        collectMetrics(attempt, age: attemptAge)
        core.clearDeadline(.stall(id))
        core.clearDeadline(.window(id))
        attempt.fixWindow()
        pauseFlag(attempt)
        upload?.connections?.hold()
    }

    func release() {
        guard let attempt else { return }
        watchForStall()
        attempt.fixWindow()
        watchWindow(of: attempt)
        pauseFlag(attempt)
        connectionsIfAny?.resume()
        upload?.connections?.release()
    }

    private func pauseFlag(_ attempt: Attempt) {
        if machine.isHolding { attempt.hold(.user) } else { attempt.release(.user) }
        applyPause(attempt)
    }

    func unpause(_ reason: Attempt.Pause) {
        if let attempt { unpause(attempt, reason) }
    }

    func unpause(_ attempt: Attempt, _ reason: Attempt.Pause) {
        guard attempt.pause.contains(reason) else { return }
        attempt.release(reason)
        applyPause(attempt)
    }

    /// Applies the pause reasons to libcurl's handle.
    func applyPause(_ attempt: Attempt) {
        if let result = attempt.applyPause() { core.recordEnd(of: attempt, result: result) }
    }

    /// Reads what has arrived in the socket during a pause, so that closing the connection wastes none of it.
    func drain(_ attempt: Attempt) {
        guard handler.resumability != .no, let waiting = core.bytesWaiting(for: attempt), waiting > 0 else { return }
        let limit = attempt.received + waiting
        attempt.release(.user)
        applyPause(attempt)
        var before: Int64 = -1
        while attempt.received < limit, attempt.received > before, attempt.pause.isEmpty {
            before = attempt.received
            core.act(on: attempt)
        }
        attempt.hold(.user)
        core.reportEndedAttempts()
    }
}

/// The size of the kernel's receive buffer for a paused attempt.
extension Transfer {
    /// Begins to watch the receive buffer of a download that has run for a while.
    ///
    /// It may have grown to many times what the line needs before the first pause. A download that ends sooner costs
    /// nothing.
    func watchWindowIfOld() {
        guard let attempt, attempt.watches.window == nil, let start = figures.metrics.attemptStartedAt,
            core.now - start >= ReceiveWindow.interval, !machine.isHolding, attempt.receivingSocket != nil
        else { return }
        attempt.watches.observe(ReceiveWindow())
        watchWindow(of: attempt)
    }

    /// Begins to watch whether a connection needs another buffer.
    private func watchWindow(of attempt: Attempt) {
        guard attempt.watches.window != nil else { return }
        core.setDeadline(.window(id), afterMilliseconds: ReceiveWindow.interval)
    }

    /// Checks whether the receive buffer limits the speed.
    func windowDue() {
        guard let attempt, let socket = attempt.socket,
            attempt.watches.adaptWindow(socket, now: core.now)
        else { return }
        watchWindow(of: attempt)
    }

    func freeWindow(of attempt: Attempt) {
        core.clearDeadline(.window(id))
        attempt.freeWindow()
    }
}

/// Ending attempts that have stalled.
extension Transfer {
    /// Begins to watch an attempt, or resumes after a pause.
    ///
    /// The speed of several connections is measured on when another one becomes the lead, which happens more often than
    /// a window passes.
    func watchForStall() {
        var watch = StallWatch(
            request, core.options(of: request.sharedOptions), seconds: core.configuration.stallTimeout,
            answerTimeout: core.configuration.options?.answerTimeout, now: core.now)
        if let segments = handler.segments, let speed = segments.speed {
            segments.speed = nil
            if speed.goesOn(now: core.now) { watch.speed = speed }
            if attempt?.isAnswered == true { watch.speed?.begin(moved: handler.received, now: core.now) }
        }
        attempt?.watches.observe(watch)
        let delay = watch.firstCheck(isAnswered: attempt?.isAnswered == true, now: core.now)
        core.setDeadline(.stall(id), afterMilliseconds: min(delay, patience(watch) ?? .max))
    }

    /// Checks whether any bytes have moved.
    func stallCheckDue() {
        guard let attempt, var watch = attempt.watches.stall, !endsForFraming(attempt) else { return }
        let hasWaited = attempt.answerAwaitedSince != nil
        var findings = StallWatch.Findings(turn: attempt.turn(isHolding: machine.isHolding, now: core.now))
        if let since = attempt.answerAwaitedSince, watch.noteSilence(since: since, now: core.now) || !hasWaited {
            enqueueStatus()
        }
        findings.moved = attempt.bytesMoved
        findings.headAwaitedSince = attempt.headAwaitedSince(now: core.now)
        if let segments = handler.segments {
            (findings.movedByAll, findings.othersGoOn) = (handler.received, segments.working > 1)
        }
        if !attempt.isAnswered, attempt.isFree, !machine.isHolding { findings.patience = patience(watch) }
        let verdict = watch.judge(findings, now: core.now)
        attempt.watches.observe(watch)
        attempt.pacing.checked(isPaced: attempt.isPaced)
        // If the network is gone, its return has to be noticed.
        if watch.hasStood { core.watchNetwork() }
        switch verdict {
        case .checkAgain(let delay):
            let isBeginning = !attempt.handle.hasSentRequest || attempt.mayAwaitConsent
            if isBeginning { core.runAtOnce(attempt) }
            core.setDeadline(.stall(id), afterMilliseconds: isBeginning ? min(delay, watch.firstInterval) : delay)
        case .stalled: core.recordEnd(of: attempt, result: CURLE_OPERATION_TIMEDOUT)
        }
    }

    /// Milliseconds to wait for the attempt's response; nil without another source or upload step to try.
    private func patience(_ watch: StallWatch) -> Int64? {
        if upload?.machine.mayGoUnanswered == true { return watch.patienceWithQuestions }
        return connectionsIfAny?.hasAnotherSource == true ? watch.patienceBesideOthers : nil
    }

    /// Ends an attempt whose peer sends almost nothing but framing; returns false for nearly all.
    private func endsForFraming(_ attempt: Attempt) -> Bool {
        guard let body = attempt.bodyInExcessiveFraming() else { return false }
        attempt.fail(
            SessionError(.badResponse, ResponseErrors.overhead(hostName, body: body), failingURL: request.url))
        core.recordEnd(of: attempt, result: CURLE_RECV_ERROR)
        return true
    }
}

/// The rate limits of a transfer's bodies.
extension Transfer {
    /// Whether bytes may move now; a refused transfer waits for its next portion.
    func mayMove(_ direction: Pace.Direction) -> Bool {
        core.pace.mayMove(direction, id, host: home.origin, lane: lane, at: core.now)
    }

    /// Whether bytes may move now; the caller pauses an attempt that is refused.
    func mayMove(_ direction: Pace.Direction, _ attempt: Attempt) -> Bool {
        guard !mayMove(direction) else { return true }
        attempt.hold(direction.pause)
        attempt.pacing.paused()
        return false
    }

    /// Returns the part of a buffer that a body may fill in one step.
    func step(of buffer: UnsafeMutableRawBufferPointer) -> UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(core.pace.step(.upload, of: id)))
    }

    /// Resumes after a portion was granted, or after the limit was lifted.
    ///
    /// If several connections want the portion, the one that has waited longest goes first; a fixed first one would
    /// always take it all.
    func goOn(_ direction: Pace.Direction) {
        let further = furtherAttempts(direction).filter { $0.pause.contains(direction.pause) }
        guard !further.isEmpty else { return unpause(direction.pause) }
        let all = further + [attempt].compactMap(\.self)
        for attempt in all.sorted(by: { $0.pacing.latestPortion < $1.pacing.latestPortion }) {
            unpause(attempt, direction.pause)
        }
    }

    /// Pauses attempts that have used up their portion, which costs less than refusing bytes that were read.
    ///
    /// A head is not paused: libcurl 7.88 reorders the header lines that it reads during a pause.
    func stopForPace(_ direction: Pace.Direction) {
        if let attempt, !attempt.pause.contains(direction.pause) { stop(attempt, direction) }
        for attempt in furtherAttempts(direction) where !attempt.pause.contains(direction.pause) {
            stop(attempt, direction)
        }
    }

    /// The attempts beside the lead that move bytes in a direction.
    private func furtherAttempts(_ direction: Pace.Direction) -> [Attempt] {
        (direction == .download ? connectionsIfAny?.furtherAttempts : upload?.connections?.attempts) ?? []
    }

    private func stop(_ attempt: Attempt, _ direction: Pace.Direction) {
        guard direction == .upload || attempt.isAnswered, !mayMove(direction, attempt) else { return }
        applyPause(attempt)
    }

    /// Whether the current attempt has more to move: a body that is sent in full waits for nothing.
    func hasMore(_ direction: Pace.Direction) -> Bool {
        guard !machine.isHolding else { return false }
        if direction == .upload, upload?.connections?.hasMore == true { return true }
        guard let attempt else { return false }
        return direction == .download || attempt.source?.length != attempt.sent
    }

    /// Returns what a paused transfer was granted; it asks again when it resumes.
    func leavePace(_ attempt: Attempt) {
        core.pace.leave(id)
        attempt.release([.downloadRate, .uploadRate])
    }

    /// Returns what a transfer was granted when its lead attempt has ended; its branches ask again.
    func leavePace() {
        guard core.pace.isActive else { return }
        core.pace.leave(id)
        for direction in [Pace.Direction.download, .upload]
        where furtherAttempts(direction).contains(where: { $0.pause.contains(direction.pause) }) {
            _ = mayMove(direction)
        }
    }
}

/// The interface through which attempts reach their transfer.
extension Transfer: AttemptOwner {
    var firstRequest: TransferRequest { description.request }

    var hasReusedConnection: Bool { figures.metrics.reusedConnection }

    var isPaced: Bool { core.pace.isActive }

    func hasMoved(_ direction: Pace.Direction, _ count: Int64, _ attempt: Attempt) {
        guard let portion = core.pace.hasMoved(direction, count, id) else { return }
        attempt.pacing.usedUp(portion: portion)
    }

    func isCurrent(_ socket: SocketName) -> Bool { core.name(of: socket.number) == socket }

    func made(_ socket: Int32) -> SocketName { core.madeSocket(socket) }

    func mark(_ socket: Int32, _ marking: PacketMarking) -> Bool { core.mark(socket, marking) }

    func locate(_ attempt: Attempt) { core.locate(attempt) }

    func bytesInFlight(for attempt: Attempt) -> Int64 { core.bytesInFlight(for: attempt) }
}

extension Pace.Direction {
    fileprivate var pause: Attempt.Pause { self == .download ? .downloadRate : .uploadRate }
}
