/// A consistent picture of one transfer at one moment.
///
/// All counts are bytes of body. They belong together: reading them from one value never mixes two moments.
public struct TaskStatus: Sendable, Equatable {
    /// Where the transfer stands.
    public var phase: Phase = .queued
    /// Body bytes received, a resumed part's bytes included.
    public var received: Int64 = 0
    /// Body bytes handed to the network by the current attempt.
    public var sent: Int64 = 0
    /// The whole length of the response body; nil while unknown.
    public var expectedToReceive: Int64?
    /// The whole length of the request body; nil while unknown.
    public var expectedToSend: Int64?
    /// The offset at which the current attempt began to receive: above zero after a resume.
    public var resumedAt: Int64 = 0
    /// Attempts in a row that ended without progress.
    public var failedAttempts: Int = 0
    /// Milliseconds of the monotonic clock at which the next attempt starts, while ``Phase/retrying``.
    public var retryAt: Int64?
    /// Whether a pause may give up the connection without losing bytes.
    public var isResumable: Bool = false
    /// The status code of the latest final response head.
    public var statusCode: Int?

    /// A transfer that has not begun.
    public init() {}
}
