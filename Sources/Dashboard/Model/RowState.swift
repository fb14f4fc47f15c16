/// What a row's transfer is doing, in the words of the table.
package enum RowState: String, Sendable, CaseIterable {
    case running, retrying, queued, paused, verifying, failed, done, cancelled

    /// Where the default order puts it.
    package var rank: UInt8 {
        switch self {
        case .running: 0
        case .retrying, .verifying: 1
        case .queued: 2
        case .paused: 3
        case .failed: 4
        case .done: 5
        case .cancelled: 6
        }
    }

    /// Whether quitting or cancelling would interrupt it.
    var isLive: Bool {
        switch self {
        case .running, .retrying, .queued, .verifying: true
        case .paused, .failed, .done, .cancelled: false
        }
    }

    /// Whether it has ended.
    package var isFinal: Bool {
        switch self {
        case .failed, .done, .cancelled: true
        case .running, .retrying, .queued, .verifying, .paused: false
        }
    }
}
