import Dashboard
import Foundation
import Glibc
import ServiceWire
import SessionSupport
import TransferService

/// Carries out a script's order at the service of a session.
struct ServiceClient {
    let service: RemoteService
    let isJSON: Bool
    let isQuiet: Bool

    /// Runs an order; `jobs` are what `add` adds.
    static func run(_ order: ServiceOrder, jobs: JobList, _ invocation: Invocation, _ signals: Signals) -> ExitCode {
        let session = invocation.settings.session.nameForDashboard ?? ""
        let feed = EventFeed()
        do throws(LinkFailure) {
            if case .history(let filter) = order, SessionSocket.forwarded == nil {
                guard let entries = HistoryReport.entries(of: session) else { return .disk }
                return HistoryReport.print(entries, filter: filter, isJSON: invocation.output == .json)
            }
            if order == .stop { return try stop(session, isQuiet: invocation.settings.isQuiet) }
            guard let service = try connect(to: session, starts: order == .add, invocation.settings, feed) else {
                return noService(session, wasStarted: order == .add)
            }
            defer { service.leave() }
            // A service that was started for an addition has no terminal to say what it found.
            if order.hearsNotices { service.welcome.notices.forEach(StandardStreams.complain) }
            let client = ServiceClient(
                service: service, isJSON: invocation.output == .json, isQuiet: invocation.settings.isQuiet)
            return client.carryOut(order, jobs, feed, signals)
        } catch {
            StandardStreams.complain(error.advised(session))
            return .taskFailed
        }
    }

    /// A service that was started and ends at once has no terminal to say why; where a run without a socket has the
    /// session, no service can start.
    private static func noService(_ session: String, wasStarted: Bool = false) -> ExitCode {
        let line =
            SessionSocket.forwarded.map { ControlLines.noForwardedService(SafeText(untrusted: $0)) }
            ?? (wasStarted ? ControlLines.notStarted : ControlLines.noService)(SafeText(untrusted: session))
        let environment = ProcessInfo.processInfo.environment
        if SessionSocket.forwarded == nil,
            let refusal = SessionRefusal(ofHolderOf: session, environment: environment)
        {
            StandardStreams.complain(refusal.message)
            return refusal.exitCode
        }
        StandardStreams.say("netdash: " + line)
        return .taskFailed
    }

    /// Ends the service of any version: an update of the program must not leave one that nothing can end.
    private static func stop(_ session: String, isQuiet: Bool) throws(LinkFailure) -> ExitCode {
        guard let socket = SessionSocket.ofClient(session) else { return noService(session) }
        switch try RemoteService.stop(at: socket, program: Product.version) {
        case .absent: return noService(session)
        case .saved: return isQuiet ? .success : StandardStreams.print([ControlLines.stopped.string])
        case .unsaved(let reason):
            StandardStreams.say("netdash: " + WireLines.lostChanges(reason))
            return .disk
        }
    }

    /// Milliseconds for a service that ends and for its successor.
    private static let patience: Int64 = 20_000

    /// Connects to the service, which an addition starts, also again where it ends meanwhile.
    private static func connect(
        to session: String, starts: Bool, _ settings: Settings, _ feed: EventFeed
    ) throws(LinkFailure) -> RemoteService? {
        guard let socket = SessionSocket.ofClient(session) else { return nil }
        let starter = ServiceStarter(
            session: session, arguments: settings.serviceArguments, watches: settings.watch != nil)
        @Sendable func start() -> Bool {
            let outcome = starter.start(at: socket)
            if let sentence = outcome.sentence { StandardStreams.complain(sentence) }
            return outcome != .failed
        }
        let mayStart = starts && SessionSocket.forwarded == nil
        var restart: (@Sendable () -> Void)?
        if mayStart { restart = { _ = start() } }
        let end = MonotonicClock.milliseconds + Self.patience
        while true {
            let service = try RemoteService.connect(
                to: socket, program: Product.version, directory: settings.directory,
                isElsewhere: SessionSocket.forwarded != nil, restart: restart,
                onConnection: { feed.changed($0) })
            if let service { return service }
            guard mayStart, socket.isUsable, MonotonicClock.milliseconds < end, start() else { return nil }
        }
    }

    func carryOut(_ order: ServiceOrder, _ jobs: JobList, _ feed: EventFeed, _ signals: Signals) -> ExitCode {
        switch order {
        case .add: add(jobs)
        case .status(let tasks): status(tasks)
        case .pause(let tasks): act(on: tasks, where: \.canPause, ControlLines.paused) { .pause($0) }
        case .resume(let tasks): act(on: tasks, where: \.state.isPaused, ControlLines.resumed) { .resume($0) }
        case .cancel(let tasks):
            act(on: tasks, where: \.canCancel, ControlLines.cancelled) { .cancel($0, deletingParts: false) }
        case .retry(let tasks): act(on: tasks, where: Self.mayRetry, ControlLines.retried) { .resume($0) }
        case .limit(let rate, let tasks): limit(rate, tasks)
        case .wait(let tasks): wait(for: tasks, feed, signals)
        case .events: feed.print(from: service, signals)
        case .history(let filter): history(filter)
        // Carried out without the messages of a version.
        case .stop: .success
        }
    }

    private static func mayRetry(_ row: RowFigures) -> Bool { row.state == .failed || row.state == .cancelled }

    // MARK: - Rows

