/// Decides whether a body is sent again that a server may have stored without a response.
struct RepetitionRule: Sendable, Equatable {
    /// Whether the request's method allows it to be sent twice.
    var isIdempotent: Bool
    /// Whether the user allows a body to be sent again that the server has received without answering.
    var repeatsUnansweredBodies: Bool

    /// Whether a body the server may have received may be sent again.
    var mayRepeatTakenBody: Bool { isIdempotent && repeatsUnansweredBodies }

    /// Whether a failed attempt leaves open what has become of its body, so that it is not sent again.
    ///
    /// A status says that the server does not want it, except 504: the gateway has forwarded it and got no response.
    ///
    /// - Parameter isGiven: whether the peer has acknowledged the complete body.
    func mayBeStored(after error: SessionError, isGiven: Bool) -> Bool {
        guard isGiven, !mayRepeatTakenBody else { return false }
        return error.code != .http || error.statusCode == 504
    }

    /// Whether libcurl would wrongly repeat a non-idempotent request after a reused connection ended without a
    /// response.
    ///
    /// A body has to be read again for that, which the attempt's owner may refuse; an empty one libcurl repeats without
    /// asking.
    func isRepeatedUnasked(_ body: (any BodySource)?) -> Bool { !isIdempotent && (body?.length ?? 1) == 0 }
}
