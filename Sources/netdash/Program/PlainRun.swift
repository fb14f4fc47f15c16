import CLinux
import Dashboard
import Foundation
import Glibc
import SessionSupport
import TransferService

/// Runs jobs to their end without a terminal, printing lines or JSON.
///
/// One thread waits for whatever comes first: an event of a transfer, a line of an arriving list, a signal, a typed
/// command, or the moment at which collected lines must be written.
final class PlainRun {
    /// The number of live transfers from which on their events are collected for a moment.
    private static let crowd = 64
    private static let restMilliseconds: Int32 = 20
    /// The number of waiting transfers from which on reading pauses: a list may be longer than the memory.
    private static let readAhead = 20_000
    /// The number of jobs that are added in one step.
    private static let pageLength = 128

    private let service: any TransferService
    private let subscription: any Subscription
    /// Signals that the subscription has notices.
    private let bell: Mailbox<Void>
    private let signals: Signals
    private let endsWhenIdle: Bool
    private let judge: ([TransferResult]) -> ExitCode
    private let exits: ExitDialect
    private var printer: EventPrinter
    private var arriving: ArrivingList?
    /// The jobs that were not added yet; nil when all were.
    private var jobs: JobList?
    /// Whether each job begins when the one before it has ended.
    private let isInOrder: Bool
    /// Whether lists are read on demand: not where rows are saved, or users name them.
    private let readsOnDemand: Bool
    /// Whether jobs that were not added are written to a file at the end.
    private let keepsRest: Bool
    private var interactive: InteractiveSession?
    private let notifier: Notifier?
    /// The sentences of failed hook commands.
    private let complaints: Mailbox<SafeText>
    /// The milliseconds that the end waits for the next hook command to end; a signal stops that.
    private static let hookPatience: Int64 = 10_000
    /// Whether everything is done: changes of a server's limit are then no news.
    private var isEnding = false
    private var progress = ProgressLines()

    /// A run with a prepared printer and signals; `arriving` is the list on standard input, and `open` makes the
    /// service for an interest.
    ///
    /// With `interactive`, the terms of an added download, standard input contains commands and the run ends on
    /// command.
    init(
        settings: Settings, printsBodies: Bool, printer: EventPrinter, signals: Signals, arriving: ArrivingList?,
        isInOrder: Bool = false, interactive defaults: Job? = nil, rules: HostRules = HostRules(),
        exits: ExitDialect = .netdash, judge: @escaping ([TransferResult]) -> ExitCode = { ExitCode.of($0) },
        open: (Interest) -> any TransferService
    ) throws(SystemCallError) {
        let bell = try Mailbox<Void>()
        self.bell = bell
        let complaints = try Mailbox<SafeText>()
        self.complaints = complaints
        let environment = ProcessInfo.processInfo.environment
        notifier = try Notifier(
            settings.notifier, environment: environment,
            announce: Self.announcer(settings.notifier, environment: environment),
            report: { complaints.post($0) })
        let interest = Interest(
            hearsMilestones: printer.usesMilestones || notifier != nil, hearsProgress: printer.progressRule != nil,
            takesCommands: defaults != nil, keepsBodies: defaults != nil && !printsBodies,
            wantsURLs: printer.style == .json, keepsAll: true)
        service = open(interest)
        subscription = service.subscribe(interest) { bell.post(()) }
        keepsRest = settings.failedPath != nil
        self.printer = printer
        self.signals = signals
        self.arriving = arriving
        self.isInOrder = isInOrder
        readsOnDemand = defaults == nil && settings.session.nameWithoutDashboard == nil
        (self.judge, self.exits) = (judge, exits)
        endsWhenIdle = defaults == nil || settings.exitsWhenDone
        interactive = defaults.map { [service] in
            InteractiveSession(service: service, defaults: $0, rates: settings.rates, rules: rules)
        }
    }

    /// Runs the jobs, and arriving ones, to the end.
    func run(_ jobs: JobList) -> ExitCode {
        for sentence in service.begin() { Netdash.complain(sentence) }
        self.jobs = jobs
        addJobs()
        if interactive != nil { printer.print([InteractiveLines.typeHelp], at: cl_monotonic_milliseconds()) }
        while true {
            handleMessages()
            addJobs()
            restBetweenBursts()
            if hasFullList, endsWhenIdle, service.counts.isIdle { return end(isIdle: true) }
            let ready = wait()
            if ready.signals, let signal = handleSignals() { return end(signal: signal) }
            if ready.input, arriving != nil { handleInput() } else if ready.input, handleCommands() { return end() }
            printer.flushIfDue(at: cl_monotonic_milliseconds())
        }
    }

