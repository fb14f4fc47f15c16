import CCurl
import CLinux

/// Giving an attempt up that stands still.
extension Transfer {
    /// Begins to watch an attempt, or does so again after a pause.
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

    /// The time has come to look whether anything moved.
    func stallCheckDue() {
        guard let attempt, var watch = attempt.watches.stall, !endsForFraming(attempt) else { return }
        let hasWaited = attempt.answerAwaitedSince != nil
        let turn = turn(of: attempt)
        if !hasWaited, attempt.answerAwaitedSince != nil { enqueueStatus() }
        var verdict = watch.look(moved: bytesMoved(by: attempt), turn: turn, now: core.now)
        if case .checkAgain(let delay) = verdict, !attempt.isAnswered, mayMove(attempt), let patience = patience(watch)
        {
            verdict = watch.findAnswer(patience: patience, now: core.now).sooner(than: delay)
        }
        attempt.watches.stall = watch
        attempt.pacing.hasHeld = attempt.isPaced
        // Should the network be gone, its return is to be heard of.
        if watch.hasStood { core.watchNetwork() }
        switch verdict {
        case .checkAgain(let delay):
            let isBeginning = !attempt.handle.hasSentRequest || mayAwaitConsent(attempt)
            if isBeginning { core.runAtOnce(attempt) }
            core.setDeadline(.stall(id), afterMilliseconds: isBeginning ? min(delay, watch.firstInterval) : delay)
        case .stalled: core.recordEnd(of: attempt, result: CURLE_OPERATION_TIMEDOUT)
        }
    }

    /// Milliseconds for which the attempt's answer is waited for; nil where nothing else can be tried.
    private func patience(_ watch: StallWatch) -> Int64? {
        if upload?.machine.step == .discover { return watch.patienceWithQuestions }
        return hasAnotherSource ? watch.patienceBesideOthers : nil
    }

    /// Whether libcurl may still wait for the server's consent to a body (`Expect: 100-continue`).
    private func mayAwaitConsent(_ attempt: Attempt) -> Bool {
        attempt.source != nil && attempt.sent == 0 && !attempt.isAnswered
    }

    /// Bytes of bodies that the peer took and gave.
    ///
    /// A slow line empties the kernel's megabytes for a minute in which libcurl can add none; that is movement, and filling
    /// them while the line is dead is not. Heads and what a protocol adds to bodies are none, or a peer could go on for ever
    /// without a byte of what is wanted.
    private func bytesMoved(by attempt: Attempt) -> Int64 {
        let raw = attempt.handle.raw
        let received = cc_get_offset(raw, CURLINFO_SIZE_DOWNLOAD_T)
        guard attempt.source != nil else { return received }
        let sent = cc_get_offset(raw, CURLINFO_SIZE_UPLOAD_T)
        return received + (attempt.answerAwaitedSince == nil ? max(sent - core.bytesInFlight(for: attempt), 0) : sent)
    }

    private func turn(of attempt: Attempt) -> StallWatch.Turn {
        // Before the request goes out it is the limit for connecting that counts.
        guard attempt.handle.hasSentRequest, mayMove(attempt) else { return .own }
        return awaitedSince(attempt).map { .answer(since: $0) } ?? .peer
    }

    /// Since when the peer of an attempt has had the whole request, as far as this machine's kernel knows, and has not
    /// answered; nil while that is not so.
    func awaitedSince(_ attempt: Attempt) -> Int64? {
        guard !attempt.isAnswered else { return nil }
        if attempt.answerAwaitedSince == nil, attempt.isRequestOut, core.bytesInFlight(for: attempt) == 0 {
            // Without a body it went out when the connection was there.
            let delay = cc_get_offset(attempt.handle.raw, CURLINFO_PRETRANSFER_TIME_T) / 1000
            attempt.awaitAnswer(since: attempt.source == nil ? min(attempt.begunAt + delay, core.now) : core.now)
        }
        return attempt.answerAwaitedSince
    }

    /// Whether bytes may move as far as this side goes.
    ///
    /// One that a limit of ours holds back now and then is as slow as that limit. The user's pause is what the machine says
    /// it is: a latch left behind by mistake is a stall that is noticed.
    private func mayMove(_ attempt: Attempt) -> Bool {
        !machine.isHeld && !attempt.pacing.hasHeld && !attempt.isPaced
            && attempt.pause.isDisjoint(with: [.sink, .source, .decision])
    }

    /// Ends an attempt whose peer sends next to nothing but framing; false for nearly all.
    ///
    /// A connection of HTTP/2 carries other streams too, and frames have a length that libcurl checks.
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
