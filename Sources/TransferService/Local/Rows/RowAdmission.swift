import SessionCore

/// The values of a row that its task is made of; a copy of the row would cost more than the rest.
struct RowAdmission: Sendable {
    let id: UInt64
    var job: Job
    var queueKey: TransferRow.QueueKey
    /// The failure of a row without its secrets; nil for any other.
    var missingSecrets: TransferFailure?
    var revision: Int32
    /// Whether an earlier run of it has ended.
    var isRetry = false
}

/// The values of a row whose run has ended.
struct RowEnding: Sendable {
    let id: UInt64
    var kind: Job.Kind
    /// Whether a SHA-256 was requested.
    var findsChecksum: Bool
    /// What is expected of the response; nil for most rows.
    var terms: AnswerTerms?
    /// Whether it is a request to which a redirect is a response like others.
    var keepsRedirects: Bool
    var output: BodyOutput?
    var startedAt: Int64?
    /// The offset at which it began to receive; negative where that was not reported.
    var beganAt: Int64
    var wasResumed: Bool
    var discardsPart: Bool
    /// Whether the saved session does not learn of its cancellation.
    var keepsWish: Bool
    /// The row as it has ended; nil before that, for one that goes on, and without a history.
    var ended: EndedRow?
}
