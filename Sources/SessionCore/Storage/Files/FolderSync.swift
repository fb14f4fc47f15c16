import CLinux
import SessionSupport

/// Lets callers that want the same folder synced at the same time share one sync (group commit, without timers).
///
/// The first caller syncs. Callers that arrive meanwhile may have renamed after the kernel had begun, so that sync does
/// not count for them: they wait for the next, which one of them performs for all.
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

    /// How many callers have asked for a sync so far.
    var requestCount: Int { monitor.change { $0.requests } }

    /// Returns when a sync that began after the call has ended; throws what that sync failed with.
    ///
    /// - Parameter asksAgain: whether a caller whose sync was another's, and failed, waits for one more: an error is the
    ///   caller's that met it, unless it lasts. Only for file systems on which a success after an error proves something.
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

/// What is gained by syncing a whole file system for many files at once.
enum GroupSync: Sendable {
    /// Syncing costs nothing, because the file system is in memory.
    case free
    /// One sync takes the place of many, and a failure is reported. What changes in a folder goes through a log, and a
    /// log that could not be written refuses every later sync.
    case worthwhile
    /// A file system of which nothing is known that would make it safe: over the network, in user space, or of an old
    /// kernel.
    case unknown

    private static let reportsErrors = cl_syncfs_reports_errors()

    /// Looks at the file system of something open.
    init(descriptor: Int32) {
        switch cl_file_system_of(descriptor) {
        case CL_FILE_SYSTEM_MEMORY: self = .free
        case CL_FILE_SYSTEM_LOCAL where Self.reportsErrors: self = .worthwhile
        default: self = .unknown
        }
    }
}

/// Decides whether the next group may sync a whole file system, from how long the last one took.
///
/// A value without a clock. Such a sync waits for everything that other programs have written as well; where that is
/// much, file by file may be faster. The gate then stays shut for as long as the slow group took, so that at worst half
/// of the time goes into waiting for others, and a single slow sync does not end the grouping.
struct SyncGate: Sendable {
    /// A group that takes longer, in milliseconds, waited for others.
    static let patience: Int64 = 250

    private var shutUntil: [UInt64: Int64] = [:]

    /// Whether a group of a device may be synced as a whole; times are milliseconds of the monotonic clock.
    func isOpen(for device: UInt64, at now: Int64) -> Bool { (shutUntil[device] ?? now) <= now }

    /// Records how long finishing a group took.
    mutating func record(device: UInt64, began: Int64, ended: Int64) {
        let duration = ended - began
        shutUntil[device] = duration > Self.patience ? ended + duration : nil
    }
}