    // MARK: - Lists

    /// Whether everything was added that the run is to do.
    private var hasFullList: Bool { arriving == nil && jobs == nil }

    /// Whether too few transfers wait to pause reading; checked again at each end of a transfer.
    private var wantsMore: Bool { !readsOnDemand || service.counts.pending < Self.readAhead }

    /// Adds jobs of the lists, as many as wanted.
    private func addJobs() {
        guard let jobs, wantsMore else { return }
        if isInOrder {
            guard service.counts.isIdle else { return }
            service.send(.add(jobs.next(1)))
        } else {
            service.add(pages: { [self] in wantsMore ? jobs.next(Self.pageLength) : [] })
        }
        if jobs.isEmpty { self.jobs = nil }
    }

    /// Counts the jobs that were not added when a signal came, and returns them if they are written to a file.
    private func takeRest() -> (count: Int, jobs: [Job]) {
        var rest: (count: Int, jobs: [Job]) = (0, [])
        while let page = jobs?.next(Self.pageLength), !page.isEmpty {
            rest.count += page.count
            if keepsRest { rest.jobs += page }
        }
        return rest
    }

    // MARK: - Waiting

    /// With many transfers, lets events collect for a moment: one wake-up for many lines instead of one each.
    private func restBetweenBursts() {
        guard service.counts.live > Self.crowd else { return }
        var descriptor = pollfd(fd: signals.descriptor, events: Int16(POLLIN), revents: 0)
        let count = poll(&descriptor, 1, Self.restMilliseconds)
        precondition(count >= 0 || errno == EINTR, "poll failed with errno \(errno)")
    }

