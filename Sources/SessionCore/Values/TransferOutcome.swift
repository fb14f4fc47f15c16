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
