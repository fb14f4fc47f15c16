import CCurl

extension Attempt.Pause {
    /// The directions that libcurl has to stop, as bits for `curl_easy_pause`.
    ///
    /// If only one direction is paused, libcurl checks the connection at once, which is wasted work without a body.
    func mask(hasBody: Bool) -> Int32 {
        var mask: Int32 = CURLPAUSE_CONT
        if !isDisjoint(with: [.user, .sink, .decision, .downloadRate]) { mask |= CURLPAUSE_RECV }
        if !isDisjoint(with: [.user, .source, .uploadRate]) { mask |= CURLPAUSE_SEND }
        return mask == CURLPAUSE_RECV && !hasBody ? mask | CURLPAUSE_SEND : mask
    }
}

/// Pausing an attempt, and the receive buffer of its connection meanwhile.
extension Attempt {
    /// Applies the pause reasons to libcurl's handle, and returns the result if unpausing has ended the attempt.
    ///
    /// Error 43 means that the handle has no connection yet; the callbacks then read the pause reasons themselves.
    func applyPause() -> CURLcode? {
        let result = curl_easy_pause(handle.raw, pause.mask(hasBody: source != nil))
        return result == CURLE_OK || result == CURLE_BAD_FUNCTION_ARGUMENT ? nil : result
    }

    /// Fixes the receive buffer of its connection at its present size.
    ///
    /// Called when a pause begins, and again before it ends, because there may have been no connection before.
    func fixWindow() {
        watches.pauseWindow()
        guard watches.window?.isFixed != true, let socket = receivingSocket else { return }
        if let window = ReceiveWindow.fixed(socket) { watches.observe(window) }
    }

    /// Returns control of the buffer to the kernel.
    func freeWindow() {
        let window = watches.takeWindow()
        if window?.isFixed == true { window?.free(socket) }
    }

    /// The socket whose buffer belongs to this attempt alone; nil for an upload, whose response is short.
    var receivingSocket: Int32? { source == nil && !sharesConnection ? socket : nil }

    /// Whether other transfers use the same connection, whose streams HTTP/2 pauses one by one.
    private var sharesConnection: Bool {
        let version = cc_get_long(handle.raw, CURLINFO_HTTP_VERSION)
        return version == 0 ? plan.allowsHTTP2 : version > Int(CURL_HTTP_VERSION_1_1)
    }
}
