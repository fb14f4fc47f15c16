import Dashboard
import Foundation
import Glibc
import TransferService

/// Carries out one call of the program.
struct Run {
    let invocation: Invocation

    func carryOut() throws(UsageError) -> Ending {
        switch invocation.action {
        case .help(let command): return Ending(status: print(HelpText.text(command)))
        case .search(let word): return Ending(status: print(HelpText.search(word, keys: invocation.keys)))
        case .completions(let shell): return Ending(status: print(Completions.script(for: shell)))
        case .version: return Ending(status: print(version))
        case .helpKeys: return Ending(status: print(KeyReference.text(keys: invocation.keys)))
        case .parts(let folders, let removes): return Ending(status: listParts(folders, removes: removes))
        case .doctor: return Ending(status: examine())
        case .demo: return try runDemo(signals: catchSignals())
        case .run where invocation.settings.isDryRun:
            return Ending(status: try DryRun(invocation).carryOut(signals: catchSignals()))
        case .run: return try runJobs(signals: catchSignals())
        case .serve: return try serve(signals: catchSignals())
        case .order(let order): return try carryOut(order, signals: catchSignals(forTransfers: false))
        }
    }

    /// The versions of the program and of its libraries, with the commit and the date of the build.
    private var version: String {
        let libraries = LibraryInfo.current().versions + [TerminalSurvey.library]
        return "netdash \(Product.version) (\(BuildStamp.text))\n\(libraries.joined(separator: " "))\n"
    }

    /// Prints findings as they come: a server may take seconds.
    private func examine() -> ExitCode {
        let doctor = Doctor(invocation: invocation, environment: ProcessInfo.processInfo.environment)
        var findings: [Finding] = []
        var status = ExitCode.success
        func tell(_ found: [Finding]) -> Bool {
            findings += found
            status = print(found.flatMap(\.lines).map { $0.string + "\n" }.joined())
            return status == .success
        }
        if tell(doctor.machine()) { doctor.servers(tell) }
        guard status == .success else { return status }
        status = print(Finding.summary(findings).string + "\n")
        return findings.contains { $0.verdict == .wrong } ? .taskFailed : status
    }

    /// Lists partial files without an owner; removes them only after they were listed.
    private func listParts(_ folders: [String], removes: Bool) -> ExitCode {
        let list = LeftoverList(
            folders: folders, sessions: UserFolder.sessions(environment: ProcessInfo.processInfo.environment),
            now: Date().timeIntervalSince1970)
        switch list.find() {
        case .failure(let refusal):
            Netdash.say("netdash: " + ProgramErrors.parts(refusal.sentence))
            return .taskFailed
        case .success(let found):
            let status = print(list.lines(found, removes: removes).map { $0.string + "\n" }.joined())
            for sentence in found.unreadable { Netdash.say("netdash: " + ProgramErrors.parts(sentence)) }
            guard status == .success else { return status }
            let isComplete = found.unreadable.isEmpty
            guard removes, !found.parts.isEmpty else { return isComplete ? .success : .taskFailed }
            let (line, complaints) = list.remove(found.parts, unless: found.unreadable)
            for complaint in complaints { Netdash.say("netdash: " + complaint) }
            let end = print(line.string + "\n")
            return complaints.isEmpty ? end : .taskFailed
        }
    }

    // MARK: - Jobs

    private func runJobs(signals: Signals) throws(UsageError) -> Ending {
        let session = invocation.settings.session
        if (canOpenDashboard ? session.nameForDashboard : session.nameWithoutDashboard) != nil {
            try FolderCheck.check(invocation)
        }
        let jobs = try Preflight.jobs(of: invocation, signals: signals, asks: canOpenDashboard)
        // Without jobs a plain run prints nothing: an empty dashboard waits, like an editor, until it is in the
        // foreground.
        let isBehind = canOpenDashboard && !jobs.isEmpty && tellsBackground()
        if canOpenDashboard, !isBehind,
            let status = try openDashboard(jobs, signals: signals, judge: judge)
        {
            return Ending(status: status)
        }
        if let watch = invocation.settings.watch, watch.label == CommandLineOption.watch.spelling {
            throw UsageError(argument: watch.label, WatchUsage.needsService)
        }
        let hasSession = invocation.settings.session.nameWithoutDashboard != nil
        guard hasSession || !invocation.settings.retriesFailed else {
            throw UsageError(argument: "--retry-failed", ProgramErrors.retryNeedsSession)
        }
        // A list without a URL is no mistake: what makes lists may find nothing to do.
        guard !jobs.isEmpty || hasSession || !invocation.inputLists.isEmpty || isInteractive else {
            throw UsageError(ProgramErrors.nothingToDo)
        }
        return try runPlain(jobs, signals: signals, judge: judge)
    }