    private func wait() -> (signals: Bool, input: Bool) {
        var descriptors = [
            pollfd(fd: signals.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: bell.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: complaints.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(
                fd: interactive != nil || arriving != nil && wantsMore ? STDIN_FILENO : -1, events: Int16(POLLIN),
                revents: 0),
        ]
        let now = cl_monotonic_milliseconds()
        let timeout = printer.deadline.map { Int32(clamping: max($0 - now, 0)) } ?? -1
        let count = poll(&descriptors, nfds_t(descriptors.count), timeout)
        precondition(count >= 0 || errno == EINTR, "poll failed with errno \(errno)")
        guard count > 0 else { return (false, false) }
        return (descriptors[0].revents != 0, descriptors[3].revents != 0)
    }

    /// The signal that ends the run, if one came.
    ///
    /// SIGTSTP stops the process as if it were not caught.
    private func handleSignals() -> Int32? {
        for signal in signals.drain() {
            if Signals.ending.contains(signal) { return signal }
            if signal == SIGTSTP { _ = kill(getpid(), SIGSTOP) }
        }
        return nil
    }

    private func handleInput() {
        guard let entries = arriving?.read() else { return }
        var jobs: [Job] = []
        for entry in entries {
            switch entry {
            case .job(let job) where printer.style == .json && job.output == .standardOutput:
                service.send(.addFailed(url: job.url, message: Preflight.streamBesideJSON.message))
            case .job(let job) where job.ifExists == .ask:
                service.send(.addFailed(url: job.url, message: Preflight.noUserToAsk.message))
            case .job(let job): jobs.append(job)
            case .failure(let url, let error):
                if !jobs.isEmpty { service.send(.add(jobs)) }
                jobs = []
                service.send(.addFailed(url: url, message: error.message))
            }
        }
        if !jobs.isEmpty { service.send(.add(jobs)) }
        if arriving?.hasEnded == true { arriving = nil }
    }

    /// Runs typed commands; returns whether the user leaves.
    private func handleCommands() -> Bool {
        let bytes: [UInt8]
        do throws(Descriptor.ReadError) {
            guard let typed = try Descriptor.read(STDIN_FILENO, limit: 64 << 10) else { return false }
            bytes = typed
        } catch {
            // A terminal that has hung up is the end of input.
            bytes = []
        }
        let answer = interactive?.receive(bytes) ?? InteractiveSession.Answer()
        handleMessages()
        printer.print(answer.lines, at: cl_monotonic_milliseconds())
        return answer.ends
    }

    // MARK: - Printing

    private func handleMessages() {
        let now = cl_monotonic_milliseconds()
        // Drain the mailbox first: notices that come in between signal it again.
        _ = bell.drain()
        let update = subscription.take()
        for notice in update.notices { handle(notice, at: now) }
        for progress in update.progress { print(progress, at: now) }
        for sentence in complaints.drain() { printer.printComplaint(sentence, at: now) }
    }

    private func handle(_ notice: TransferNotice, at now: Int64) {
        switch notice {
        case .event(let event): handle(event, at: now)
        case .removed, .bounded, .configured, .changed, .moved: break
        case .limited(let counts): if !isEnding { printer.print(limits: counts, at: now) }
        case .saving(let number): printer.hold(number)
        case .saved(let number): printer.release(number)
        case .complaint(let sentence), .resolved(let sentence, _): printer.printComplaint(sentence, at: now)
        case .backoffs(let servers): if !isEnding { printer.print(servers, at: now) }
        // An arriving list may still have lines.
        case .idle: if hasFullList { notifier?.tellAllDone(from: service) }
        }
    }

    /// Writes announcements to the terminal of the lines; without one it does nothing.
    private static func announcer(
        _ settings: NotificationSettings, environment: [String: String]
    ) -> @Sendable (Announcement) -> Void {
        guard isatty(STDERR_FILENO) == 1 else { return { _ in } }
        let notifications = TerminalNotifications(environment: environment)
        let isUTF8 = settings.notification.isEmpty || TerminalLocale.establish()
        return { announcement in
            // The terminal may have hung up.
            _ = Descriptor.writeAll(notifications.bytes(for: announcement, isUTF8: isUTF8), to: STDERR_FILENO)
        }
    }

    private func handle(_ event: TransferEvent, at now: Int64) {
        progress.hear(event.what, of: event.id)
        printer.print(event, at: now)
        notifier?.tell(event, from: service)
        guard interactive != nil else { return }
        switch event.what {
        case .completed, .failed, .cancelled:
            let lines = interactive?.taskEnded(event.id) ?? []
            if !lines.isEmpty { printer.print(lines, at: now) }
        case .added, .started, .response, .progress, .paused, .resumed, .retrying, .restarted, .mirrorDropped,
            .mirrorSwitched, .notice:
            break
        }
    }

    private func print(_ moved: TransferUpdate.Progress, at now: Int64) {
        guard let rule = printer.progressRule,
            let report = progress.report(moved.figures, of: moved.id, rule, at: now)
        else { return }
        printer.print(TransferEvent(time: .now(), id: moved.id, url: moved.url, what: .progress(report)), at: now)
    }

    // MARK: - The end

    /// Whether an ending signal came since the last check.
    private var wasInterrupted: Bool { signals.drain().contains { Signals.ending.contains($0) } }

    /// The most undone transfers that are named.
    private static let undoneLimit = 20

    /// Names the transfers that no user can resume, paused or waiting for a paused one.
    private func printUndone(_ rows: [RunEnd.Undone], at now: Int64) {
        for row in rows.prefix(Self.undoneLimit) {
            let url = SafeText(url: row.url)
            let waits = row.predecessor.map { PlainLines.waits(row.id, for: SafeText(untrusted: $0), url) }
            printer.printComplaint(waits ?? PlainLines.paused(row.id, url), at: now)
        }
        guard rows.count > Self.undoneLimit else { return }
        printer.printComplaint(PlainLines.morePaused(rows.count - Self.undoneLimit), at: now)
    }

    private func end(signal: Int32? = nil, isIdle: Bool = false) -> ExitCode {
        isEnding = true
        let rest = takeRest()
        let end = service.close(leaving: rest.jobs)
        let undone = isIdle ? end.undone : []
        handleMessages()
        let now = cl_monotonic_milliseconds()
        if signal == nil { notifier?.tellAllDone(from: service) }
        printUndone(undone, at: now)
        var summary = end.summary
        summary.paused += rest.count
        printer.print(summary, wallTime: .now(), at: now)
        printer.flush()
        let left = notifier?.leave(patience: Self.hookPatience, unless: { signal != nil || wasInterrupted })
        handleMessages()
        for complaint in end.complaints { printer.printComplaint(complaint, at: cl_monotonic_milliseconds()) }
        if let left { printer.printComplaint(left, at: cl_monotonic_milliseconds()) }
        let unwritten = printer.close()
        for report in unwritten { Netdash.complain(report.sentence) }
        if let signal { return exits.status(of: end.results, signal: signal) }
        let status = judge(end.results)
        guard status == .success else { return status }
        return exits.status(
            beside: status.counting(undone: undone.count + end.losses).counting(unwritten.first)
                .counting(complaints: end.complaints))
    }
}
