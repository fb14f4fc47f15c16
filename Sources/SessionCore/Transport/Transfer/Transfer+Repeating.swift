/// Bodies that a server may have stored without having answered.
extension Transfer {
    /// Whether the peer of an attempt has acknowledged the request's full body, as far as this machine's kernel knows.
    ///
    /// Always false for a resumable upload, whose server is asked for its offset first.
    func hasGivenAll(_ attempt: Attempt) -> Bool {
        guard attempt.source != nil, upload?.machine.mayRepeat != true, attempt.isRequestOut else { return false }
        return attempt.answerAwaitedSince != nil || attempt.isAnswered || core.bytesInFlight(for: attempt) == 0
    }

    /// Whether a body the server may have received may be sent again: the method is idempotent and the user allows it.
    private var mayRepeatTakenBody: Bool {
        description.request.isIdempotent
            && core.options(of: request.sharedOptions)?.values.repeatsUnansweredBodies == true
    }

    /// Whether a failed attempt leaves open what has become of its body, so that it is not sent again.
    ///
    /// A status says that the server does not want it, except 504: the gateway has forwarded it and got no response.
    func mayBeStored(after error: SessionError, isGiven: Bool) -> Bool {
        guard isGiven, !mayRepeatTakenBody else { return false }
        return error.code != .http || error.statusCode == 504
    }

    /// Whether the peer had received the full body when the connection that libcurl sent it on ended.
    ///
    /// By the time libcurl asks for the body again, it has reset its own figures and may have made another connection,
    /// which ``hasGivenAll(_:)`` would judge instead. Bytes that libcurl had read but not sent count as received: an
    /// unneeded error is better than a duplicate request. A connection that is still open has only refused this
    /// request.
    private func hadGivenAll(_ attempt: Attempt) -> Bool {
        guard attempt.isBodyOut, upload?.machine.mayRepeat != true, !attempt.isAnswered else { return false }
        if attempt.answerAwaitedSince != nil { return true }
        if let lost = attempt.lostBytes { return lost == 0 }
        return attempt.socket == nil && core.bytesInFlight(for: attempt) == 0
    }

    /// Returns the error if libcurl may not send a request's body again; nil if it may.
    func refusalToRepeat(_ attempt: Attempt) -> SessionError? {
        guard hadGivenAll(attempt), !mayRepeatTakenBody else { return nil }
        return SessionError(
            .connectionLost, TransportErrors.bodyMayBeStored(TransportErrors.emptyReply(hostName)),
            failingURL: request.url)
    }

    /// Whether libcurl would wrongly repeat a non-idempotent request after a reused connection ended without a
    /// response.
    ///
    /// A body has to be read again for that, which ``refusalToRepeat(_:)`` decides; without a body libcurl does not
    /// ask.
    func isRepeatedUnasked(_ message: Message) -> Bool {
        !description.request.isIdempotent && (message.body?.length ?? 1) == 0
    }
}
