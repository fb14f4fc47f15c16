import CCurl

/// Holding an attempt and letting it go on.
extension Transfer {
    func hold() {
        guard let attempt else { return }
        holdsConnection = true
        core.heldConnections += 1
        collectMetrics(attempt, age: attemptAge)
        stopWatchingForStall()
        stopWatchingWindow()
        fixWindow(of: attempt)
        latch(attempt)
    }

    func release() {
        forgetHold()
        guard let attempt else { return }
        watchForStall()
        fixWindow(of: attempt)
        watchWindow(of: attempt)
        latch(attempt)
    }

    /// Sets the user's latch to what the machine has decided.
    private func latch(_ attempt: Attempt) {
        if machine.isHeld { attempt.pause.insert(.user) } else { attempt.pause.remove(.user) }
        applyPause(attempt)
    }

    func forgetHold() {
        guard holdsConnection else { return }
        holdsConnection = false
        core.heldConnections -= 1
    }

    func unpause(_ reason: Attempt.Pause) {
        guard let attempt, attempt.pause.contains(reason) else { return }
        attempt.pause.remove(reason)
        applyPause(attempt)
    }

    /// Tells libcurl what the reasons amount to.
    ///
    /// Error 43 means that there is no connection yet: the latch that the callbacks read does the pausing then.
    private func applyPause(_ attempt: Attempt) {
        var mask: Int32 = CURLPAUSE_CONT
        if !attempt.pause.isDisjoint(with: [.user, .sink, .decision]) { mask |= CURLPAUSE_RECV }
        if !attempt.pause.isDisjoint(with: [.user, .source]) { mask |= CURLPAUSE_SEND }
        let result = curl_easy_pause(attempt.handle.raw, mask)
        if result != CURLE_OK, result != CURLE_BAD_FUNCTION_ARGUMENT { core.noteEnd(attempt, result: result) }
    }

    /// Takes what has arrived in the socket during a pause, so that giving the connection up wastes none of it.
    func drain(_ attempt: Attempt) {
        guard handler.isResumable, let waiting = core.bytesWaiting(for: attempt), waiting > 0 else { return }
        let limit = attempt.received + waiting
        attempt.pause.remove(.user)
        applyPause(attempt)
        var before: Int64 = -1
        while attempt.received < limit, attempt.received > before, attempt.pause.isEmpty {
            before = attempt.received
            core.act(on: attempt)
        }
        attempt.pause.insert(.user)
        core.settleFinishedAttempts()
    }
}
