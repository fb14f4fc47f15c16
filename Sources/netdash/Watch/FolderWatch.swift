import Dashboard
import Foundation
import SessionSupport
import TransferService

/// Watches a folder for dropped files and adds their tasks, on a thread of its own.
///
/// A file is moved only when its tasks are saved: after a crash in between it is read once more, and the service knows
/// its tasks by the numbers that they were saved with. Safe from any thread.
final class FolderWatch: Sendable {
    /// The receiver of the tasks.
    struct Service: Sendable {
        /// Adds jobs, of which the first has this number, unless they were added under it before; returns how many are
        /// no repetitions of other downloads.
        var add: @Sendable ([Job], UInt64) -> Int
        /// Waits until what was added is saved; returns why it is not.
        var unsaved: @Sendable () -> SafeText?
        /// Takes a sentence for the user, and whether it is a problem.
        var tell: @Sendable (SafeText, _ isProblem: Bool) -> Void
    }

    private let bell: Mailbox<Void>
    private let hasEnded = Monitor(false)

    /// - Parameter lockFolder: where a lock says that this process watches the folder; nil for none.
    init(
        _ path: String, terms: DroppedFile.Terms, lockFolder: String?, service: Service
    ) throws(SystemCallError) {
        bell = try Mailbox<Void>()
        let absolute = SavedJob.absolute(path)
        do {
            try SystemThread.detach(name: "watch") { [bell, hasEnded] in
                var loop = FolderWatchLoop(path: absolute, terms: terms, lockFolder: lockFolder, service: service)
                loop.run(until: bell)
                hasEnded.change { $0 = true }
            }
        } catch {
            throw SystemCallError(call: error.call, errno: error.number)
        }
    }

    /// The watch of a setting for the transfers of this process; a saved session's tasks are awaited on the disk.
    ///
    /// `tell` takes sentences, and whether they are problems.
    convenience init(
        _ setting: WatchSetting, for service: LocalService, directory: String?, isSaved: Bool,
        tell: @escaping @Sendable (SafeText, Bool) -> Void
    ) throws(SystemCallError) {
        let environment = ProcessInfo.processInfo.environment
        let terms = DroppedFile.Terms(
            defaults: setting.defaults, rules: setting.rules, folder: SavedJob.absolute(directory ?? "."),
            environment: environment)
        try self.init(
            setting.path, terms: terms, lockFolder: isSaved ? UserFolder.sessions(environment: environment) : nil,
            service: Service(
                add: { service.send(.add($0), from: 0, once: $1).added.count }, unsaved: { service.unsaved() },
                tell: tell))
    }

    /// Ends the watch: no task is added after this, unless the disk needs longer than `patience` milliseconds.
    func stop(patience: Int64 = 2_000) {
        bell.post(())
        _ = hasEnded.wait(timeoutMilliseconds: patience) { $0 }
    }
}
