import CLinux
import Dashboard
import Foundation
import SessionSupport
import TransferService

/// Records every event of a dashboard's run: for the log file, the event log, hooks and announcements of ends.
///
/// It observes in this process as events happen, so it misses none. Safe from any thread.
final class RunRecord: TransferObserver {
    private struct State: Sendable {
        weak var service: (any TransferService)?
        var log: LogFile?
        /// Whether a timer writes the log's lines, and whether a failure was reported.
        var flushesLog = false
        var complainsOfLog = false
        /// The unavailable servers that the log has reported.
        var backoffReport = BackoffReport()
        /// The events that the event log shows.
        var latest = LatestEvents()
        /// Announces ends to an absent user; nil when that is not wanted.
        var notifier: Notifier?
    }

    let interest = Interest(showsRows: true)
    private let state: Locked<State>
    private let complain: @Sendable (SafeText) -> Void
    private let queue = DispatchQueue(label: "netdash.log")

    /// - Parameter complain: receives a sentence about a log that cannot be written.
    init(log: LogFile?, complain: @escaping @Sendable (SafeText) -> Void) {
        state = Locked(State(log: log))
        self.complain = complain
    }

    /// Sets the service whose rows complete the events for hooks and lines.
    func attach(_ service: any TransferService) { state.withLock { $0.service = service } }

    /// Leaves log and hook commands to the service, which has the same settings.
    func becomeWindow() {
        let notifier = state.withLock { state in
            state.log = nil
            return state.notifier
        }
        notifier?.leaveHooks()
    }

    /// Hooks and announcements; set before the first transfer.
    var notifier: Notifier? {
        get { state.withLock { $0.notifier } }
        set { state.withLock { $0.notifier = newValue } }
    }

    // MARK: - TransferObserver

    func receive(_ notice: TransferNotice) {
        switch notice {
        case .event(let event):
            let (notifier, service) = state.withLock { state in
                state.log?.append(event, at: cl_monotonic_milliseconds())
                if TransferRow.keeps(event.what) { state.latest.append(event) }
                return (state.notifier, state.service)
            }
            notifier?.tell(event, from: service)
        case .backoffs(let servers): append { $0.news(servers) }
        case .limited(let counts): append { $0.news(limits: counts) }
        case .complaint(let sentence), .resolved(let sentence, _): append(sentence)
        case .idle:
            let (notifier, service) = state.withLock { ($0.notifier, $0.service) }
            notifier?.tellAllDone(from: service)
        case .moved, .changed, .removed, .bounded, .configured, .saving, .saved: return
        }
        flushLater()
    }

    private func append(_ news: (inout BackoffReport) -> [BackoffReport.News]) {
        state.withLock { state in
            let now = cl_monotonic_milliseconds()
            for news in news(&state.backoffReport) { state.log?.append(news, at: now) }
        }
    }

    /// Logs a sentence beside the transfers, usually a problem.
    func append(_ sentence: SafeText, level: Settings.LogLevel = .error) {
        state.withLock { $0.log?.append(sentence, level: level, at: cl_monotonic_milliseconds()) }
    }

    // MARK: - The event log

    /// Starts or stops collecting lines for the event log; returns the lines so far.
    func readLog(_ isRead: Bool) -> [LogEntry]? {
        let (events, service) = state.withLock { state in
            (isRead ? state.latest.beginReading() : state.latest.endReading(), state.service)
        }
        return isRead ? LatestEvents.entries(events, from: service) : nil
    }

    /// The lines since the last read.
    func takeUnread() -> [LogEntry] {
        let (events, service) = state.withLock { ($0.latest.takeUnread(), $0.service) }
        return LatestEvents.entries(events, from: service)
    }

    // MARK: - The log file

    /// Schedules the next write of the log; reports a failure once.
    private func flushLater() {
        let (delay, failure) = state.withLock { state -> (Int64?, UnwrittenReport?) in
            guard state.log != nil else { return (nil, nil) }
            let failure = state.complainsOfLog ? nil : state.log?.failure
            if failure != nil { state.complainsOfLog = true }
            let deadline = state.flushesLog ? nil : state.log?.deadline
            if deadline != nil { state.flushesLog = true }
            return (deadline.map { max($0 - cl_monotonic_milliseconds(), 0) + 1 }, failure)
        }
        if let failure { complain(FileErrors.logEnds(SafeText(untrusted: failure.sentence))) }
        guard let delay else { return }
        queue.asyncAfter(deadline: .now() + .milliseconds(Int(delay))) { [weak self] in self?.flush() }
    }

    private func flush() {
        state.withLock { state in
            state.flushesLog = false
            state.log?.flushIfDue(at: cl_monotonic_milliseconds())
        }
        flushLater()
    }

    /// Writes the rest of the log, and returns why lines are missing in it.
    func close() -> UnwrittenReport? {
        state.withLock { state in
            defer { state.log = nil }
            return state.log?.close()
        }
    }
}