    /// The exit code of the results; files that were left out are a failure.
    private func judge(_ results: [TransferResult]) -> ExitCode {
        invocation.exits.status(of: results).counting(invocation.leftOut)
    }

    private func runDemo(signals: Signals) throws(UsageError) -> Ending {
        let demo: Demo
        do {
            demo = try Demo()
        } catch let error as UsageError {
            throw error
        } catch {
            throw UsageError(argument: "demo", ProgramErrors.cannotStart("\(error)"))
        }
        defer { demo.end() }
        if canOpenDashboard, !tellsBackground() {
            // --exit-when-done needs an end.
            let supply = invocation.settings.exitsWhenDone ? nil : demo.supply()
            defer { supply?.end() }
            // Failures that the user tries out are no failure of the program.
            let status = try openDashboard(
                JobList(demo.jobs), signals: signals, judge: { _ in .success }, supply: supply)
            if let status { return Ending(status: status) }
        }
        return try runPlain(JobList(demo.jobs), signals: signals, judge: { demo.judge($0) })
    }

    private func serve(signals: Signals) throws(UsageError) -> Ending {
        try ServeRun.check(invocation.settings.watch)
        try FolderCheck.check(invocation)
        // In aria2c's place it runs the jobs of its command line, and no session.
        let hasJobs = !invocation.jobs.isEmpty || !invocation.inputLists.isEmpty
        let jobs = hasJobs ? try Preflight.jobs(of: invocation, signals: signals, asks: false) : nil
        for warning in invocation.remarks { Netdash.say("netdash: " + warning) }
        let run = ServeRun(
            settings: invocation.settings, session: invocation.settings.session.nameForDashboard, jobs: jobs,
            idleExit: invocation.settings.idleExit, signals: signals, log: try openLog())
        let status = try needed { () throws(SystemCallError) in
            try run.run()
        }
        return Ending(status: status)
    }

    private func carryOut(_ order: ServiceOrder, signals: Signals) throws(UsageError) -> Ending {
        var invocation = invocation
        // A script's list is read to its end before anything is added.
        invocation.inputLists = invocation.inputLists.map(\.readWhole)
        guard !invocation.jobs.contains(where: { $0.output == .standardOutput || $0.body == .standardInput }) else {
            throw UsageError(argument: "add", ServiceUsage.streams)
        }
        // The tasks of another host's service start at its folder.
        if order == .add, SessionSocket.forwarded == nil { try FolderCheck.check(invocation) }
        let jobs = order == .add ? try Preflight.jobs(of: invocation, signals: signals) : JobList([])
        for remark in invocation.leftOut.remarks { Netdash.say("netdash: " + remark) }
        let status = ServiceClient.run(order, jobs: jobs, invocation, signals)
        return Ending(status: status.counting(invocation.leftOut))
    }

    // MARK: - Output

    /// The dashboard needs standard output for itself, and a terminal there, which its keys come from too.
    private var canOpenDashboard: Bool {
        invocation.output == .automatic && !invocation.settings.isQuiet && !invocation.usesStandardOutput
            && !invocation.settings.includesHead && invocation.requestFile == nil
            && !invocation.inputLists.contains("-") && isatty(STDOUT_FILENO) == 1 && !isInteractive && !typesBody
            && !logsToTerminal
    }

    /// Whether the lines of the log are for the terminal that a dashboard would draw on.
    private var logsToTerminal: Bool {
        invocation.settings.logPath.map { FileKind.isTerminal($0, of: STDOUT_FILENO) } ?? false
    }

    /// Whether the program was started in the background, as by `&`, where changing the terminal's modes would stop it;
    /// reports that.
    private func tellsBackground() -> Bool {
        guard TerminalDevice.isInBackground(of: STDOUT_FILENO) else { return false }
        Netdash.complain(ProgramErrors.inBackground)
        return true
    }

    /// Whether a body is typed on the terminal, which then cannot take the dashboard's keys.
    private var typesBody: Bool {
        isatty(STDIN_FILENO) == 1 && invocation.jobs.contains { $0.body == .standardInput }
    }

    /// Whether commands are typed, which need standard input for themselves.
    private var isInteractive: Bool {
        invocation.output != .json && !invocation.settings.isQuiet && !invocation.inputLists.contains("-")
            && !invocation.jobs.contains { $0.body == .standardInput }
            && InteractiveSession.isWanted(environment: ProcessInfo.processInfo.environment)
            && !TerminalDevice.isInBackground(of: STDIN_FILENO)
    }

