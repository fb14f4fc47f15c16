/// What is told of a transfer.
struct TransferFigures {
    var status = TaskStatus()
    var metrics = TransferMetrics()
}

/// What a server has answered last.
struct AnswerState {
    /// The latest final head.
    var head: ResponseHead?
    /// The page of an error status, for the outcome.
    var page: MemorySink?
    /// Whether the caller has made a download of the response; the answers to later attempts go on with it.
    var becameDownload = false
}

/// How a transfer's request is made, beside what it says: where it was led, what has become of its body, and which
/// credentials it shows.
struct RequestState {
    private(set) var body = BodyHistory()
    var redirects = Redirects()
    /// Which credentials may go to which server.
    var credentials = OriginCredentials()
    var trust = Trust()
    /// What was said to proxies; made when it is first needed, because most transfers have none.
    lazy var proxies = ProxyHistory()
    /// The time that the whole transfer may still take; nil where it may take any, and before its first attempt.
    var allowance: TimeAllowance?
    /// Which of several places that stand for the server's is connected to.
    private(set) var endpointIndex: UInt8 = 0

    /// What has become of the request's body.
    struct BodyHistory {
        /// Whether it was read and cannot be read again.
        fileprivate(set) var isSpent = false
        /// The source of a body that can be read once, while nothing of it was read.
        fileprivate(set) var unread: (any BodySource)?
        /// The body the caller made when the first one was spent.
        fileprivate(set) var replacement: BodySpecification?
        /// Whether the server answered 417 to the question whether it wants the body.
        fileprivate(set) var refusesExpectation = false
    }

    /// Where the request has been led.
    struct Redirects {
        var context = RedirectPolicy.Context()
        /// The redirect that the caller decides about.
        var undecided: UndecidedRedirect?
    }

    /// What the caller was asked about the server.
    struct Trust {
        /// What the caller decides about before anything is sent to the server.
        var undecided: TrustReview.Question?
        /// How often the caller was asked since the server answered last: one that shows another chain at every
        /// connection would go on for ever.
        var questionCount = 0
    }

    /// What was said to proxies.
    ///
    /// A class because nearly all transfers have none, and a place for it would be in each of them. Confined to the loop.
    final class ProxyHistory {
        /// What the caller decides about before a tunnel is tried again.
        var undecided: ProxyQuestion?
        /// What was said so far, without what the session shows.
        var said = ProxyMemory(credentials: ProxyCredentials())
    }

    // MARK: - Where it is led

    /// A redirect is followed.
    mutating func moveOn(from request: TransferRequest, to next: TransferRequest) {
        redirects.context.follow(from: request)
        if (try? Origin(request.url)) != (try? Origin(next.url)) { redirects.context.hasLeftOrigin = true }
    }

    /// The original URL, or another source's, is asked again.
    mutating func startOver(at url: String, insteadOf original: String) {
        redirects.context = RedirectPolicy.Context()
        if url != original { redirects.context.hasLeftOrigin = (try? Origin(url)) != (try? Origin(original)) }
    }

    // MARK: - Its body

    /// The server does not understand the question whether it wants the body.
    mutating func refuseExpectation() { body.refusesExpectation = true }

    /// A body that can be read once will be read from a source.
    mutating func keepUnread(_ source: any BodySource) { body.unread = source }

    /// An attempt is over that has read so much of the body.
    mutating func bodyWasRead(_ count: Int64, isReplayable: Bool) {
        guard count > 0, !isReplayable else { return }
        body.isSpent = true
        body.unread = nil
    }

    /// The caller has made another body.
    mutating func replace(with body: BodySpecification) {
        self.body.isSpent = false
        self.body.unread = nil
        self.body.replacement = body
    }

    /// Whether the body is the same for another attempt as it was for the first.
    ///
    /// - Parameter sent: what the attempt under way has read of it.
    func isBodyAtStart(isReplayable: Bool, sent: Int64) -> Bool { isReplayable || !body.isSpent && sent == 0 }

    // MARK: - Places

    /// The most places that one server has.
    private static let placeLimit = 100

    /// No connection to a place was made that stands for the server's; false where none is left to try, and where the attempt
    /// failed otherwise: the next one begins with the first place.
    mutating func takeNextEndpoint(of count: Int, isUnreached: Bool) -> Bool {
        guard isUnreached, Int(endpointIndex) + 1 < min(count, Self.placeLimit) else {
            endpointIndex = 0
            return false
        }
        endpointIndex += 1
        return true
    }
}
