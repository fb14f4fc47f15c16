import Dashboard
import Glibc
import TransferService

/// Runs typed commands for users who cannot or do not want to use a screen.
///
/// The terminal stays in its normal mode, so that its line editing works and a screen reader gets lines, never a
/// redrawn screen. Commands use the same service as the dashboard's keys; their results come as events.
struct InteractiveSession {
    /// The result of a line.
    struct Answer: Equatable {
        var lines: [SafeText] = []
        /// Whether to leave the program.
        var ends = false
    }

    private let service: any TransferService
    private let defaults: Job
    /// The settings of some hosts.
    private let rules: HostRules
    private var lines = LineCollector()
    private var askedToQuit = false
    /// The rate limits, as given or changed here.
    private var rates: RatePlan
    /// The steps that can be undone.
    private var undo = UndoList()

    /// A session on standard input; `defaults` are an added task's settings beside its URL.
    init(
        service: any TransferService, defaults: Job, rates: RatePlan = RatePlan(), rules: HostRules = HostRules()
    ) {
        self.rules = rules
        self.service = service
        self.defaults = defaults
        self.rates = rates
    }

    /// Returns whether the user works by line: the environment says so, and both ends are terminals.
    static func isWanted(environment: [String: String]) -> Bool {
        environment["ACCESSIBLE"] == "1" && isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1
    }

    /// Runs typed bytes; an empty chunk is the end of input, which leaves.
    mutating func receive(_ bytes: [UInt8]) -> Answer {
        guard !bytes.isEmpty else { return Answer(ends: true) }
        var all = Answer()
        for line in lines.add(bytes) where !all.ends {
            let answer = answer(to: line)
            all.lines += answer.lines
            all.ends = answer.ends
        }
        return all
    }

    mutating func answer(to line: String) -> Answer {
        do throws(InteractiveCommand.Misunderstanding) {
            let command = try InteractiveCommand.parse(line)
            let answer = answer(to: command)
            if command != .nothing { askedToQuit = command == .quit && !answer.ends }
            return answer
        } catch {
            return Answer(lines: [error.sentence])
        }
    }

    // MARK: - Commands

    private mutating func answer(to command: InteractiveCommand) -> Answer {
        switch command {
        case .nothing: return Answer()
        case .help: return Answer(lines: InteractiveHelp.lines)
        case .list:
            let rows = service.allSnapshots
            return Answer(lines: rows.isEmpty ? [InteractiveText.status(of: [])] : rows.map(InteractiveText.line))
        case .status(.all): return Answer(lines: [InteractiveText.status(of: service.allSnapshots)])
        case .status(.ids(let ids)):
            let (rows, missing) = find(ids)
            return Answer(lines: rows.flatMap(InteractiveText.details) + missing)
        case .pause(let selection): return pause(selection)
        case .resume(let selection): return resume(selection)
        case .cancel(let selection, let deletingParts): return cancel(selection, deletingParts: deletingParts)
        case .add(let urls): return add(urls)
        case .upload(let file, let url, let keys):
            var job = defaults
            (job.kind, job.body) = (.upload, .file(path: file))
            return add(job, url: url, keys: keys, label: "upload")
        case .request(let url, let keys):
            var job = defaults
            job.kind = .data
            return add(job, url: url, keys: keys, label: "request")
        case .edit(let id, let keys): return edit(id, keys)
        case .body(let id): return Answer(lines: body(of: id))
        case .limit(let text): return limit(text)
        case .limitTask(let id, let text): return limit(id, to: text)
        case .undo: return takeBack()
        case .clear:
            let ids = service.allSnapshots.filter(\.state.isFinal).map(\.id)
            if !ids.isEmpty { undo.pass(InteractiveLines.clearStays) }
            service.send(.clear(ids))
            return Answer(lines: [ids.isEmpty ? InteractiveLines.noEndedTasks : InteractiveLines.cleared(ids.count)])
        case .quit:
            let live = service.counts.live
            guard live > 0, !askedToQuit else { return Answer(ends: true) }
            return Answer(lines: [InteractiveLines.unfinished(live)])
        }
    }

