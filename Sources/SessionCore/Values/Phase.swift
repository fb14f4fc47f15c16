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
