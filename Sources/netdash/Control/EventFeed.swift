import CLinux
import Dashboard
import Glibc
import ServiceWire
import SessionSupport
import TransferService

/// Follows a service: prints its events, or waits for the end of tasks.
///
/// Safe from any thread, except what it prints.
final class EventFeed: Sendable {
    private enum News: Sendable {
        case update
        case connection(RemoteService.Connection)
    }

    /// The mailbox of the events; nil where the process has no descriptor left, so that nothing can be followed.
    private let mailbox = try? Mailbox<News>()

    func changed(_ connection: RemoteService.Connection) { mailbox?.post(.connection(connection)) }

    // MARK: - Events

    /// Prints events as JSON lines until the service ends or a signal comes.
    func print(from service: RemoteService, _ signals: Signals) -> ExitCode {
        let interest = Interest(hearsProgress: true, takesCommands: false, wantsURLs: true)
        var printer = EventPrinter(style: .json, log: nil)
        var progress = ProgressLines()
        let status = follow(service, interest, signals, prints: true, { printer.deadline }) { update in
            let now = cl_monotonic_milliseconds()
            if update?.isCut == true { printer.printLoss(at: now) }
            for notice in update?.notices ?? [] {
                switch notice {
                case .event(let event):
                    progress.hear(event.what, of: event.id)
                    printer.print(event, at: now)
                case .backoffs(let servers): printer.print(servers, at: now)
                case .limited(let counts): printer.print(limits: counts, at: now)
                case .complaint(let sentence), .resolved(let sentence, _): printer.printComplaint(sentence, at: now)
                case .changed, .moved, .removed, .bounded, .configured, .idle, .saving, .saved: break
                }
            }
            for moved in update?.progress ?? [] {
                guard let rule = printer.progressRule,
                    let report = progress.report(moved.figures, of: moved.id, rule, at: now)
                else { continue }
                printer.print(
                    TransferEvent(time: .now(), id: moved.id, url: moved.url, what: .progress(report)), at: now)
            }
            printer.flushIfDue(at: now)
            return nil
        }
        return status.counting(printer.close().first)
    }

    // MARK: - Waiting

    /// Waits until tasks have ended or are gone; returns what a run with these tasks would end with.
    ///
    /// - Parameter tell: called whenever nothing more can end by itself, with the number of paused tasks.
    func wait(
        for ids: [UInt64], of service: RemoteService, _ signals: Signals, tell: (Int) -> Void
    ) -> ExitCode {
        let interest = Interest(hearsMilestones: false, takesCommands: false)
        var unfinished: Set<UInt64> = []
        var paused = 0
        var removesUnfinished = false
        var due: Int64?
        return follow(service, interest, signals, { due }) { _ in
            let began = cl_monotonic_milliseconds()
            defer { due = service.welcome.selects == true ? Self.nextQuestion(after: began) : nil }
            // Without an answer the connection is lost, which is told next, or a queue's database is away.
            guard case .rows(let rows) = service.answer(.rows(ids)) else { return nil }
            // A task that is removed while it runs is cancelled for that.
            removesUnfinished = removesUnfinished || !unfinished.isSubset(of: rows.map(\.id))
            unfinished = Set(rows.filter { !$0.state.isFinal }.map(\.id))
            guard unfinished.isEmpty else {
                let standing = rows.count { $0.state.isPaused && !$0.resumesByItself }
                let isStanding = standing == unfinished.count
                if isStanding, standing != paused { tell(standing) }
                paused = isStanding ? standing : 0
                return nil
            }
            let status = ExitCode.of(rows.map(\.result))
            let isComplete = !removesUnfinished && rows.allSatisfy { $0.state == .done }
            return status == .success && !isComplete ? .taskFailed : status
        }
    }

    /// When a service over a queue is asked again, which tells no end of a job that is not seen to run: a second later,
    /// or after four times as long as the answer took.
    private static func nextQuestion(after began: Int64) -> Int64 {
        let now = cl_monotonic_milliseconds()
        return now + max(1_000, (now - began) * 4)
    }

    // MARK: - Following

    /// Calls `body` now and after each update, until it returns a status, the service ends, a signal comes or, where it
    /// prints, standard output is closed.
    private func follow(
        _ service: RemoteService, _ interest: Interest, _ signals: Signals, prints: Bool = false,
        _ deadline: () -> Int64?,
        _ body: (TransferUpdate?) -> ExitCode?
    ) -> ExitCode {
        guard let mailbox else { return .taskFailed }
        let subscription = service.subscribe(interest) { mailbox.post(.update) }
        defer { subscription.cancel() }
        if let status = body(nil) { return status }
        while true {
            var entries = [
                pollfd(fd: signals.descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: mailbox.descriptor, events: Int16(POLLIN), revents: 0),
                // A reader that has gone, such as head, is told without an event to print.
                pollfd(fd: prints ? STDOUT_FILENO : -1, events: 0, revents: 0),
            ]
            let timeout = deadline().map { Int32(clamping: max($0 - cl_monotonic_milliseconds(), 0)) } ?? -1
            let count = poll(&entries, nfds_t(entries.count), timeout)
            precondition(count >= 0 || errno == EINTR, "poll failed with errno \(errno)")
            for signal in signals.drain() where Signals.ending.contains(signal) { return .signal(signal) }
            if entries[2].revents & Int16(POLLNVAL) != 0 { return .taskFailed }
            if entries[2].revents & Int16(POLLERR) != 0 { return .signal(SIGPIPE) }
            for news in mailbox.drain() {
                switch news {
                case .update: break
                case .connection(.connected), .connection(.restarted), .connection(.silent), .connection(.speaks): break
                case .connection(.ended): return .success
                case .connection(.stopped):
                    // Events end with their service; tasks that were waited for have not ended.
                    if prints { return .success }
                    StandardStreams.say("netdash: " + ControlLines.stoppedByAnother)
                    return .taskFailed
                case .connection(.lost(let sentence)), .connection(.hangs(let sentence)):
                    StandardStreams.complain(sentence)
                    return .taskFailed
                }
            }
            if let status = body(subscription.take()) { return status }
            subscription.askForNext()
        }
    }
}
