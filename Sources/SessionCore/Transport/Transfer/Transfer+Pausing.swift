import CCurl
import CLinux

/// Pausing and resuming an attempt.
extension Transfer {
    func hold() {
        guard let attempt else { return }
        leavePace(attempt)
        collectMetrics(attempt, age: attemptAge)
        stopWatchingForStall()
        stopWatchingWindow()
        fixWindow(of: attempt)
        pauseFlag(attempt)
    }

    func release() {
        guard let attempt else { return }
        watchForStall()
        fixWindow(of: attempt)
        watchWindow(of: attempt)
        pauseFlag(attempt)
        resumeSegments()
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
    ///
    /// Error 43 means that the handle has no connection yet; the callbacks then read the pause reasons themselves.
    func applyPause(_ attempt: Attempt) {
        var mask: Int32 = CURLPAUSE_CONT
        if !attempt.pause.isDisjoint(with: [.user, .sink, .decision, .downloadRate]) { mask |= CURLPAUSE_RECV }
        if !attempt.pause.isDisjoint(with: [.user, .source, .uploadRate]) { mask |= CURLPAUSE_SEND }
        // If only one direction is paused, libcurl checks the connection at once, which is wasted work without a body.
        if mask == CURLPAUSE_RECV, attempt.source == nil { mask |= CURLPAUSE_SEND }
        let result = curl_easy_pause(attempt.handle.raw, mask)
        if result != CURLE_OK, result != CURLE_BAD_FUNCTION_ARGUMENT { core.recordEnd(of: attempt, result: result) }
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
    /// Fixes the receive buffer of an attempt's connection at its present size.
    ///
    /// Called when a pause begins, and again before it ends, because there may have been no connection before.
    ///
    /// If the kernel cannot do this, nothing changes: the pause then buffers as much as the kernel allows.
    private func fixWindow(of attempt: Attempt) {
        attempt.watches.window?.pause()
        guard attempt.watches.window?.isFixed != true, let socket = receivingSocket(of: attempt) else { return }
        if cl_receiving_fix(socket) == 0 { attempt.watches.window = ReceiveWindow(isFixed: true) }
    }

    /// Begins to watch the receive buffer of a download that has run for a while.
    ///
    /// It may have grown to many times what the line needs before the first pause. A download that ends sooner costs
    /// nothing.
    func watchWindowIfOld() {
        guard let attempt, attempt.watches.window == nil, let start = figures.metrics.attemptStartedAt,
            core.now - start >= ReceiveWindow.interval, !machine.isHolding, receivingSocket(of: attempt) != nil
        else { return }
        attempt.watches.window = ReceiveWindow()
        core.setDeadline(.window(id), afterMilliseconds: ReceiveWindow.interval)
    }

    /// The socket whose buffer belongs to this attempt alone; nil for an upload, whose response is short.
    private func receivingSocket(of attempt: Attempt) -> Int32? {
        attempt.source == nil && !sharesConnection(attempt) ? attempt.socket : nil
    }

    /// Begins to watch whether a connection that was paused needs a larger buffer.
    private func watchWindow(of attempt: Attempt) {
        guard attempt.watches.window != nil else { return }
        core.setDeadline(.window(id), afterMilliseconds: ReceiveWindow.interval)
    }

    private func stopWatchingWindow() { core.clearDeadline(.window(id)) }

    /// Checks whether the receive buffer limits the speed.
    func windowDue() {
        guard let attempt, let socket = attempt.socket, attempt.watches.window != nil else { return }
        var raw = cl_receiving()
        guard cl_receiving_figures(socket, &raw) == 0 else { return }
        let figures = ReceiveWindow.Figures(
            received: raw.received, roundTrip: Int64(raw.round_trip), receiveRoundTrip: Int64(raw.receive_round_trip),
            buffer: Int64(raw.buffer))
        // This fails only where the kernel cannot fix the buffer either, or when the connection is gone.
        switch attempt.watches.window?.look(figures, now: core.now) {
        case .grow(let room): _ = cl_receiving_grow(socket, Int32(clamping: room))
        case .shrink(let size):
            attempt.watches.window?.isFixed = cl_receiving_shrink(socket, Int32(clamping: size)) == 0
        case nil: break
        }
        core.setDeadline(.window(id), afterMilliseconds: ReceiveWindow.interval)
    }

    /// Returns control of the buffer to the kernel, because the connection may serve another transfer.
    func freeWindow(of attempt: Attempt) {
        stopWatchingWindow()
        let isFixed = attempt.watches.window?.isFixed == true
        attempt.watches.window = nil
        if isFixed, let socket = attempt.socket { _ = cl_receiving_free(socket) }
    }

    /// Whether other transfers use the same connection, whose streams HTTP/2 pauses one by one.
    private func sharesConnection(_ attempt: Attempt) -> Bool {
        let version = cc_get_long(attempt.handle.raw, CURLINFO_HTTP_VERSION)
        return version == 0 ? attempt.plan.allowsHTTP2 : version > Int(CURL_HTTP_VERSION_1_1)
    }
}