    /// Calls `body` with the rows of the selected tasks, or says why there are none.
    private func withRows(of tasks: TaskSelection, _ body: ([RowSnapshot]) -> ExitCode) -> ExitCode {
        switch service.answer(.page(after: nil, limit: .max)) {
        case .rows(let rows):
            return body(
                tasks.selectedTasks(among: rows) { ids in
                    // A row that has left the list in the meantime has no job.
                    let jobs = service.jobs(of: ids)
                    return jobs.count == ids.count ? jobs.map(\.tag) : ids.map { service.jobs(of: [$0]).first?.tag }
                })
        case .failed(let failure): return failed(failure)
        default: return lost()
        }
    }

    // MARK: - Orders

    private func add(_ jobs: JobList) -> ExitCode {
        var count = 0
        var unsaved: SafeText?
        while true {
            let page = jobs.next(1_000)
            guard !page.isEmpty else { break }
            // A number that is printed is a task's, even if the service is killed in the next moment.
            guard let (reply, problem) = service.addAndSave(page) else { return lost() }
            unsaved = problem
            count += reply.repeated.count
            let lines = isQuiet ? [] : reply.added.map { isJSON ? Self.object($0) : ControlLines.added($0).string }
            let status = lines.isEmpty ? .success : StandardStreams.print(lines)
            if let refusal = reply.refusals.first { return refused(refusal.reason) }
            guard status == .success else { return status }
        }
        if count > 0, !isQuiet { StandardStreams.say("netdash: " + ControlLines.repeated(count)) }
        guard let unsaved else { return .success }
        StandardStreams.say("netdash: " + ControlLines.addedUnsaved(unsaved))
        return .disk
    }

    private static func object(_ id: UInt64) -> String {
        var object = JSONObjectWriter()
        object.add("id", id)
        return String(decoding: object.closed(), as: UTF8.self)
    }

    private func act(
        on tasks: TaskSelection, where fits: (RowFigures) -> Bool, _ words: (Int) -> SafeText,
        _ command: ([UInt64]) -> TransferCommand
    ) -> ExitCode {
        withRows(of: tasks) { rows in
            let ids = rows.filter { fits($0.figures) }.map(\.id)
            guard !ids.isEmpty else { return rows.isEmpty ? noTask() : unfit(words(0), rows) }
            guard let reply = service.reply(to: command(ids)) else { return lost() }
            let refused = Set(reply.refusals.map(\.id)).intersection(ids)
            if let refusal = reply.refusals.first, refused.count == ids.count { return self.refused(refusal.reason) }
            return say(words(ids.count - refused.count))
        }
    }

    private func limit(_ rate: RateSchedule, _ tasks: TaskSelection?) -> ExitCode {
        guard let tasks else {
            guard let reply = service.reply(to: .setDownloadRate(rate)) else { return lost() }
            if let refusal = reply.refusals.first { return refused(refusal.reason) }
            return say(ControlLines.limited(SafeText(untrusted: rate.words)))
        }
        let own = OwnRate(rate.rate(at: Timestamp.now().minuteOfWeek))
        return act(on: tasks, where: { !$0.state.isFinal }, ControlLines.limited) {
            .limitDownloads($0, own)
        }
    }

    /// A number or a filter without a task is a mistake, not a task that has ended.
    private func wait(for tasks: TaskSelection, _ feed: EventFeed, _ signals: Signals) -> ExitCode {
        withRows(of: tasks) { rows in
            guard tasks == .all || !rows.isEmpty else { return noTask() }
            return feed.wait(for: rows.map(\.id), of: service, signals) { count in
                guard !isQuiet else { return }
                let session = SessionSocket.forwarded == nil ? service.welcome.session : nil
                let name = SafeText(untrusted: session ?? ControlLines.defaultSession)
                StandardStreams.say("netdash: " + ControlLines.onlyPaused(count, name))
            }
        }
    }

    private func status(_ tasks: TaskSelection) -> ExitCode {
        withRows(of: tasks) { rows in
            guard isJSON || tasks == .all || !rows.isEmpty else { return noTask() }
            let title = ControlLines.service(
                service.welcome.process, SafeText(untrusted: service.welcome.session ?? ""))
            let lines =
                isJSON
                ? [StatusReport.object(rows, service.summary.moved, service.welcome)]
                : [title.string] + rows.map { InteractiveText.line(of: $0).string }
                    + [InteractiveText.status(of: rows).string]
            return StandardStreams.print(lines)
        }
    }

    private func history(_ filter: String) -> ExitCode {
        switch service.history() {
        case .success(let entries): HistoryReport.print(entries, filter: filter, isJSON: isJSON)
        case .failure(let failure): failed(failure)
        }
    }

    private func say(_ line: SafeText) -> ExitCode { isQuiet ? .success : StandardStreams.print([line.string]) }

    private func noTask() -> ExitCode {
        StandardStreams.say("netdash: " + ControlLines.noTask)
        return .taskFailed
    }

    /// Says in which states the named tasks are, which an order does not apply to.
    private func unfit(_ nothing: SafeText, _ rows: [RowSnapshot]) -> ExitCode {
        StandardStreams.say("netdash: " + ControlLines.unfit(nothing, InteractiveText.counts(of: rows)))
        return .taskFailed
    }

    /// Says the service's own reason, which is another than a lost connection.
    private func failed(_ failure: TransferFailure) -> ExitCode {
        guard failure.kind != RemoteService.lostKind else { return lost() }
        StandardStreams.complain(failure.message)
        return ExitCode.of([.failed(failure)])
    }

    private func refused(_ reason: SafeText) -> ExitCode {
        StandardStreams.say("netdash: " + reason)
        return .taskFailed
    }

    private func lost() -> ExitCode {
        guard !service.isStopped else {
            StandardStreams.say("netdash: " + ControlLines.stoppedByAnother)
            return .taskFailed
        }
        StandardStreams.complain(service.problem)
        return .taskFailed
    }
}
