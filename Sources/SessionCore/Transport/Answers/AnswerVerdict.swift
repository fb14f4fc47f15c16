/// The purpose of an attempt.
enum AttemptRole: Sendable, Equatable {
    /// The transfer's own request.
    case lead
    /// A range of the body that the lead does not fetch.
    case branch
    /// A block of a mirror's file, for comparison.
    case probe
    /// A part of an upload that the lead does not send.
    case part

    /// Whether it sends the body of the request, or a range of it.
    var sendsBody: Bool { self == .lead || self == .part }
}

/// The meaning of a response's head, before anything is done about it.
///
/// Large cases are indirect, because nearly every response is a plain body.
enum AnswerVerdict: Sendable, Equatable {
    // MARK: Another request of the same kind

    /// The request is repeated without `Expect`.
    case sendUnasked
    /// The request is repeated without the cache's conditions.
    case askForAll
    /// The redirect's request follows; `refusal` is the error unless the caller allows it.
    indirect case redirect(TransferRequest, refusal: SessionError?)
    /// A server's authentication challenge.
    indirect case challenge(ServerChallenge)
    /// A proxy's authentication challenge.
    indirect case proxy(ProxyChallenge)
    /// An upload's next step follows; the reason says why it starts over.
    case uploadStep(restarts: String?)
    /// The response's body says what follows in an upload.
    case uploadAnswer
    /// The request is repeated on a new connection: this response may belong to another request.
    case useNewConnection

    // MARK: No body

    /// The request may be retried after the milliseconds of `Retry-After`.
    indirect case later(SessionError, afterMilliseconds: Int64?)
    /// The response is refused; its body is kept for the outcome.
    indirect case refused(SessionError)
    /// The response is refused, and its body is not read: it exceeds the limit, or its end is unknown.
    indirect case unread(SessionError)

    // MARK: A body

    /// The handler takes the response.
    case body(BodyVerdict)
    /// The handler takes the head, and nothing after it is read.
    indirect case headAlone(AnswerVerdict)

    // MARK: Responses to branches and probes

    case range(RangeVerdict)
    indirect case block(BlockVerdict)
}

/// The meaning of the lead's response for its body.
enum BodyVerdict: Sendable, Equatable {
    /// A complete body that is collected or passed on.
    case full
    /// The rest of a body that is passed on.
    indirect case rest(StreamContinuation.Step)
    /// A file, or the rest of one.
    case file(ResumeAction)
    /// The rest of a file that another source has begun.
    case foreign(ResumeAction)
    /// The first block of another source, to be compared with the partial file; the refusal if it is not sent.
    indirect case firstBlock(FirstBlockRefusal?)
    /// The existing file is current.
    case unchanged
    /// The request about the existing file is repeated in another form, or without asking about it.
    indirect case askAgain(ExistingCopy?)
    /// The response contradicts what was announced about the file.
    indirect case contradicts(SessionError)
}

/// The next step after a response that is not the requested first block.
struct FirstBlockRefusal: Sendable, Equatable {
    var next: NextStep
    /// The source's fault that it reveals; nil if it reveals none.
    var shown: MirrorAnswer.Refusal?
}

/// The meaning of a branch's response.
enum RangeVerdict: Sendable, Equatable {
    /// The requested bytes of the same version, up to an offset: a server may send fewer at once (RFC 9110, 15.3.7).
    case accepted(end: Int64)
    /// The same, but the lead has already passed the range's beginning.
    case overtaken
    /// The server refuses to send them now, and may ask to be left alone for some milliseconds.
    case refused(reason: String, askedWait: Int64? = nil)
    /// It is another file, or no response to a range request.
    case contradicts
}

/// The meaning of a probe's response.
enum BlockVerdict: Sendable, Equatable {
    /// The block follows; the facts prove that the next one is of the same version.
    case accepted(StoredMetadata)
    /// The digests are equal, so that nothing has to be compared.
    case same(StoredMetadata)
    case refused(MirrorAnswer.Refusal, passes: Bool)
}

/// The treatment of an attempt's response.
enum AttemptVerdict: Sendable, Equatable {
    /// No final head yet.
    case pending
    /// The body is read into the sink.
    case accepted
    /// The body is dropped, or kept for the outcome; then the next step follows.
    case decided(NextStep)
}

/// The next step after a response that is not the wanted body.
enum NextStep: Sendable, Equatable {
    indirect case follow(TransferRequest)
    case restart(reason: String)
    /// The bytes of this response are dropped and requested again.
    case takeBack(reason: String)
    case retry(SessionError, afterMilliseconds: Int64?)
    case fail(SessionError)
    /// The body was complete without the rest of the response.
    case complete
    case nextRange
    /// The first block of another source has arrived, and is compared with the partial file.
    case compared
    /// The request is repeated with credentials.
    case authenticate
    /// The request is repeated without `Expect`, or without the cache's conditions.
    case sendUnasked
    /// The caller decides about the server's chain.
    case askForTrust(TrustReview.Question)
    /// The caller decides about the credentials for a proxy that refused a tunnel.
    case askForProxy(CredentialQuestion)
    /// The request is repeated on a new connection: the bytes on this one were no response to it.
    case useNewConnection
    /// The upload judges the body that was read.
    case uploadAnswer
    /// Another request of the same upload follows; with a reason it starts over.
    case uploadStep(restarts: String?)
}

/// A redirect that waits for the caller's decision.
struct UndecidedRedirect: Sendable, Equatable {
    var head: ResponseHead
    var request: TransferRequest
    /// The error unless the redirect is allowed; nil if it needs no consent.
    var refusal: SessionError?
}
