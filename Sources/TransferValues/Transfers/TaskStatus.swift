/// A consistent picture of one transfer at one moment.
///
/// All counts are bytes of body. They belong together: reading them from one value never mixes two moments.
///
/// ```swift
/// for await status in task.statuses { print(status.phase, status.received, status.expectedToReceive ?? -1) }
/// ```
public struct TaskStatus: Sendable, Equatable {
    /// Where the transfer stands.
    public var phase: Phase = .queued
    /// The body bytes that were moved, and how many there are.
    package var counts = BodyCounts()
    /// Body bytes that were handed to the network beyond ``sent`` and have not arrived yet: they arrive during a pause too.
    package var inFlight: Int64 = 0
    /// The offset at which the current attempt began to receive: above zero after a resume.
    package var resumedAt: Int64 = 0
    /// Milliseconds of the monotonic clock since when the server has had the whole request and has not answered; nil at all
    /// other times.
    package var answerAwaitedSince: Int64?
    /// Attempts in a row that ended without progress.
    public var failedAttempts: Int = 0
    /// Milliseconds of the monotonic clock at which the next attempt starts, while ``Phase/retrying``.
    public var retryAt: Int64?
    /// The kind of the failure that the next attempt follows, while ``Phase/retrying``.
    package var retryCause: SessionError.Code?
    /// What is wrong with the host that the transfer waits for, while ``Phase/retrying``; nil where it waits for its own
    /// time.
    package var backoffReason: HostBackoff.Reason?
    /// Whether the transfer could go on from where it is with another connection.
    ///
    /// A pause gives the connection up only when this is ``Resumability/yes``.
    package var resumability: Resumability = .no
    /// Connections that receive its body now: more than one only for a download that ``Segmentation`` allows them.
    package var connections: Int = 0
    /// The status code of the latest final response head.
    public var statusCode: Int?

    /// A transfer that has not begun.
    package init() {}
}

extension TaskStatus {
    /// Body bytes received, a resumed part's bytes included.
    public var received: Int64 {
        get { counts.received }
        set { counts.received = newValue }
    }
    /// Body bytes handed to the network by the current attempt.
    public var sent: Int64 {
        get { counts.sent }
        set { counts.sent = newValue }
    }
    /// The whole length of the response body; nil while unknown.
    public var expectedToReceive: Int64? {
        get { counts.expectedToReceive }
        set { counts.expectedToReceive = newValue }
    }
    /// The whole length of the request body; nil while unknown.
    public var expectedToSend: Int64? {
        get { counts.expectedToSend }
        set { counts.expectedToSend = newValue }
    }
}

/// Body bytes of one transfer, as its status counts them and a session's store keeps them.
package struct BodyCounts: Sendable, Equatable {
    /// Bytes received, a resumed part's bytes included.
    package var received: Int64
    /// Bytes handed to the network by the current attempt.
    package var sent: Int64
    /// The length of the response body; nil while unknown.
    package var expectedToReceive: Int64?
    /// The length of the request body; nil while unknown.
    package var expectedToSend: Int64?

    /// Counts from their parts.
    package init(
        received: Int64 = 0, sent: Int64 = 0, expectedToReceive: Int64? = nil, expectedToSend: Int64? = nil
    ) {
        (self.received, self.sent) = (received, sent)
        (self.expectedToReceive, self.expectedToSend) = (expectedToReceive, expectedToSend)
    }
}

/// Whether a transfer could go on from where it is with another connection.
package enum Resumability: UInt8, Sendable, CaseIterable, Codable {
    /// It would start again: nothing proves that a later answer is of the same bytes, or the server sends no parts.
    case no
    /// Nobody knows: the server names a version of the file, but has neither said that it sends parts nor sent one.
    ///
    /// A pause holds the connection, because that is what is sure. An attempt that breaks asks for the rest all the
    /// same.
    case unknown
    /// It would go on: the server names a version of the file, and says that it sends parts or has sent one.
    case yes
}

/// The phase of a transfer, as a person would say it.
///
/// The public task state keeps the original's four values; a phase says more, for rows and logs.
///
/// ```swift
/// if task.status.phase == .retrying { print("attempt \(task.status.failedAttempts + 1) is next") }
/// ```
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