    private func runPlain(
        _ jobs: JobList, signals: Signals, judge: @escaping ([TransferResult]) -> ExitCode
    ) throws(UsageError) -> Ending {
        for warning in invocation.warnings { Netdash.say("netdash: " + warning) }
        let style: EventPrinter.Style =
            invocation.output == .json
            ? .json : invocation.settings.isQuiet ? .errorsOnly : isInteractive ? .spoken : .lines
        let printer = EventPrinter(style: style, log: try openLog())
        let arriving =
            invocation.inputLists.contains("-")
            ? ArrivingList(
                dialect: invocation.listDialect, defaults: invocation.jobDefaults,
                directory: invocation.settings.directory,
                template: invocation.listTemplate, rules: invocation.hostRules) : nil
        // With typed commands each body is requested: otherwise lines of bodies and of the prompt would mix.
        let asksForBodies = isInteractive && isatty(STDOUT_FILENO) == 1
        let printsBodies = style != .json && invocation.action == .run && !asksForBodies
        var serviceSettings = invocation.settings.forService
        serviceSettings.titlesBodies = invocation.sharesStandardOutput
        var refusal: SessionRefusal?
        let run = try needed { () throws(SystemCallError) in
            try PlainRun(
                settings: invocation.settings, printsBodies: printsBodies, printer: printer, signals: signals,
                arriving: arriving, isInOrder: invocation.requestFile != nil,
                interactive: isInteractive ? invocation.jobDefaults : nil, rules: invocation.hostRules,
                exits: invocation.exits, judge: judge
            ) { interest in
                let service = LocalService(
                    settings: serviceSettings, printsBodies: printsBodies, for: interest,
                    session: invocation.settings.session.nameWithoutDashboard)
                refusal = service.refusal
                return service
            }
        }
        if let refusal { return Ending(status: refuse(refusal)) }
        return Ending(status: run.run(jobs), remains: run)
    }

    private func refuse(_ refusal: SessionRefusal) -> ExitCode {
        Netdash.complain(refusal.message)
        return refusal.exitCode
    }

    /// Runs the dashboard; returns nil when this terminal cannot show one.
    private func openDashboard(
        _ jobs: JobList, signals: Signals, judge: @escaping ([TransferResult]) -> ExitCode, supply: DemoSupply? = nil
    ) throws(UsageError) -> ExitCode? {
        // Keys that are typed into a table without its tasks would reach the shell.
        if let refusal = SessionOpening.refusal(of: invocation.settings.session) { return refuse(refusal) }
        let log = try openLog()
        let mailbox = try needed { () throws(SystemCallError) in try Mailbox<Message>() }
        let settings = invocation.settings
        let framesPerSecond = settings.framesPerSecond ?? Self.usualFrameRate
        let publisher = RowPublisher(
            mailbox: mailbox, framesPerSecond: framesPerSecond, announcesEnd: settings.exitsWhenDone, log: log)
        publisher.record.notifier = try needed { () throws(SystemCallError) in
            try Notifier(
                settings.notifier, environment: ProcessInfo.processInfo.environment,
                announce: { mailbox.post(.announce($0)) }, report: { [weak publisher] in publisher?.complain($0) })
        }
        do throws(TerminalError) {
            let terminal = CursesTerminal(settings: terminalSettings)
            try terminal.start()
            let opening = SessionOpening(settings.session, settings: settings, publisher: publisher)
            let runner = EffectRunner(
                opening: opening, publisher: publisher, opener: FileOpener(command: settings.layout.openCommand),
                savedLayoutPath: savedLayoutPath, rules: invocation.hostRules, failures: WindowFailures(settings),
                awaitEnd: { supply?.awaitEnd($0) }, judge: judge)
            terminal.setMouse(settings.usesMouse)
            let dashboard = DashboardProgram(
                model: model(framesPerSecond: framesPerSecond), terminal: terminal, signals: signals, mailbox: mailbox,
                effects: runner,
                framesPerSecond: framesPerSecond)
            // In parallel to the first frame, which thousands of jobs must not delay.
            opening.whenReady { JobLoader.load(jobs, into: $0, publisher) }
            for warning in invocation.warnings { mailbox.post(.toast(warning, isError: true)) }
            if let supply { opening.whenReady { supply.begin($0) } }
            let status = ExitCode(rawValue: dashboard.run())
            // For the demo only the summary matters.
            for line in runner.closing.prefix(invocation.action == .demo ? 1 : .max) { Netdash.say(line) }
            if let left = runner.hooksLeft { Netdash.say("netdash: " + left) }
            if let unwritten = runner.unwritten { Netdash.complain(unwritten.sentence) }
            return opening.refusal.map(refuse) ?? status
        } catch {
            Netdash.complain(ProgramErrors.plainInstead("\(error)"))
            return nil
        }
    }

