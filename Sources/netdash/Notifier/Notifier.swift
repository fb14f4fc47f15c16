import CLinux
import Dashboard
import Foundation
import SessionSupport
import TransferService

/// Announces the ends of transfers to an absent user: by the bell, by a notification of the terminal, and by hook
/// commands.
///
/// Observers of transfers pass their events to it. It never waits. Safe from any thread.
final class Notifier: Sendable {
    private struct State: Sendable {
        var plan: AnnouncementPlan
        /// Whether a task has ended since the last report that all have.
        var hasNews = false
        /// Whether a timer for waiting announcements runs.
        var hasTimer = false
        /// Whether hook commands run here, not in a service.
        var runsHooks = true
    }

    private let settings: NotificationSettings
    /// The base of relative paths; nil where no path leads to it, and a hook finds a file only by its relative path.
    private let folder = try? CurrentFolder.path()
    private let runner: HookRunner?
    private let announce: @Sendable (Announcement) -> Void
    private let state: Locked<State>
    private let queue = DispatchQueue(label: "netdash.notifier")

    /// Returns nil when the settings announce nothing.
    ///
    /// `announce` writes an announcement to the terminal, and `report` records the failure of a hook command. Both are
    /// called on any thread and must not block.
    init?(
        _ settings: NotificationSettings, environment: [String: String],
        announce: @escaping @Sendable (Announcement) -> Void, report: @escaping @Sendable (SafeText) -> Void
    ) throws(SystemCallError) {
        guard !settings.isSilent else { return nil }
        self.settings = settings
        self.announce = announce
        state = Locked(State(plan: AnnouncementPlan(settings)))
        runner = settings.hooks.isEmpty ? nil : try HookRunner(environment: environment, report: report)
    }

    /// Runs no hook command from now on.
    func leaveHooks() { state.withLock { $0.runsHooks = false } }

    /// Announces an event if it is the end of a task; ends of an earlier run are not announced.
    func tell(_ event: TransferEvent, from service: (any TransferService)?) {
        guard !event.isEarlier else { return }
        switch event.what {
        case .completed: tellEnd(event, .complete, cause: .empty, service)
        case .failed(let failure): tellEnd(event, .error, cause: SafeText(untrusted: failure.message), service)
        case .cancelled: state.withLock { $0.hasNews = true }
        case .added, .started, .response, .progress, .paused, .resumed, .retrying, .restarted, .mirrorDropped,
            .mirrorSwitched, .notice:
            break
        }
    }

    /// Announces that every task has ended, once.
    func tellAllDone(from service: (any TransferService)?) {
        let hasNews = state.withLock { state in
            defer { state.hasNews = false }
            return state.hasNews
        }
        guard hasNews, let summary = service?.summary else { return }
        run(.allDone, subject: .empty) { HookFields(summary, at: .now()) }
        announce(.all(completed: summary.completed, failed: summary.failed, cancelled: summary.cancelled))
    }

    /// Waits a moment for the hook commands; returns a sentence about remaining ones.
    func leave(
        patience: Int64, limit: Int64 = .max, unless isInterrupted: () -> Bool = { false }
    ) -> SafeText? {
        announceWaiting()
        return runner?.wait(patience: patience, limit: limit, unless: isInterrupted).closing
    }

    // MARK: - Helpers

    private func tellEnd(
        _ event: TransferEvent, _ moment: NotificationEvent, cause: SafeText, _ service: (any TransferService)?
    ) {
        state.withLock { $0.hasNews = true }
        // Ten thousand small files end in a moment: unused names are not looked up.
        let isNamed = settings.hooks[moment] != nil || settings.notification.contains(moment)
        let row = isNamed ? service?.snapshots(of: [event.id]).first : nil
        let name = row?.name ?? event.url.map { SafeText(url: $0) } ?? .empty
        run(moment, subject: name) {
            let source = row?.kind == .upload ? service?.path(of: event.id) : nil
            return HookFields(event, moment: moment, row: row, source: source, folder: folder)
        }
        announce(moment == .complete ? .completed(name) : .failed(name, cause: cause))
    }

    private func run(_ moment: NotificationEvent, subject: SafeText, fields: () -> HookFields) {
        guard let runner, let command = settings.hooks[moment], state.withLock(\.runsHooks) else { return }
        runner.run(HookRunner.Order(moment: moment, command: command, subject: subject, fields: fields()))
    }

    private func announce(_ end: AnnouncementPlan.End) {
        let now = cl_monotonic_milliseconds()
        let (announcement, delay) = state.withLock { state -> (Announcement?, Int64?) in
            let announcement = state.plan.add(end, at: now)
            guard !state.hasTimer, let deadline = state.plan.deadline else { return (announcement, nil) }
            state.hasTimer = true
            return (announcement, max(deadline - now, 0))
        }
        if let announcement { announce(announcement) }
        guard let delay else { return }
        queue.asyncAfter(deadline: .now() + .milliseconds(Int(delay))) { [weak self] in
            self?.announceWaiting()
        }
    }

    private func announceWaiting() {
        let announcement = state.withLock { state in
            state.hasTimer = false
            return state.plan.announcement(at: cl_monotonic_milliseconds())
        }
        if let announcement { announce(announcement) }
    }
}
