/// Bodies that a server may have, although it has not said so.
extension Transfer {
    /// Whether the peer of an attempt has taken the whole body of its request, as far as this machine's kernel knows.
    ///
    /// Of an upload that its server is asked about first nothing has to be guessed.
    func hasGivenAll(_ attempt: Attempt) -> Bool {
        guard attempt.source != nil, upload?.machine.mayRepeat != true, attempt.isRequestOut else { return false }
        return attempt.answerAwaitedSince != nil || attempt.isAnswered || core.bytesInFlight(for: attempt) == 0
    }

    /// Whether a request may follow by itself whose body was taken: by its method, and because its user has allowed it.
    private var mayRepeatTakenBody: Bool {
        description.request.isIdempotent
            && core.options(of: request.sharedOptions)?.values.repeatsUnansweredBodies == true
    }

    /// Whether a failed attempt leaves open what has become of its body, so that it is not sent again.
    ///
    /// A status says that the server does not want it, unless a gateway has waited for its server in vain.
    func mayBeStored(after error: SessionError, isGiven: Bool) -> Bool {
        guard isGiven, !mayRepeatTakenBody else { return false }
        return error.code != .http || error.statusCode == 504
    }

    /// Whether the peer had taken the whole body when the connection ended on which libcurl had sent it.
    ///
    /// When libcurl asks for the body once more it has set its own figures back and may have made another connection, so
    /// that ``hasGivenAll(_:)`` would judge that one. What libcurl had read and not sent counts as taken: an error too
    /// many is better than a request too many. A connection that goes on has refused the one request.
    private func hadGivenAll(_ attempt: Attempt) -> Bool {
        guard attempt.isBodyOut, upload?.machine.mayRepeat != true, !attempt.isAnswered else { return false }
        if attempt.answerAwaitedSince != nil { return true }
        if let lost = attempt.lostBytes { return lost == 0 }
        return attempt.socket == nil && core.bytesInFlight(for: attempt) == 0
    }

    /// The reason for which libcurl may not send a request's body once more; nil where it may.
    func refusalToRepeat(_ attempt: Attempt) -> SessionError? {
        guard hadGivenAll(attempt), !mayRepeatTakenBody else { return nil }
        return SessionError(
            .connectionLost, TransportErrors.bodyMayBeStored(TransportErrors.emptyReply(hostName)),
            failingURL: request.url)
    }

    /// Whether libcurl would repeat a request that must not be, after a kept connection has ended without an answer.
    ///
    /// A body has to be read again for that, which ``refusalToRepeat(_:)`` decides; where there is none libcurl does not ask.
    func isRepeatedUnasked(_ message: Message) -> Bool {
        !description.request.isIdempotent && (message.body?.length ?? 1) == 0
    }
}
