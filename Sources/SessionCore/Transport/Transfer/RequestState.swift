/// A transfer's status and metrics, as published to its task.
struct TransferFigures {
    var status = TaskStatus()
    var metrics = TransferMetrics()
}

/// The state of the latest response.
struct AnswerState {
    var head: ResponseHead?
    /// The body of a response with an error status, for the outcome.
    var page: MemorySink?
    /// Whether the caller has turned the response into a download, which the responses to later attempts then continue.
    var becameDownload = false
}

/// The state of a transfer's request that outlives an attempt: its redirects, what became of its body, and the
/// credentials it sends.
struct RequestState {
    private(set) var body = BodyHistory()
    var redirects = Redirects()
    var credentials = OriginCredentials()
    var trust = Trust()
    /// Created on first use, because most transfers have no proxy.
    lazy var proxies = ProxyHistory()
    /// The time left for the transfer; nil without a limit, and before the first attempt.
    var allowance: TimeAllowance?
    /// The index of the endpoint to connect to, where several stand in for the server.
    private(set) var endpointIndex: UInt8 = 0

    /// The state of the request's body.
    struct BodyHistory {
        /// Whether the body was read and cannot be read again.
        fileprivate(set) var isSpent = false
        /// The source of a body that can be read only once, until its first byte is read.
        fileprivate(set) var unread: (any BodySource)?
        /// The body the caller made after the first one was read.
        fileprivate(set) var replacement: BodySpecification?
        /// Whether the server answered 417 to `Expect: 100-continue`.
        fileprivate(set) var refusesExpectation = false
    }

    /// The redirects the request has followed.
    struct Redirects {
        var context = RedirectPolicy.Context()
        /// The redirect the caller is asked about.
        var undecided: UndecidedRedirect?
    }

    /// The questions to the caller about the server's certificates.
    struct Trust {
        /// The question that has to be answered before anything is sent to the server.
        var undecided: TrustReview.Question?
        /// How often the caller was asked since the server's latest response.
        ///
        /// The count is bounded: a server that shows another chain on every connection would be asked about forever.
        var questionCount = 0
    }

    /// The credentials shown to proxies.
    ///
    /// A class, because nearly all transfers have no proxy and would otherwise each carry the storage. Confined to the
    /// loop.
    final class ProxyHistory {
        /// The question that has to be answered before the tunnel is tried again.
        var undecided: ProxyQuestion?
        /// What this transfer has shown, without the session's credentials.
        var said = ProxyMemory(credentials: ProxyCredentials())
    }

    // MARK: - Redirects

    /// Follows a redirect.
    mutating func moveOn(from request: TransferRequest, to next: TransferRequest) {
        redirects.context.follow(from: request)
        if (try? Origin(request.url)) != (try? Origin(next.url)) { redirects.context.hasLeftOrigin = true }
    }

    /// Starts over at the original URL, or at the URL of another source.
    mutating func startOver(at url: String, insteadOf original: String) {
        redirects.context = RedirectPolicy.Context()
        if url != original { redirects.context.hasLeftOrigin = (try? Origin(url)) != (try? Origin(original)) }
    }

    // MARK: - Body

    /// Drops `Expect: 100-continue`, which the server does not understand.
    mutating func refuseExpectation() { body.refusesExpectation = true }

    mutating func keepUnread(_ source: any BodySource) { body.unread = source }

    /// Records at the end of an attempt that it has read `count` bytes of the body.
    mutating func bodyWasRead(_ count: Int64, isReplayable: Bool) {
        guard count > 0, !isReplayable else { return }
        body.isSpent = true
        body.unread = nil
    }

    /// Takes over the body the caller has made to replace the one that was read.
    mutating func replace(with body: BodySpecification) {
        self.body.isSpent = false
        self.body.unread = nil
        self.body.replacement = body
    }

    /// Whether another attempt can send the body from its start.
    ///
    /// - Parameter sent: the bytes of it that the current attempt has read.
    func isBodyAtStart(isReplayable: Bool, sent: Int64) -> Bool { isReplayable || !body.isSpent && sent == 0 }

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
