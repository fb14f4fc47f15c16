/// A consistent snapshot of one transfer.
///
/// All counts are bytes of body. They belong together: reading them from one value never mixes two moments.
///
/// ```swift
/// for await status in task.statuses { print(status.phase, status.received, status.expectedToReceive ?? -1) }
/// ```
public struct TaskStatus: Sendable, Equatable {
    /// The phase of the transfer.
    public var phase: Phase = .queued
    /// The transferred body bytes, and the expected ones.
    package var counts = BodyCounts()
    /// Body bytes that were passed to the network beyond ``sent`` and have not arrived yet: they arrive during a pause
    /// too.
    package var inFlight: Int64 = 0
    /// The offset at which the current attempt began to receive: above zero after a resume.
    package var resumedAt: Int64 = 0
    /// Milliseconds of the monotonic clock since when the server has owed a response to the complete request; nil at
    /// all other times.
    package var answerAwaitedSince: Int64?
    /// Attempts in a row that ended without progress.
    public var failedAttempts: Int = 0
    /// Milliseconds of the monotonic clock at which the next attempt starts, while ``Phase/retrying``.
    public var retryAt: Int64?
    /// The kind of the failure before the next attempt, while ``Phase/retrying``.
    package var retryCause: SessionError.Code?
    /// The problem of the host in backoff that the transfer waits for, while ``Phase/retrying``; nil for its own delay.
    package var backoffReason: HostBackoff.Reason?
    /// Whether the transfer could resume on another connection.
    ///
    /// A pause closes the connection only when this is ``Resumability/yes``.
    package var resumability: Resumability = .no
    /// Connections that receive its body now: more than one only for a download with ``Segmentation``.
    package var connections: Int = 0
    /// The status code of the latest final response.
    public var statusCode: Int?

    /// A transfer that has not begun.
    package init() {}
}

extension TaskStatus {
    /// Body bytes received, including a resumed partial file.
    public var received: Int64 {
        get { counts.received }
        set { counts.received = newValue }
    }
    /// Body bytes passed to the network by the current attempt.
    public var sent: Int64 {
        get { counts.sent }
        set { counts.sent = newValue }
    }
    /// The length of the response body; nil while unknown.
    public var expectedToReceive: Int64? {
        get { counts.expectedToReceive }
        set { counts.expectedToReceive = newValue }
    }
    /// The length of the request body; nil while unknown.
    public var expectedToSend: Int64? {
        get { counts.expectedToSend }
        set { counts.expectedToSend = newValue }
    }
}

/// Body bytes of one transfer, as its status counts them and a session's store keeps them.
package struct BodyCounts: Sendable, Equatable {
    /// Bytes received, including a resumed partial file.
    package var received: Int64
    /// Bytes passed to the network by the current attempt.
    package var sent: Int64
    /// The length of the response body; nil while unknown.
    package var expectedToReceive: Int64?
    /// The length of the request body; nil while unknown.
    package var expectedToSend: Int64?

    package init(
        received: Int64 = 0, sent: Int64 = 0, expectedToReceive: Int64? = nil, expectedToSend: Int64? = nil
    ) {
        (self.received, self.sent) = (received, sent)
        (self.expectedToReceive, self.expectedToSend) = (expectedToReceive, expectedToSend)
    }
}

/// Whether a transfer could resume on another connection.
package enum Resumability: UInt8, Sendable, CaseIterable, Codable {
    /// It would start again: no validator proves that a later response has the same bytes, or the server does not
    /// support ranges.
    case no
    /// Unknown: the server gives a validator, but has neither announced nor sent a range.
    ///
    /// A pause keeps the connection, because only that is safe. A failed attempt requests the rest nevertheless.
    case unknown
    /// It would resume: the server gives a validator, and has announced or sent a range.
    case yes
}

/// The phase of a transfer, as a user would name it.
///
/// The public task state keeps the four values of `NSURLSessionTaskState`; a phase says more, for rows and logs.
///
/// ```swift
/// if task.status.phase == .retrying { print("attempt \(task.status.failedAttempts + 1) is next") }
/// ```
public enum Phase: String, Sendable, CaseIterable {
    /// Not started, or resumed and waiting for a slot.
    case queued
    /// An attempt has begun, but no response has arrived and no body byte was sent.
    case connecting
    /// Bytes move, or could.
    case running
    /// The last attempt failed; another follows after a delay.
    case retrying
    /// Suspended by the user.
    case paused
    /// All bytes have arrived; length and checksum are being verified and the file is being synced to the disk.
    case verifying
    /// Succeeded. Final.
    case completed
    /// Failed. Final.
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