    /// The rows of a selection that a command applies to, and lines about the others.
    private func choose(
        _ name: SafeText, _ selection: InteractiveCommand.Selection, else reason: SafeText? = nil,
        where fits: (RowSnapshot) -> Bool
    ) -> (rows: [RowSnapshot], lines: [SafeText]) {
        switch selection {
        case .all:
            let rows = service.allSnapshots.filter(fits)
            return (rows, rows.isEmpty ? [InteractiveLines.nothing(to: name)] : [])
        case .ids(let ids):
            let (rows, missing) = find(ids)
            let skipped = rows.filter { !fits($0) }.map { row in
                let line = InteractiveText.line(of: row)
                return reason.map { InteractiveLines.refused(name, $0, line) } ?? InteractiveLines.refused(name, line)
            }
            return (rows.filter(fits), skipped + missing)
        }
    }

    private mutating func pause(_ selection: InteractiveCommand.Selection) -> Answer {
        let (rows, lines) = choose("pause", selection, where: \.canPause)
        let ids = rows.map(\.id)
        if !ids.isEmpty { _ = undo.add(.paused(ids)) }
        service.send(.pause(ids))
        return Answer(lines: lines)
    }

    private mutating func resume(_ selection: InteractiveCommand.Selection) -> Answer {
        let (rows, lines) = choose("resume", selection) { selection == .all ? $0.state.isPaused : $0.canStart }
        let ids = rows.map(\.id)
        if rows.allSatisfy(\.state.isPaused) {
            if !ids.isEmpty { _ = undo.add(.resumed(ids)) }
        } else {
            undo.pass(InteractiveLines.retryStays)
        }
        service.send(.resume(ids))
        return Answer(lines: lines)
    }

    private mutating func cancel(_ selection: InteractiveCommand.Selection, deletingParts: Bool) -> Answer {
        let (rows, lines) =
            deletingParts
            ? choose("delete", selection, else: InteractiveLines.hasNoPart) { row in
                row.canCancel || selection != .all && row.keepsPart
            } : choose("cancel", selection, else: InteractiveLines.hasEnded, where: \.canCancel)
        let ids = rows.map(\.id)
        let deleted = rows.filter { !$0.canCancel }.map { InteractiveLines.partDeleted($0.id) }
        let figures = rows.map(\.figures)
        if !ids.isEmpty {
            if !deletingParts, figures.allSatisfy(\.canBeStoppedAndGoOn) {
                _ = undo.add(.cancelled(StoppedTasks(figures)))
            } else {
                undo.pass(InteractiveLines.cancelStays)
            }
        }
        service.send(.cancel(ids, deletingParts: deletingParts))
        return Answer(lines: lines + deleted)
    }

    // MARK: - Adding and changing

    private mutating func add(_ urls: [String]) -> Answer {
        urls.reduce(into: Answer()) { $0.lines += add(defaults, url: $1, keys: [], label: "add").lines }
    }

    private mutating func add(_ job: Job, url: String, keys: [String], label: String) -> Answer {
        do throws(UsageError) {
            var own = job.bare
            try URLText.set(url, of: &own, label: label)
            for key in keys { try ListKey.apply(key, to: &own, label: label) }
            let job = own.over(job)
            try ListKey.check(job, label: label)
            undo.pass(InteractiveLines.addStays)
            service.send(.add([rules.applied(to: job)]))
            return Answer()
        } catch {
            return Answer(lines: [SafeText(untrusted: error.message)])
        }
    }

    /// Replaces a task's job; the service stops an unfinished task first, keeping its bytes.
    private mutating func edit(_ id: UInt64, _ keys: [String]) -> Answer {
        guard let former = service.jobs(of: [id]).first, let row = service.snapshots(of: [id]).first else {
            return Answer(lines: find([id]).missing)
        }
        var job = former.bare
        do throws(UsageError) {
            for key in keys {
                if key.hasPrefix("url=") {
                    try URLText.set(String(key.dropFirst("url=".count)), of: &job, label: "edit: url")
                } else {
                    try ListKey.apply(key, to: &job, label: "edit")
                }
            }
            job = job.over(former)
            try ListKey.check(job, label: "edit")
        } catch {
            return Answer(lines: [SafeText(untrusted: error.message)])
        }
        undo.pass(InteractiveLines.editStays)
        if row.state.isPaused { job.startsPaused = true }
        let refusal = service.send(.replace(id, with: job)).refusals.first
        if let refusal { return Answer(lines: [refusal.reason]) }
        guard !row.state.isFinal else { return Answer() }
        return Answer(
            lines: [job.startsPaused ? InteractiveLines.pausesChanged(id) : InteractiveLines.restartsChanged(id)])
    }

