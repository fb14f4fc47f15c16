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
    /// Body bytes that were handed to the network beyond ``sent`` and have not arrived yet: they arrive during a pause too.
    public var underWay: Int64 = 0
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

/// Where a transfer stands, as a person would say it.
///
/// The public task state keeps the original's four values; a phase says more, for rows and logs.
public enum Phase: String, Sendable, CaseIterable {
    /// Not started, or resumed and waiting for a slot.
    case queued
    /// An attempt is under way but no response head has arrived and no body was sent.
    case connecting
    /// Bytes move, or could.
    case running
    /// The last attempt failed; another follows after a delay.
    case retrying
    /// Suspended by the user.
    case paused
    /// All bytes are there; length and checksum are being proven and the file is being made durable.
    case verifying
    /// Ended well. Final.
    case completed
    /// Ended badly. Final.
    case failed
    /// Cancelled. Final.
    case cancelled

    /// Whether nothing will change any more.
    public var isFinal: Bool {
        switch self {
        case .completed, .failed, .cancelled: true
        case .queued, .connecting, .running, .retrying, .paused, .verifying: false
        }
    }
}
