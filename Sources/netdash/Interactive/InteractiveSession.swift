import Dashboard
import Glibc

/// Commands by line, for those who cannot or do not want to look at a screen.
///
/// The terminal stays as it is, so its own line editing works and a screen reader hears lines, never a redrawn screen.
/// Commands reach transfers the same way as the dashboard's keys; what becomes of them comes as an event.
struct InteractiveSession {
    /// The answer to a line.
    struct Answer: Equatable {
        var lines: [SafeText] = []
        /// Whether to leave the program.
        var ends = false
    }

    private let service: any TransferService
    private let defaults: Job
    private var lines = LineCollector()
    private var askedToQuit = false

    /// A session on standard input; `defaults` is what an added download has beside its URL.
    init(service: any TransferService, defaults: Job) {
        self.service = service
        self.defaults = defaults
    }

    /// Whether somebody wants to work by line: the user says so in the environment and sits at a terminal.
    static func isWanted(environment: [String: String]) -> Bool {
        environment["ACCESSIBLE"] == "1" && isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1
    }

    /// Carries out what was typed; no bytes are the end of input, which leaves.
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

    /// Carries out one line.
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

    private func answer(to command: InteractiveCommand) -> Answer {
        switch command {
        case .nothing: return Answer()
        case .help: return Answer(lines: InteractiveText.help)
        case .list:
            let rows = service.allSnapshots
            return Answer(lines: rows.isEmpty ? [InteractiveText.status(of: [])] : rows.map(InteractiveText.line))
        case .status(.all): return Answer(lines: [InteractiveText.status(of: service.allSnapshots)])
        case .status(.ids(let ids)):
            let (rows, missing) = find(ids)
            return Answer(lines: rows.flatMap(InteractiveText.details) + missing)
        case .pause(let selection): return act("pause", on: selection, where: \.canPause) { service.send(.pause($0)) }
        case .resume(.all): return act("resume", on: .all, where: \.state.isPaused) { service.send(.resume($0)) }
        case .resume(let selection):
            return act("resume", on: selection, where: \.canStart) { service.send(.resume($0)) }
        case .cancel(let selection, let deletingParts):
            return act(deletingParts ? "delete" : "cancel", on: selection, where: \.canCancel) {
                service.send(.cancel($0, deletingParts: deletingParts))
            }
        case .add(let urls): return add(urls)
        case .clear:
            let ids = service.allSnapshots.filter(\.state.isFinal).map(\.id)
            service.send(.clear(ids))
            return Answer(lines: [ids.isEmpty ? "No task has ended" : SafeText(ids.count) + " dropped from the list"])
        case .quit:
            guard service.liveCount > 0, !askedToQuit else { return Answer(ends: true) }
            let count = SafeText(service.liveCount) + (service.liveCount == 1 ? " task has" : " tasks have")
            return Answer(lines: [count + " not ended. Type quit again to leave; bytes are kept"])
        }
    }

    private func act(
        _ name: SafeText, on selection: InteractiveCommand.Selection, where fits: (RowSnapshot) -> Bool,
        do action: ([UInt64]) -> Void
    ) -> Answer {
        switch selection {
        case .all:
            let ids = service.allSnapshots.filter(fits).map(\.id)
            action(ids)
            return Answer(lines: ids.isEmpty ? ["There is nothing to " + name] : [])
        case .ids(let ids):
            let (rows, missing) = find(ids)
            action(rows.filter(fits).map(\.id))
            let skipped = rows.filter { !fits($0) }.map { "Cannot " + name + ": " + InteractiveText.line(of: $0) }
            return Answer(lines: skipped + missing)
        }
    }

    private func add(_ urls: [String]) -> Answer {
        var answer = Answer()
        for text in urls {
            do throws(UsageError) {
                var job = defaults
                job.url = try URLText.checked(text, label: "add")
                service.send(.add([job]))
            } catch {
                answer.lines.append(SafeText(untrusted: error.message))
            }
        }
        return answer
    }

    private func find(_ ids: [UInt64]) -> (rows: [RowSnapshot], missing: [SafeText]) {
        let rows = service.snapshots(of: ids)
        let known = Set(rows.map(\.id))
        return (rows, ids.filter { !known.contains($0) }.map { "There is no task " + SafeText($0) })
    }
}