    /// Lines about a task that has ended, such as a response's body.
    func taskEnded(_ id: UInt64) -> [SafeText] {
        guard let row = service.snapshots(of: [id]).first, row.state.isFinal else { return [] }
        guard let body = service.details(of: id)?.body, !body.lines.isEmpty else { return [] }
        return [InteractiveLines.typeBody(id, body.summary)]
    }

    private func body(of id: UInt64) -> [SafeText] {
        guard let row = service.snapshots(of: [id]).first, let details = service.details(of: id) else {
            return find([id]).missing
        }
        return InteractiveText.body(of: row, details)
    }

    // MARK: - Limits

    private mutating func limit(_ text: String) -> Answer {
        guard !text.isEmpty else { return Answer(lines: [InteractiveText.limits(rates)]) }
        do throws(RateSchedule.Problem) {
            let plan = try rates.changed(by: text)
            _ = undo.add(.rated(rates))
            rates = plan
            service.send(.setRates(plan))
            return Answer(lines: [InteractiveText.limits(plan)])
        } catch {
            return Answer(lines: [InteractiveLines.limit(SafeText(untrusted: error.sentence))])
        }
    }

    private mutating func limit(_ id: UInt64, to text: String) -> Answer {
        guard let row = service.snapshots(of: [id]).first else { return Answer(lines: find([id]).missing) }
        guard !row.state.isFinal else {
            return Answer(lines: [InteractiveLines.refused("limit", InteractiveText.line(of: row))])
        }
        do throws(RateSchedule.Problem) {
            let rates = text.isEmpty ? nil : try TaskRates(text, for: [row.kind])
            _ = undo.add(.limitedTask(id, before: service.details(of: id)?.rates))
            service.send(.limitTasks([id], rates))
            return Answer(lines: [InteractiveLines.taskLimits(id, InteractiveText.limits(rates))])
        } catch {
            return Answer(lines: [InteractiveLines.limit(SafeText(untrusted: error.sentence))])
        }
    }

    // MARK: - Undo

    private mutating func takeBack() -> Answer {
        guard let step = undo.takeNext() else {
            return Answer(lines: [undo.passOver() ?? InteractiveLines.nothingToUndo])
        }
        switch step {
        case .paused(let ids): return goOn(ids, pausing: [])
        case .resumed(let ids): return pauseAgain(ids)
        case .cancelled(let tasks): return goOn(tasks.ids, pausing: tasks.paused)
        case .rated(let plan):
            rates = plan
            service.send(.setRates(plan))
            return Answer(lines: [InteractiveText.limits(plan)])
        case .limitedTask(let id, let before):
            service.send(.limitTasks([id], before))
            return Answer(lines: [InteractiveLines.taskLimits(id, InteractiveText.limits(before))])
        // No typed command makes these.
        case .prioritised, .movedInQueue, .limited, .movedFile, .movedFiles, .removed: return Answer()
        }
    }

    private func goOn(_ ids: [UInt64], pausing paused: [UInt64]) -> Answer {
        let hit = service.figures(of: ids).filter { $0.state != .done }.map(\.id)
        guard !hit.isEmpty else { return Answer(lines: [InteractiveLines.tooLateToUndo]) }
        service.send(.resume(hit))
        let again = paused.filter(hit.contains)
        service.send(.pause(again))
        let lines = [(hit.count - again.count, InteractiveLines.resumed), (again.count, InteractiveLines.pausedAgain)]
        return Answer(lines: lines.filter { $0.0 > 0 }.map { $0.1($0.0) })
    }

    private func pauseAgain(_ ids: [UInt64]) -> Answer {
        let hit = service.figures(of: ids).filter(\.canPause).map(\.id)
        guard !hit.isEmpty else { return Answer(lines: [InteractiveLines.tooLateToUndo]) }
        service.send(.pause(hit))
        return Answer(lines: [InteractiveLines.paused(hit.count)])
    }

    private func find(_ ids: [UInt64]) -> (rows: [RowSnapshot], missing: [SafeText]) {
        let rows = service.snapshots(of: ids)
        let known = Set(rows.map(\.id))
        return (rows, ids.filter { !known.contains($0) }.map { InteractiveLines.noTask($0) })
    }
}

extension RowSnapshot {
    /// Whether it is a download that has ended without its file, and has bytes in a partial file.
    fileprivate var keepsPart: Bool {
        figures.kind == .download && figures.state.isFinal && figures.state != .done && figures.moved > 0
    }
}
