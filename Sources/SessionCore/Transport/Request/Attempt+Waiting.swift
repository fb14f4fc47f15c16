import CCurl
import CLinux

/// The bytes that an attempt waits for, and which side owes them.
extension Attempt {
    /// Whether no limit, sink, source or decision of this side keeps bytes from moving.
    ///
    /// An attempt that our rate limit pauses now and then is as slow as that limit. The user's pause does not count: its
    /// owner knows it, so that a pause flag left set by mistake shows up as a stall.
    var isFree: Bool { !pacing.hasPaused && !isPaced && pause.isDisjoint(with: [.sink, .source, .decision]) }

    /// Whether libcurl may still wait for the server's 100 Continue.
    var mayAwaitConsent: Bool { source != nil && sent == 0 && !isAnswered }

    /// The body bytes the peer has sent and acknowledged.
    ///
    /// A slow line needs a minute to empty the kernel's megabytes, in which libcurl can add none: that is movement, and
    /// filling them while the line is dead is not. Heads and a protocol's framing do not count, or a peer could stay
    /// connected forever without sending a byte of the body.
    var bytesMoved: Int64 {
        let received = cc_get_offset(handle.raw, CURLINFO_SIZE_DOWNLOAD_T) + Int64(parser.byteCount)
        guard source != nil else { return received }
        let sent = cc_get_offset(handle.raw, CURLINFO_SIZE_UPLOAD_T)
        return received + (answerAwaitedSince == nil ? max(sent - owner.bytesInFlight(for: self), 0) : sent)
    }

    /// Returns since when the peer has had the full request without answering, as far as this machine's kernel knows;
    /// nil otherwise.
    ///
    /// A peer that has begun its answer owes the rest.
    func awaitedSince(now: Int64) -> Int64? { parser.isInHead ? nil : responseAwaitedSince(now: now) }

    /// Returns the same while the response's head arrives; nil otherwise.
    func headAwaitedSince(now: Int64) -> Int64? { parser.isInHead ? responseAwaitedSince(now: now) : nil }

    private func responseAwaitedSince(now: Int64) -> Int64? {
        guard !isAnswered else { return nil }
        if answerAwaitedSince == nil, isRequestOut, owner.bytesInFlight(for: self) == 0 {
            // A request without a body went out as soon as the connection was made.
            let delay = cc_get_offset(handle.raw, CURLINFO_PRETRANSFER_TIME_T) / 1000
            awaitAnswer(since: source == nil ? min(begunAt + delay, now) : now)
        }
        return answerAwaitedSince
    }

    /// Returns the side that has to act next.
    ///
    /// - Parameter isHolding: whether the user has paused.
    func turn(isHolding: Bool, now: Int64) -> StallWatch.Turn {
        // Before the request is sent, the connect timeout counts.
        guard handle.hasSentRequest, isFree, !isHolding else { return .own }
        return awaitedSince(now: now).map { .answer(since: $0) } ?? .peer
    }

    /// Returns the bytes of the body if the peer sends almost nothing but framing; nil for nearly all.
    ///
    /// Skips HTTP/2, whose connection carries other streams too and whose frames have a length that libcurl checks.
    func bodyInExcessiveFraming() -> Int64? {
        var received = cl_receiving()
        guard !hasStream, let socket, cl_receiving_figures(socket, &received) == 0 else { return nil }
        let body = cc_get_offset(handle.raw, CURLINFO_SIZE_DOWNLOAD_T)
        let delivered = body + Int64(cc_get_long(handle.raw, CURLINFO_HEADER_SIZE))
        return watches.isExcessive(arrived: received.received, delivered: delivered) ? body : nil
    }
}
