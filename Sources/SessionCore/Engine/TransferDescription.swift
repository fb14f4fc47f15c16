/// Everything the engine needs to know about a transfer before it starts.
struct TransferDescription: Sendable {
    /// Where the response body goes.
    enum Sink: Sendable, Equatable {
        /// Collected in memory up to a limit in bytes, delivered with the outcome.
        case memory(limit: Int)
        /// Delivered as ``EngineEvent/data(_:_:)`` without a limit; the transfer waits while too much is unread.
        case stream
        /// A file beside its destination.
        case file(DownloadTarget)
        /// A file in the session's own folder, for tasks whose destination is asked for at the end.
        case staged
    }

    var id: TransferID
    var kind: TransferKind
    var request: TransferRequest
    var sink: Sink
    var resumeData: ResumeData?
    var control: TransferControl
    /// The questions that are asked in any case.
    var questions: Questions = []
    /// The source that knows which further questions would be answered, asked when they come up.
    var questionSource: (any QuestionSource)?
    /// The body of the request when another thread writes it; says whether all of it was written.
    var pipedBody: PipedBody?
    /// Where a download is written down before its file gets its name; nil outside a persistent session.
    var journal: (any FinishJournal)?
    /// How servers have to prove who they are, read when an attempt starts; nil for the system's trust.
    var trust: TrustSettings?
}

extension TransferDescription {
    /// Whether somebody would answer a question now.
    ///
    /// Inlined, because a call would copy the description for it.
    @inline(__always)
    func asks(_ question: Questions) -> Bool {
        questions.contains(question) || questionSource?.questions.contains(question) == true
    }

    private subscript(question: Questions) -> Bool {
        get { asks(question) }
        set { if newValue { questions.insert(question) } else { questions.remove(question) } }
    }

    /// Whether the loop waits for ``EngineCommand/disposition(_:_:)`` after the final head.
    var asksForDisposition: Bool {
        get { self[.disposition] }
        set { self[.disposition] = newValue }
    }
    /// Whether the loop waits for ``EngineCommand/redirect(_:_:)`` before following one.
    var asksForRedirect: Bool {
        get { self[.redirect] }
        set { self[.redirect] = newValue }
    }
    /// Whether the loop waits for the answer to ``EngineEvent/challenge(_:_:reply:)``.
    var asksForChallenge: Bool {
        get { self[.challenge] }
        set { self[.challenge] = newValue }
    }
    /// Whether the loop may ask for a body again with ``EngineEvent/needsBody(_:reply:)``.
    var asksForBody: Bool {
        get { self[.body] }
        set { self[.body] = newValue }
    }
}

/// What a transfer asks its caller instead of deciding it alone.
struct Questions: OptionSet, Sendable {
    let rawValue: UInt8

    /// What becomes of a response, after its final head.
    static let disposition = Questions(rawValue: 1)
    /// Whether a redirect is followed, and with what.
    static let redirect = Questions(rawValue: 2)
    /// What a server that asks for proof is shown, and whether its own is believed.
    static let challenge = Questions(rawValue: 4)
    /// A body that has to be sent again and cannot be read again.
    static let body = Questions(rawValue: 8)
    /// No question: chunks of a body that is collected are told too.
    static let chunks = Questions(rawValue: 16)
}

/// A source that knows which questions somebody would answer now.
///
/// Read by the loop when the question comes up, so that a closure that is set while a transfer runs is asked; never for
/// each chunk.
protocol QuestionSource: Sendable {
    /// Returns at once.
    var questions: Questions { get }
}

/// How a transfer ended.
///
/// Delivered exactly once per transfer, as its last event.
struct TransferOutcome: Sendable {
    // Behind references, because both are large, and hardly any transfer has one.
    private var failure: SharedValue<SessionError>?
    private var continuation: SharedValue<ResumeData>?

    /// Nil when it ended well.
    var error: SessionError? {
        get { failure?.value }
        set { failure = newValue.map { SharedValue($0) } }
    }
    /// The final response's head, when one arrived.
    var head: ResponseHead?
    /// The body of a data or upload task; on an HTTP error of a download up to 64 KiB of the error page.
    var body: [UInt8] = []
    /// Where the finished file is: final for a target, temporary for a staged download.
    var filePath: String?
    /// The digest that was verified, in lower-case hexadecimal, where one was asked for.
    var verifiedDigest: String?
    /// Whether nothing was transferred because the file was already there and the policy is to skip.
    var wasSkipped: Bool = false
    /// Whether nothing was transferred because a cache had the answer.
    var isFromCache: Bool = false
    /// Whether the length was proven: false for a body that ended with its connection.
    var lengthWasVerified: Bool = true
    /// Set when the download can be continued later.
    var resumeData: ResumeData? {
        get { continuation?.value }
        set { continuation = newValue.map { SharedValue($0) } }
    }
    var metrics = TransferMetrics()
    var status = TaskStatus()
}
