import CCurl
import CLinux

/// Ending attempts that have stalled.
extension Transfer {
    /// Begins to watch an attempt, or resumes after a pause.
    func watchForStall() {
        let seconds = request.idleTimeout ?? core.configuration.stallTimeout
        var watch = StallWatch(limitMilliseconds: Deadlines.milliseconds(seconds), now: core.now)
        let options = core.options(of: request.sharedOptions)
        watch.speed = options?.values.leastSpeed.map {
            SpeedWatch(least: $0.bytesPerSecond, over: Deadlines.milliseconds($0.seconds))
        }
        watch.answerLimit = (options?.values.answerTimeout ?? request.idleTimeout).map(Deadlines.milliseconds)
        attempt?.watches.stall = watch
        core.setDeadline(.stall(id), afterMilliseconds: min(watch.firstInterval, patience(watch) ?? .max))
    }

    func stopWatchingForStall() { core.clearDeadline(.stall(id)) }

    /// Checks whether any bytes have moved.
    func stallCheckDue() {
        guard let attempt, var watch = attempt.watches.stall, !endsForFraming(attempt) else { return }
        let hasWaited = attempt.answerAwaitedSince != nil
        let turn = turn(of: attempt)
        if let since = attempt.answerAwaitedSince, watch.noteSilence(since: since, now: core.now) || !hasWaited {
            enqueueStatus()
        }
        var verdict = watch.look(moved: bytesMoved(by: attempt), turn: turn, now: core.now)
        if case .checkAgain(let delay) = verdict, !attempt.isAnswered, mayMove(attempt), let patience = patience(watch)
        {
            verdict = watch.findAnswer(patience: patience, now: core.now).sooner(than: delay)
        }
        attempt.watches.stall = watch
        attempt.pacing.hasPaused = attempt.isPaced
        // If the network is gone, its return has to be noticed.
        if watch.hasStood { core.watchNetwork() }
        switch verdict {
        case .checkAgain(let delay):
            let isBeginning = !attempt.handle.hasSentRequest || mayAwaitConsent(attempt)
            if isBeginning { core.runAtOnce(attempt) }
            core.setDeadline(.stall(id), afterMilliseconds: isBeginning ? min(delay, watch.firstInterval) : delay)
        case .stalled: core.recordEnd(of: attempt, result: CURLE_OPERATION_TIMEDOUT)
        }
    }

    /// Milliseconds to wait for the attempt's response; nil without another source or upload step to try.
    private func patience(_ watch: StallWatch) -> Int64? {
        if upload?.machine.step == .discover { return watch.patienceWithQuestions }
        return hasAnotherSource ? watch.patienceBesideOthers : nil
    }

    /// Whether libcurl may still wait for the server's 100 Continue.
    private func mayAwaitConsent(_ attempt: Attempt) -> Bool {
        attempt.source != nil && attempt.sent == 0 && !attempt.isAnswered
    }

    /// Returns the body bytes the peer has sent and acknowledged.
    ///
    /// A slow line needs a minute to empty the kernel's megabytes, in which libcurl can add none: that is movement, and
    /// filling them while the line is dead is not. Heads and a protocol's framing do not count, or a peer could stay
    /// connected forever without sending a byte of the body.
    private func bytesMoved(by attempt: Attempt) -> Int64 {
        let raw = attempt.handle.raw
        let received = cc_get_offset(raw, CURLINFO_SIZE_DOWNLOAD_T)
        guard attempt.source != nil else { return received }
        let sent = cc_get_offset(raw, CURLINFO_SIZE_UPLOAD_T)
        return received + (attempt.answerAwaitedSince == nil ? max(sent - core.bytesInFlight(for: attempt), 0) : sent)
    }

    private func turn(of attempt: Attempt) -> StallWatch.Turn {
        // Before the request is sent, the connect timeout counts.
        guard attempt.handle.hasSentRequest, mayMove(attempt) else { return .own }
        return awaitedSince(attempt).map { .answer(since: $0) } ?? .peer
    }

    /// Returns since when the peer has had the full request without answering, as far as this machine's kernel knows;
    /// nil otherwise.
    func awaitedSince(_ attempt: Attempt) -> Int64? {
        guard !attempt.isAnswered else { return nil }
        if attempt.answerAwaitedSince == nil, attempt.isRequestOut, core.bytesInFlight(for: attempt) == 0 {
            // A request without a body went out as soon as the connection was made.
            let delay = cc_get_offset(attempt.handle.raw, CURLINFO_PRETRANSFER_TIME_T) / 1000
            attempt.awaitAnswer(since: attempt.source == nil ? min(attempt.begunAt + delay, core.now) : core.now)
        }
        return attempt.answerAwaitedSince
    }

    /// Whether nothing on this side keeps bytes from moving.
    ///
    /// An attempt that our rate limit pauses now and then is as slow as that limit. Whether the user has paused is
    /// taken from the machine, so that a pause flag left set by mistake shows up as a stall.
    private func mayMove(_ attempt: Attempt) -> Bool {
        !machine.isHolding && !attempt.pacing.hasPaused && !attempt.isPaced
            && attempt.pause.isDisjoint(with: [.sink, .source, .decision])
    }

    /// Ends an attempt whose peer sends almost nothing but framing; returns false for nearly all.
    ///
    /// Skips HTTP/2, whose connection carries other streams too and whose frames have a length that libcurl checks.
    private func endsForFraming(_ attempt: Attempt) -> Bool {
        var received = cl_receiving()
        guard !attempt.hasStream, let socket = attempt.socket, cl_receiving_figures(socket, &received) == 0 else {
            return false
        }
        let raw = attempt.handle.raw
        let body = cc_get_offset(raw, CURLINFO_SIZE_DOWNLOAD_T)
        let delivered = body + Int64(cc_get_long(raw, CURLINFO_HEADER_SIZE))
        guard attempt.watches.framing.isExcessive(arrived: received.received, delivered: delivered) else {
            return false
        }
        attempt.fail(
            SessionError(.badResponse, ResponseErrors.overhead(hostName, body: body), failingURL: request.url))
        core.recordEnd(of: attempt, result: CURLE_RECV_ERROR)
        return true
    }
}
