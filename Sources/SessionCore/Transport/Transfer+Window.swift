import CCurl
import CLinux

/// How much the kernel takes in for an attempt that is paused.
extension Transfer {
    /// Keeps the buffer of an attempt's connection as it is; called when a pause begins, and again before it ends, because
    /// there may have been no connection before.
    ///
    /// An upload's answer is too short to matter. A kernel that cannot do this leaves everything as it was: the pause then takes what the buffer holds.
    func fixWindow(of attempt: Attempt) {
        attempt.window?.pause()
        guard attempt.window == nil, attempt.source == nil, let socket = attempt.socket, !sharesConnection(attempt)
        else { return }
        if cl_receiving_fix(socket) == 0 { attempt.window = ReceiveWindow() }
    }

    /// Begins to watch whether a connection that was paused needs a larger buffer.
    func watchWindow(of attempt: Attempt) {
        guard attempt.window != nil else { return }
        core.setDeadline(.window(id), afterMilliseconds: ReceiveWindow.interval)
    }

    func stopWatchingWindow() { core.clearDeadline(.window(id)) }

    /// The time has come to look whether the buffer limits the speed.
    func windowDue() {
        guard let attempt, let socket = attempt.socket, attempt.window != nil else { return }
        var raw = cl_receiving()
        guard cl_receiving_figures(socket, &raw) == 0 else { return }
        let figures = ReceiveWindow.Figures(
            received: raw.received, roundTrip: Int64(raw.round_trip), receiveRoundTrip: Int64(raw.receive_round_trip),
            buffer: Int64(raw.buffer))
        if let room = attempt.window?.look(figures, now: core.now) {
            // Refused only by a kernel that did not fix it either, or for a connection that is gone.
            _ = cl_receiving_grow(socket, Int32(clamping: room))
        }
        core.setDeadline(.window(id), afterMilliseconds: ReceiveWindow.interval)
    }

    /// Leaves the buffer to the kernel again, because the connection may serve another transfer.
    ///
    /// It may be closed already and its number that of another one, to which this does nothing: no buffer is kept as it is
    /// but that of an attempt.
    func freeWindow(of attempt: Attempt) {
        stopWatchingWindow()
        guard attempt.window != nil, let socket = attempt.socket else { return }
        attempt.window = nil
        _ = cl_receiving_free(socket)
    }

    /// Whether other transfers use the same connection, whose streams HTTP/2 holds back one by one.
    private func sharesConnection(_ attempt: Attempt) -> Bool {
        let version = cc_get_long(attempt.handle.raw, CURLINFO_HTTP_VERSION)
        return version == 0 ? attempt.allowsHTTP2 : version > Int(CURL_HTTP_VERSION_1_1)
    }
}
