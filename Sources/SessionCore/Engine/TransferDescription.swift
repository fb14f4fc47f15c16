/// Everything the engine needs to know about a transfer before it starts.
///
/// It is a class of constants because session, loop, transfer and writer all keep it.
package final class TransferDescription: Sendable {
    /// Where the response body goes.
    package enum Sink: Sendable, Equatable {
        /// Collected in memory up to a limit in bytes, delivered with the outcome.
        case memory(limit: Int)
        /// Delivered as ``EngineEvent/data(_:_:)`` without a limit; the transfer waits while too much is unread.
        case stream
        /// A file beside its destination.
        case file(DownloadTarget)
        /// A file in the session's own folder, for tasks whose destination is asked for at the end.
        case staged
    }

    package let id: TransferID
    package let kind: TransferKind
    package let request: TransferRequest
    package let sink: Sink
    let resumeData: ResumeData?
    package let control: TransferControl
    /// What the caller is asked, and what else the caller's side has arranged.
    package let arrangement: TransferArrangement

    init(
        id: TransferID, kind: TransferKind, request: TransferRequest, sink: Sink, resumeData: ResumeData? = nil,
        control: TransferControl, arrangement: TransferArrangement = TransferArrangement()
    ) {
        self.id = id
        self.kind = kind
        self.request = request
        self.sink = sink
        self.resumeData = resumeData
        self.control = control
        self.arrangement = arrangement
    }

    /// Whether somebody would answer a question now.
    package func asks(_ question: Questions) -> Bool {
        arrangement.questions.contains(question) || arrangement.questionSource?.questions.contains(question) == true
    }
}

/// What the one who follows a task arranges for its transfer, right before the engine gets it.
package struct TransferArrangement: Sendable {
    /// The questions that are asked in any case.
    var questions: Questions = []
    /// The source that knows which further questions would be answered, asked when they come up.
    var questionSource: (any QuestionSource)?
    /// The body of the request when another thread writes it; says whether all of it was written.
    package var pipedBody: PipedBody?
    /// Where a download is written down before its file gets its name; nil outside a persistent session.
    var journal: (any FinishJournal)?
    /// How many connections bring a body that is passed on; nil for one.
    var segmentation: Segmentation?
    /// Bytes of such a body that are in memory at most, unread ones among them.
    var orderedWindow: Int64 = 32 << 20
    /// The entry that has waited in its stead; nil for none.
    var entry: TransferID?
    /// How servers have to prove who they are, read when an attempt starts; nil for the system's trust.
    var trust: TrustSettings?
}

/// What a transfer asks its caller instead of deciding it alone.
package struct Questions: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// What becomes of a response, after its final head.
    package static let disposition = Questions(rawValue: 1)
    /// Whether a redirect is followed, and with what.
    package static let redirect = Questions(rawValue: 2)
    /// What a server that asks for proof is shown, and whether its own is believed.
    package static let challenge = Questions(rawValue: 4)
    /// A body that has to be sent again and cannot be read again.
    package static let body = Questions(rawValue: 8)
    /// No question: chunks of a body that is collected are told too.
    package static let chunks = Questions(rawValue: 16)
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
/// Delivered exactly once per transfer, as its last event, with the body beside it, which whoever completes the task takes
/// over. It is a class of constants because task, record, completion and store all keep it.
package final class TransferOutcome: Sendable {
    /// Nil when it ended well.
    let error: SessionError?
    /// The final response's head, when one arrived.
    let head: ResponseHead?
    /// What became of the response's body.
    let result: BodyResult
    /// Whether nothing was transferred because a cache had the answer.
    let isFromCache: Bool
    let metrics: TransferMetrics
    let status: TaskStatus

    package init(
        error: SessionError? = nil, head: ResponseHead? = nil, result: BodyResult = BodyResult(),
        isFromCache: Bool = false, metrics: TransferMetrics = TransferMetrics(), status: TaskStatus = TaskStatus()
    ) {
        self.error = error
        self.head = head
        self.result = result
        self.isFromCache = isFromCache
        self.metrics = metrics
        self.status = status
    }
}

/// What became of a response's body, besides one that was collected in memory.
package struct BodyResult: Sendable {
    /// Where the finished file is: final for a target, temporary for a staged download.
    package var filePath: String?
    /// The digest that was verified, in lower-case hexadecimal, where one was asked for or announced.
    var verifiedDigest: String?
    /// Which digest that was.
    var verifiedAlgorithm: Checksum.Algorithm?
    /// Whether nothing was transferred because the file was already there and the policy is to skip.
    package var wasSkipped = false
    /// Whether the server has said that the file that was already there is still the newest.
    var isUnchanged = false
    /// What is to be said about the file's name or place, as a sentence; nil for nothing.
    var note: String?
    /// Whether the length was proven: false for a body that ended with its connection.
    var lengthWasVerified = true
    /// Whether a download has ended and left no file, not even a part.
    var hasNoFile = false
    /// Set when the download can be continued later.
    var resumeData: ResumeData?

    package init(
        filePath: String? = nil, verifiedDigest: String? = nil, verifiedAlgorithm: Checksum.Algorithm? = nil,
        wasSkipped: Bool = false, isUnchanged: Bool = false, note: String? = nil, lengthWasVerified: Bool = true,
        hasNoFile: Bool = false, resumeData: ResumeData? = nil
    ) {
        (self.filePath, self.verifiedDigest, self.verifiedAlgorithm) = (filePath, verifiedDigest, verifiedAlgorithm)
        (self.wasSkipped, self.isUnchanged, self.note) = (wasSkipped, isUnchanged, note)
        (self.lengthWasVerified, self.hasNoFile, self.resumeData) = (lengthWasVerified, hasNoFile, resumeData)
    }
}
