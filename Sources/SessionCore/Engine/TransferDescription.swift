/// The engine's input for a transfer, complete before it starts.
///
/// A class of constants because session, loop, transfer and writer all keep it.
package final class TransferDescription: Sendable {
    /// The destination of the response body.
    package enum Sink: Sendable, Equatable {
        /// Collected in memory up to a limit in bytes and delivered with the outcome.
        case memory(limit: Int)
        /// Delivered as ``EngineEvent/data(_:_:)`` without a limit; the transfer pauses while too much is unread.
        case stream
        /// A file next to its destination.
        case file(DownloadTarget)
        /// A file in the session's own folder, for a task that asks for its destination at the end.
        case staged
    }

    package let id: TransferID
    package let kind: TransferKind
    package let request: TransferRequest
    package let sink: Sink
    let resumeData: ResumeData?
    package let control: TransferControl
    /// The questions and resources that the caller's side has set up.
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

    /// Returns whether the caller would answer a question now.
    package func asks(_ question: Questions) -> Bool {
        arrangement.questions.contains(question) || arrangement.questionSource?.questions.contains(question) == true
    }
}

/// The session's settings for a task's transfer, made right before the engine gets it.
package struct TransferArrangement: Sendable {
    /// The questions that are always asked.
    var questions: Questions = []
    /// The source of further questions with a listener, read when a question comes up.
    var questionSource: (any QuestionSource)?
    /// The request body if another thread writes it; reports whether all of it was written.
    package var pipedBody: PipedBody?
    /// Records a download before its file gets its name; nil outside a persistent session.
    var journal: (any FinishJournal)?
    /// Records the part of a download that only its path leads to; nil outside a persistent session.
    var partJournal: (any PartJournal)?
    /// The connections for a body that is passed on; nil for one connection.
    var segmentation: Segmentation?
    /// Bytes of such a body kept in memory at most, including unread ones.
    var orderedWindow: Int64 = 32 << 20
    /// The queue entry that waited for this transfer; nil for none.
    var entry: TransferID?
    /// The cache's conditions, which only the request's own URL gets: a redirect's target is another resource
    /// (RFC 9110, 15.4).
    package var conditions = HeaderFields()
    /// The checks of servers' certificates, read when an attempt starts; nil for the system's trust.
    var trust: TrustSettings?
}

/// Records the parts that only their paths lead to, so that the next run of a killed program goes on with them.
protocol PartJournal: Sendable {
    /// Records the path of a download's part, and returns whether the disk has it.
    ///
    /// Blocks until then. Call it on a storage thread.
    func record(part: String, of id: TransferID) -> Bool
}

/// The decisions that a transfer leaves to its caller.
package struct Questions: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The disposition of a response, after its final head.
    package static let disposition = Questions(rawValue: 1)
    /// The request to follow a redirect with, or a refusal.
    package static let redirect = Questions(rawValue: 2)
    /// The credentials for a server that demands them, and the trust in its certificate.
    package static let challenge = Questions(rawValue: 4)
    /// A fresh body when a retry has to send one that cannot be read again.
    package static let body = Questions(rawValue: 8)
    /// Not a question: also reports the chunks of a collected body.
    package static let chunks = Questions(rawValue: 16)
}

/// A source of the questions that have a listener now.
///
/// The loop reads it when a question comes up, never per chunk, so that a closure set during a transfer takes effect.
protocol QuestionSource: Sendable {
    /// Must not block.
    var questions: Questions { get }
}

/// The end of a transfer.
///
/// Delivered exactly once per transfer, as its last event, next to the body, which the task's completion takes over. A
/// class of constants because task, record, completion and store all keep it.
package final class TransferOutcome: Sendable {
    /// The reason for a failure; nil for success.
    let error: SessionError?
    /// The final response's head; nil if none arrived.
    let head: ResponseHead?
    let result: BodyResult
    /// True if a cache had the response and nothing was transferred.
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

/// The fate of a response's body that was not collected in memory.
package struct BodyResult: Sendable {
    /// The finished file: final for a target, temporary for a staged download.
    package var filePath: String?
    /// The verified digest in lower-case hexadecimal; nil if none was requested or announced.
    var verifiedDigest: String?
    var verifiedAlgorithm: Checksum.Algorithm?
    /// True if nothing was transferred because the file already existed and the policy is to skip.
    package var wasSkipped = false
    /// True if the server confirmed that the existing file is current.
    var isUnchanged = false
    /// A sentence about the file's name or location; nil for none.
    var note: String?
    /// False for a body that ended with its connection, whose length is unproven.
    var lengthWasVerified = true
    /// True if a download ended without a file or even a part.
    var hasNoFile = false
    /// Set if the download can be resumed later.
    var resumeData: ResumeData?
    /// The partial file that was kept, even if only a checksum or a comparison of bytes would let a later run resume it.
    var keptPartPath: String?

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
