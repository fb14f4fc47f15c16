import CLinux
import SessionSupport

/// Lets callers that want the same folder synced at the same time share one sync (group commit, without timers).
///
/// The first caller syncs. Callers that arrive during the sync may have renamed after the kernel began, so that sync
/// does not count for them: they wait for the next one, which one of them performs for all.
final class FolderSync: Sendable {
    private struct State {
        var started = 0
        var finished = 0
        var requests = 0
        var failures: [Int: SessionError] = [:]
        var isRunning: Bool { started != finished }
    }

    private enum Step {
        case lead(round: Int)
        case done(SessionError?)
    }

    private let monitor = Monitor(State())

    /// Calls of `join` so far.
    var requestCount: Int { monitor.change { $0.requests } }

    /// Returns when a sync that began after the call has ended; throws that sync's error.
    ///
    /// - Parameter asksAgain: retries once if another caller's sync failed: the error belongs to that caller unless it
    ///   persists. Only for file systems on which a success after an error is a proof.
    func join(asksAgain: Bool = false, _ sync: () -> SessionError?) throws(SessionError) {
        var ticket: Int?
        var mayAskAgain = asksAgain
        while true {
            let step = monitor.wait { state -> Step? in
                if ticket == nil { state.requests += 1 }
                let mine = ticket ?? state.started + 1
                ticket = mine
                if state.finished >= mine { return .done(state.failures[mine]) }
                if state.isRunning { return nil }
                state.started += 1
                return .lead(round: state.started)
            }
            switch step {
            case .done(let failure):
                guard let failure else { return }
                guard mayAskAgain else { throw failure }
                (ticket, mayAskAgain) = (nil, false)
            case .lead(let round):
                let failure = sync()
                monitor.change { state in
                    state.finished = round
                    state.failures[round] = failure
                }
                mayAskAgain = false
            }
        }
    }
}

/// The benefit of syncing a file system once for many files.
enum GroupSync: Sendable {
    /// Syncing is free, because the file system is in memory.
    case free
    /// One sync replaces many, and a failure is reported. Changes in a folder go through a log, and a log that could
    /// not be written makes every later sync fail.
    case worthwhile
    /// The file system is not known to be safe for this: over the network, in user space, or of an old kernel.
    case unknown

    private static let reportsErrors = cl_syncfs_reports_errors()

    /// Determines the file system of an open file or folder.
    init(descriptor: Int32) {
        switch cl_file_system_of(descriptor) {
        case CL_FILE_SYSTEM_MEMORY: self = .free
        case CL_FILE_SYSTEM_LOCAL where Self.reportsErrors: self = .worthwhile
        default: self = .unknown
        }
    }
}

/// Decides whether the next group may sync the file system, from the duration of the last sync.
///
/// A value without a clock. Such a sync also waits for the data of other programs; with much of it, syncing single
/// files may be faster. The gate then stays shut for as long as the slow group took, so that at most half of the time
/// is spent waiting for others, and a single slow sync does not end the grouping.
struct SyncGate: Sendable {
    /// Milliseconds beyond which a group has waited for other programs' data.
    static let patience: Int64 = 250

    private var shutUntil: [UInt64: Int64] = [:]

    /// Returns whether a group of a device may use one sync; times are milliseconds of the monotonic clock.
    func isOpen(for device: UInt64, at now: Int64) -> Bool { (shutUntil[device] ?? now) <= now }

    mutating func record(device: UInt64, began: Int64, ended: Int64) {
        let duration = ended - began
        shutUntil[device] = duration > Self.patience ? ended + duration : nil
    }
}
