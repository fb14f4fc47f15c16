/// The state of the latest response.
struct AnswerState {
    private(set) var head: ResponseHead?
    /// The body of a response with an error status, for the outcome.
    private(set) var page: MemorySink?
    /// Whether the caller has turned the response into a download, which the responses to later attempts then continue.
    private(set) var becameDownload = false

    mutating func hear(_ head: ResponseHead) { (self.head, page) = (head, nil) }

    mutating func keep(_ page: MemorySink) { self.page = page }

    mutating func dropPage() { page = nil }

    mutating func becomeDownload() { becameDownload = true }
}

/// The state of a transfer's request that outlives an attempt: its redirects, what became of its body, and the
/// credentials it sends.
struct RequestState {
    private(set) var body = BodyHistory()
    /// The redirects the request has followed.
    private(set) var redirects = RedirectPolicy.Context()
    /// The URL that got the body before a redirect to a request without one; nil after a POST, whose form is answered so
    /// as a rule.
    private(set) var bodyLeftAt: String?
    private(set) var credentials = OriginCredentials()
    private var trustQuestions = 0
    /// The credentials shown to proxies, without the session's; nil for nearly all transfers, which have no proxy.
    private var proxies: ProxyHistory?
    /// Whether a 304 to the cache's conditions was of another version, so that they are no longer sent.
    private(set) var asksForAll = false
    /// The time left for the transfer; nil without a limit, and before the first attempt.
    private(set) var allowance: TimeAllowance?
    /// The index of the endpoint to connect to, where several stand in for the server.
    private(set) var endpointIndex: UInt8 = 0
    /// The digests of the body; nil for nearly all transfers, whose requests have none.
    private(set) var digests: BodyDigests?
    /// The collections that an upload's server lacks; nil for nearly all transfers.
    private var collections: CollectionHistory?

    /// The state of the request's body.
    struct BodyHistory {
        /// Whether the body was read and cannot be read again.
        fileprivate(set) var isSpent = false
        /// A body that can be read only once with its source, until its first byte is sent.
        fileprivate var unread: (body: BodySpecification, source: any BodySource)?
        /// The body the caller made after the first one was read.
        fileprivate(set) var replacement: SentBody?
        /// Whether the server answered 417 to `Expect: 100-continue`.
        fileprivate(set) var refusesExpectation = false
    }

    /// A class, because nearly all transfers have no proxy and would otherwise each carry the storage.
    private final class ProxyHistory {
        let memory: ProxyMemory

        init(_ memory: ProxyMemory) { self.memory = memory }
    }

    /// A class, because nearly all transfers have no collections and would otherwise each carry the storage.
    private final class CollectionHistory {
        var missing: MissingCollections
        /// Whether the current request makes one of them.
        var isAsked = false

        init(_ missing: MissingCollections) { self.missing = missing }
    }

    // MARK: - Collections

    /// Whether the current request makes a collection for an upload.
    var makesCollection: Bool { collections?.isAsked == true }

    /// Begins to make the collections above an upload's URL; returns false if there are none, or if that was done.
    mutating func beginCollections(above url: String) -> Bool {
        collections = collections ?? MissingCollections(above: url).map(CollectionHistory.init)
        return collections?.missing.begin() == true
    }

    /// Returns what follows the response to the request for a collection.
    func judgeCollection(_ head: ResponseHead, original: TransferRequest) -> UploadOutcome {
        collections?.missing.judge(head, original: original) ?? .answer
    }

    /// Returns the request that makes the next collection, which is then the current one; nil if none is missing.
    func nextCollection(for original: TransferRequest) -> TransferRequest? {
        guard let collections, let request = collections.missing.request(for: original) else { return nil }
        collections.isAsked = true
        return request
    }

    // MARK: - Redirects

    /// Follows a redirect.
    ///
    /// That a form's response is read elsewhere is usual and not worth a word; the body of an upload is its purpose.
    mutating func moveOn(from request: TransferRequest, to next: TransferRequest, isUpload: Bool = false) {
        redirects.follow(from: request)
        if request.body != .none, next.body == .none, isUpload || request.method != "POST" { bodyLeftAt = request.url }
        if (try? Origin(request.url)) != (try? Origin(next.url)) { redirects.hasLeftOrigin = true }
    }

    /// Starts over at the original URL, or at the URL of another source.
    mutating func startOver(at url: String, insteadOf original: String) {
        collections?.isAsked = false
        bodyLeftAt = nil
        redirects = RedirectPolicy.Context()
        if url != original { redirects.hasLeftOrigin = (try? Origin(url)) != (try? Origin(original)) }
    }

    /// Continues at another source's server, whose redirects are not this request's.
    mutating func turn(to target: RequestTarget) {
        redirects = RedirectPolicy.Context()
        redirects.hasLeftOrigin = target.hasLeftOrigin
    }

    /// Records the cookies that the request is sent with.
    mutating func send(cookies: String?) { redirects.cookies = cookies }