    /// The model of an empty dashboard with the settings.
    private func model(framesPerSecond: Int) -> Model {
        var model = Model()
        model.options.framesPerSecond = framesPerSecond
        model.options.glyphs = invocation.settings.glyphs
        model.options.usesMouse = invocation.settings.usesMouse
        model.options.limits = TransferLimits(
            all: invocation.settings.maximumConcurrent, perHost: invocation.settings.maximumPerHost)
        model.options.rates = invocation.settings.rates
        var layout = invocation.settings.layout
        apply(layout, to: &model)
        model.knownSettings = model.settings
        if let savedLayoutPath {
            layout.apply(SavedLayoutFile.read(savedLayoutPath), configured: model.knownSettings)
            apply(layout, to: &model)
        }
        let isDemo = invocation.action == .demo
        model.keys = isDemo ? invocation.keys.withTour : invocation.keys
        model.tour = isDemo && model.keys != invocation.keys ? Tour() : nil
        model.jobDefaults = invocation.jobDefaults
        let variables = ProcessInfo.processInfo.environment.filter { !$0.value.isEmpty }
        model.variables = Set(variables.keys)
        model.jobDefaults.checksum = nil
        let sessionName = invocation.settings.session.nameForDashboard
        model.isSaved = sessionName != nil
        model.sessionName = sessionName.map { SafeText(untrusted: $0) }
        model.hasNamedSession = invocation.settings.session.nameWithoutDashboard != nil
        model.keepsParts = !isDemo
        return model
    }

    private func apply(_ layout: DashboardLayout, to model: inout Model) {
        model.options.units = layout.units
        model.options.quitting = layout.quitting
        model.options.theme = layout.theme
        model.options.show(only: layout.columns)
        model.options.columnWidths = layout.columnWidths
        model.options.views = layout.views
        model.rows.apply(RowQuery(order: layout.order, grouping: layout.grouping), rates: model.rates, now: model.now)
        model.details.pane = layout.pane
        model.details.showsGraph = layout.showsGraph
        model.list.timeColumn = layout.timeColumn
    }

    /// The file of the session's view settings; nil for a dashboard that saves nothing.
    private var savedLayoutPath: String? {
        guard invocation.action != .demo, let session = invocation.settings.session.nameForDashboard else { return nil }
        return SavedLayoutFile.path(session: session, environment: ProcessInfo.processInfo.environment)
    }

    /// The default frame rate: lower over ssh, where every frame is a packet that may be late.
    private static var usualFrameRate: Int {
        let isRemote = ProcessInfo.processInfo.environment["SSH_CONNECTION"].map { !$0.isEmpty } ?? false
        return isRemote ? 2 : 4
    }

    private var terminalSettings: TerminalSettings {
        var settings = TerminalSettings(environment: ProcessInfo.processInfo.environment)
        settings.glyphs = invocation.settings.glyphs
        settings.setsTitle = invocation.settings.layout.setsTitle
        settings.theme = invocation.settings.layout.theme
        settings.styles = invocation.settings.layout.styles
        settings.watchesFocus = invocation.settings.layout.watchesFocus
        if !invocation.settings.layout.showsTaskbarProgress { settings.showsProgress = false }
        switch invocation.settings.color {
        case .auto: break
        case .always: settings.usesColor = true
        case .never: settings.usesColor = false
        }
        return settings
    }

    /// Catches signals before the first thread exists, because threads inherit the blocked ones.
    private func catchSignals(forTransfers: Bool = true) throws(UsageError) -> Signals {
        let signals = try needed { () throws(SystemCallError) in try Signals() }
        do throws(Resources.Shortage) {
            try Resources.prepare(forTransfers: forTransfers)
        } catch {
            throw UsageError(ProgramErrors.cannotStart("\(error)"))
        }
        try needed { () throws(SystemCallError) in
            try StuckWatch.begin(signals.descriptor, restore: TerminalDevice.restoreAtLast)
        }
        return signals
    }

    /// Throws a usage error when a required object cannot be made.
    private func needed<Part>(_ make: () throws(SystemCallError) -> Part) throws(UsageError) -> Part {
        do throws(SystemCallError) {
            return try make()
        } catch {
            throw UsageError(ProgramErrors.cannotStart("\(error)"))
        }
    }

    private func openLog() throws(UsageError) -> LogFile? {
        guard let path = invocation.settings.logPath else { return nil }
        return try LogFile(
            path: path, level: invocation.settings.logLevel, label: invocation.settings.logLabel)
    }

    private func print(_ text: String) -> ExitCode {
        guard !Descriptor.writeAll(Array(text.utf8), to: STDOUT_FILENO) else { return .success }
        let output = UnwrittenReport.name(ofStream: STDOUT_FILENO)
        let unwritten = UnwrittenReport(output: output, errno: errno)
        Netdash.complain(unwritten.sentence)
        return unwritten.exitCode
    }
}
