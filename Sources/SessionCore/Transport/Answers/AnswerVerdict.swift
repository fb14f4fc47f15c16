/// What an attempt was made for.
enum AttemptRole: Sendable, Equatable {
    /// The transfer's own request.
    case lead
    /// A range of the body beside the lead's.
    case branch
    /// A block of the file by which a mirror is compared.
    case probe
}

/// What the head of an answer means, before anything is done about it.
///
/// Large cases are indirect, because nearly every answer is a plain body.
enum AnswerVerdict: Sendable, Equatable {
    // MARK: Another request of the same attempt's kind

    /// The same request follows, and its body is sent without asking.
    case sendUnasked
    /// Another request follows, which a redirect names; a refusal tells why the caller has to allow it.
    indirect case redirect(TransferRequest, refusal: SessionError?)
    /// A server wants to know who asks.
    indirect case challenge(ServerChallenge)
    /// A proxy does.
    indirect case proxy(ProxyChallenge)
    /// An upload goes on with its next step; the reason tells why it begins anew.
    case uploadStep(restarts: String?)
    /// The same request follows on a new connection: this answer may be another's.
    case useNewConnection

    // MARK: No body

    /// The request may follow again later; milliseconds for which its server asked.
    indirect case later(SessionError, afterMilliseconds: Int64?)
    /// The answer is refused; its page is kept.
    indirect case refused(SessionError)
    /// The body is larger than it may be, and is not read.
    indirect case tooLarge(SessionError)

    // MARK: A body

    /// The handler takes the answer.
    case body(BodyVerdict)
    /// The handler takes the head, and nothing after it is read.
    indirect case headAlone(AnswerVerdict)

    // MARK: Answers beside the lead's

    case range(RangeVerdict)
    indirect case block(BlockVerdict)
}

/// What the answer to a transfer's own request means for its body.
enum BodyVerdict: Sendable, Equatable {
    /// All of a body comes that is collected or passed on.
    case whole
    /// The rest of a body that is passed on.
    indirect case rest(StreamContinuation.Step)
    /// A file, or the rest of one.
    case file(ResumeAction)
    /// The rest of a file that another source has begun.
    case foreign(ResumeAction)
    /// The first block of another source is compared with the part's; nil where it does not come.
    indirect case firstBlock(FirstBlockRefusal?)
    /// The file that is there stays, because the server has no other.
    case unchanged
    /// The server is asked again about the file that is there: in another way, or not any more.
    indirect case askAgain(ExistingCopy?)
    /// The answer contradicts what was said of the file beforehand.
    indirect case contradicts(SessionError)
}

/// What follows an answer that is not the block by which another source is compared.
struct FirstBlockRefusal: Sendable, Equatable {
    /// What the attempt ends with.
    var next: NextStep
    /// What it shows of the source; nil for an answer that shows nothing.
    var shown: MirrorAnswer.Refusal?
}

/// What the answer to a range beside the lead's means.
enum RangeVerdict: Sendable, Equatable {
    /// The bytes that were asked for, of the same version, up to a place: a server may send fewer at once (RFC 9110, 15.3.7).
    case accepted(end: Int64)
    /// The same, but the lead was faster.
    case overtaken
    /// The server does not want to send them now.
    case refused(reason: String)
    /// It is another file, or another answer than to a request for a part.
    case contradicts
}

/// What an answer means by which a mirror is compared.
enum BlockVerdict: Sendable, Equatable {
    /// The block comes; the facts prove the next one to be of the same version.
    case accepted(StoredFacts)
    /// Its digest is the file's, so that nothing has to be compared.
    case same(StoredFacts)
    case refused(MirrorAnswer.Refusal, passes: Bool)
}

/// What is done with the answer to an attempt.
enum AttemptVerdict: Sendable, Equatable {
    /// No final head yet.
    case pending
    /// The body is wanted.
    case accepted
    /// The body is read and dropped, or kept as an error page; then the next step follows.
    case decided(NextStep)
}

/// What follows after an answer that is not the wanted body.
enum NextStep: Sendable, Equatable {
    case follow(UndecidedRedirect)
    case restart(reason: String)
    /// What this answer has brought is given up, and the rest is asked for again.
    case takeBack(reason: String)
    case retry(SessionError, afterMilliseconds: Int64?)
    case fail(SessionError)
    /// The body was complete without the rest of the response.
    case complete
    /// The next range follows.
    case nextRange
    /// The first block of another source is here, and is compared with the part's.
    case compared
    /// The same request follows, with credentials.
    case authenticate
    /// The same request follows, and its body is sent without asking.
    case sendUnasked
    /// The caller decides about the server's chain.
    case askForTrust(TrustReview.Question)
    /// The caller decides what a proxy is shown that has made no tunnel.
    case askForProxy(ProxyQuestion)
    /// The same request follows on a new connection: what came on this one was no answer to it.
    case useNewConnection
    /// Another request about the same upload follows; with a reason it begins anew.
    case uploadStep(restarts: String?)
}

/// A redirect that waits for the caller's decision.
struct UndecidedRedirect: Sendable, Equatable {
    /// The head that redirects.
    var head: ResponseHead
    /// What would be sent next.
    var request: TransferRequest
    /// What the transfer fails with unless the redirect is allowed; nil where it needs no consent.
    var refusal: SessionError?
}