    /// Records whether cookies of responses are stored and sent back.
    mutating func keepsCookies(_ keepsCookies: Bool) { redirects.keepsCookies = keepsCookies }

    /// Drops the cache's conditions.
    mutating func askForAll() { asksForAll = true }

    // MARK: - Trust and credentials

    /// The most chains in a row that the caller is asked about: a server that shows another chain on every connection
    /// would be asked about forever.
    private static let trustQuestionLimit = 3

    /// Counts a question about a server's certificate; returns false if there were too many since its latest response.
    mutating func mayAskAboutTrust() -> Bool {
        guard trustQuestions < Self.trustQuestionLimit else { return false }
        trustQuestions += 1
        return true
    }

    /// Records a response of the server, which was trusted then.
    mutating func hasAnswered() { trustQuestions = 0 }

    /// Records the credentials that servers were given.
    mutating func remember(_ credentials: OriginCredentials) { self.credentials = credentials }

    /// Shows the caller's credentials to a server.
    mutating func give(
        _ given: HTTPCredentials, to origin: Origin, from source: OriginCredentials.Source? = nil
    ) { credentials.give(given, to: origin, from: source) }

    /// Returns the value of `Authorization` that answers an earlier challenge; nil for none.
    mutating func authorization(for request: TransferRequest) -> String? {
        credentials.isEmpty ? nil : credentials.field(for: request)
    }

    /// Returns the credentials that proxies were shown, with the session's.
    func proxyMemory(_ session: ProxyCredentials) -> ProxyMemory {
        guard var memory = proxies?.memory else { return ProxyMemory(credentials: session) }
        memory.credentials = session
        return memory
    }

    /// Records the credentials that proxies were shown; the session keeps its own.
    mutating func remember(_ memory: ProxyMemory) {
        var memory = memory
        memory.credentials = ProxyCredentials()
        proxies = ProxyHistory(memory)
    }

    /// Records that a proxy has passed the request on.
    mutating func passedProxy() {
        guard var memory = proxies?.memory, memory.borrowed > 0 else { return }
        memory.borrowed = 0
        proxies = ProxyHistory(memory)
    }

    // MARK: - Time

    /// Starts the time limit of the transfer; returns false if it runs already.
    mutating func limitTime(toMilliseconds limit: Int64, now: Int64) -> Bool {
        guard allowance == nil else { return false }
        allowance = TimeAllowance(milliseconds: limit, now: now)
        return true
    }

    /// Stops or starts the time limit; returns false if that changes nothing.
    mutating func keepTime(isStopped: Bool, now: Int64) -> Bool {
        guard let allowance, allowance.isStopped != isStopped else { return false }
        if isStopped { self.allowance?.stop(now: now) } else { self.allowance?.start(now: now) }
        return true
    }

    // MARK: - Body

    /// Drops `Expect: 100-continue`, which the server does not understand.
    mutating func refuseExpectation() { body.refusesExpectation = true }

    mutating func keepUnread(_ source: any BodySource, of body: BodySpecification) {
        self.body.unread = (body, source)
    }

    /// Returns the source of a body that can be read only once, made by an earlier attempt that has sent nothing of it.
    func unreadSource(of body: BodySpecification) -> (any BodySource)? {
        guard let unread = self.body.unread, unread.body == body else { return nil }
        return unread.source
    }

    /// Records at the end of an attempt that it has read `count` bytes of the body.
    mutating func bodyWasRead(_ count: Int64, isReplayable: Bool) {
        guard count > 0, !isReplayable else { return }
        body.isSpent = true
        body.unread = nil
    }

    /// Takes over the body the caller has made to replace the one that was read.
    mutating func replace(with body: SentBody) {
        self.body.isSpent = false
        self.body.unread = nil
        self.body.replacement = body
    }

    /// Whether another attempt can send the body from its start.
    ///
    /// - Parameter sent: the bytes of it that the current attempt has read.
    func isBodyAtStart(isReplayable: Bool, sent: Int64) -> Bool { isReplayable || !body.isSpent && sent == 0 }

    /// Returns the digests of a content; the ones of another content are forgotten.
    mutating func digests(of content: UploadContent) -> BodyDigests {
        if let digests, digests.content == content { return digests }
        let fresh = BodyDigests(content)
        digests = fresh
        return fresh
    }

    // MARK: - Endpoints

    /// The most endpoints tried for one server.
    private static let endpointLimit = 100

    /// Moves to the next endpoint after a failure to connect; returns false when none is left.
    ///
    /// Any other failure resets the next attempt to the first endpoint.
    mutating func takeNextEndpoint(of count: Int, isUnreached: Bool) -> Bool {
        guard isUnreached, Int(endpointIndex) + 1 < min(count, Self.endpointLimit) else {
            endpointIndex = 0
            return false
        }
        endpointIndex += 1
        return true
    }
}
