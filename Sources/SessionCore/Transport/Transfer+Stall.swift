import CCurl

/// Giving an attempt up that stands still.
extension Transfer {
    /// Begins to watch an attempt, or does so again after a pause.
    func watchForStall() {
        let seconds = request.idleTimeout ?? core.configuration.stallTimeout
        let watch = StallWatch(limitMilliseconds: Deadlines.milliseconds(seconds), now: core.now)
        stallWatch = watch
        core.setDeadline(.stall(id), afterMilliseconds: watch.interval)
    }

    func stopWatchingForStall() { core.clearDeadline(.stall(id)) }

    /// The time has come to look whether anything moved.
    func stallCheckDue() {
        guard let attempt, var watch = stallWatch else { return }
        let raw = attempt.handle.raw
        // What the peer took and gave. A slow line empties the kernel's megabytes for a minute in which libcurl can add
        // none; that is movement, and filling them while the line is dead is not.
        let moved =
            [CURLINFO_SIZE_DOWNLOAD_T, CURLINFO_SIZE_UPLOAD_T].reduce(0) { $0 + cc_get_offset(raw, $1) }
            - core.bytesUnderWay(for: attempt)
        // Before the request goes out it is the limit for connecting that counts.
        let isConnected = cc_get_offset(raw, CURLINFO_PRETRANSFER_TIME_T) > 0
        let verdict = watch.look(
            moved: moved + Int64(cc_get_long(raw, CURLINFO_HEADER_SIZE)), mayMove: isConnected && mayMove(attempt),
            now: core.now)
        stallWatch = watch
        switch verdict {
        case .lookAgain(let delay): core.setDeadline(.stall(id), afterMilliseconds: delay)
        case .stalled: core.noteEnd(attempt, result: CURLE_OPERATION_TIMEDOUT)
        }
    }

    /// Whether bytes may move as far as this side goes.
    ///
    /// The user's pause is what the machine says it is: a latch left behind by mistake is a stall that is noticed.
    private func mayMove(_ attempt: Attempt) -> Bool {
        !machine.isHeld && attempt.pause.isDisjoint(with: [.sink, .source, .decision])
    }
}
