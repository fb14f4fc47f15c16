import CLinux
import Dashboard
import DashboardView
import Foundation
import Glibc
import TransferService

/// Runs the dashboard: a model, a terminal, and a loop between them.
final class DashboardProgram {
    private let terminal: any Terminal
    private let signals: any SignalSource
    private let mailbox: Mailbox<Message>
    private let effects: any EffectHandling
    private let framesPerSecond: Int
    private var model: Model
    private var reaction = LoopReaction.none
    /// The model's next deadline after the latest event: the loop reads it twice a turn, and asking the model copies
    /// it.
    private var nextDeadline: Int64?
    /// The moment at which the time of day is sent again, and how far the system's clock was from ours.
    private var timeOfDayDue = Int64.min
    private var clockDistance: Int64 = 0
    /// The clickable areas and the rows of the visible frame.
    private var targets: [ClickTarget] = []
    private var drawnRows: Set<UInt64> = []

    /// A dashboard on a started terminal; messages for the model go to `mailbox`.
    init(
        model: Model, terminal: any Terminal, signals: any SignalSource, mailbox: Mailbox<Message>,
        effects: any EffectHandling, framesPerSecond: Int
    ) {
        self.model = model
        self.terminal = terminal
        self.signals = signals
        self.mailbox = mailbox
        self.effects = effects
        self.framesPerSecond = framesPerSecond
    }

    /// Shows the dashboard until the user leaves, restores the terminal, and returns the exit status.
    func run() -> Int32 {
        defer { terminal.stop() }
        sendClock()
        send(.resized(terminal.size))
        nextDeadline = model.nextDeadline
        let loop = EventLoop(
            terminal: terminal, signals: signals, mailbox: mailbox, framesPerSecond: framesPerSecond,
            handlers: .init(
                handle: handle,
                nextDeadline: { [self] in nextDeadline },
                frame: frame))
        return loop.run()
    }

    private func frame(size: Size) -> Surface {
        let surface = DashboardView.view(model, size: size, capabilities: terminal.capabilities)
        targets = surface.targets
        let rows = model.drawnRows
        if rows != drawnRows {
            drawnRows = rows
            effects.show(rows)
        }
        let status = WindowStatus(model)
        terminal.setTitle(status.title)
        terminal.setProgress(status.progress)
        return surface
    }

    // MARK: Events

    private func handle(_ event: LoopEvent<Message>) -> LoopReaction {
        reaction = .none
        sendClock()
        switch event {
        case .input(let inputs): for input in inputs { handle(input) }
        case .messages(let messages): for message in messages { send(message, showing: urgency(of: message)) }
        case .resized(let size): send(.resized(size), showing: .now)
        case .deadline: reaction.frame = max(reaction.frame, .whenDue)
        case .returned:
            reaction.hasFocus = true
            send(.resumedFromBackground, showing: .now)
        case .endRequested(let signal): end(signal: signal)
        case .terminalGone: end(signal: SIGHUP)
        }
        nextDeadline = model.nextDeadline
        return reaction
    }

    private func handle(_ input: TerminalInput) {
        switch input {
        case .key(let key): send(.key(key), showing: .now)
        case .paste(let text): send(.paste(text), showing: .now)
        case .mouse(let event): handle(event)
        case .focus(let isHere):
            reaction.hasFocus = isHere
            // Without the focus changes wait up to a second; the returning user sees them at once.
            if isHere { reaction.frame = .now }
        }
    }

    /// A click selects what the visible frame shows at its position.
    private func handle(_ event: MouseEvent) {
        switch event.kind {
        case .wheelUp: send(.scrolled(-3), showing: .now)
        case .wheelDown: send(.scrolled(3), showing: .now)
        case .press:
            let target = targets.last { $0.row == event.row && $0.columns.contains(event.column) }
            switch target?.meaning {
            case .key(let key): send(.key(key), showing: .now)
            case .row(let id): send(.picked(id), showing: .now)
            case .group(let number): send(.pickedGroup(number), showing: .now)
            case .tab(let tab): send(.tabbed(tab), showing: .now)
            case .detailsTab(let tab): send(.detailsTab(tab), showing: .now)
            case .choice(let index): send(.chosen(index), showing: .now)
            case .order(let column): send(.ordered(column), showing: .now)
            case nil: break
            }
        }
    }

    /// The first rows are shown at once, because the user waits for them.
    ///
    /// Rows with only changed numbers wait for the next frame; everything else gets its own frame.
    private func urgency(of message: Message) -> FramePacer.Urgency {
        switch message {
        case .rows where model.rows.count == 0: .now
        case .rows(let rows): rows.contains { model.rows.figures(of: $0.id)?.state != $0.state } ? .soon : .whenDue
        case .figures(let rows): rows.contains { model.rows.figures(of: $0.id)?.state != $0.state } ? .soon : .whenDue
        case .clock, .timeOfDay, .details, .connections, .log, .logged: .whenDue
        default: .soon
        }
    }

    /// Sends the clock, and the time of day once a second, or at once when the machine has slept or its clock was set.
    private func sendClock() {
        let now = cl_monotonic_milliseconds()
        send(.clock(now))
        let time = Timestamp.now()
        let distance = time.milliseconds - now
        guard now >= timeOfDayDue || abs(distance - clockDistance) > 1_000 else { return }
        (timeOfDayDue, clockDistance) = (now + 1_000, distance)
        send(.timeOfDay(time.millisecondsOfDay))
    }

    private func send(_ message: Message, showing urgency: FramePacer.Urgency = .never) {
        let wanted = update(&model, message)
        reaction.frame = max(reaction.frame, urgency)
        if !wanted.isEmpty { perform(wanted) }
    }

    // MARK: Effects

    private func perform(_ wanted: [Effect]) {
        for effect in wanted {
            switch effect {
            case .copy(let text):
                if !terminal.copy(text) {
                    send(.toast(EffectToasts.tooLongToCopy, isError: true), showing: .now)
                }
            case .announce(let announcement): terminal.announce(announcement)
            case .redrawAll:
                terminal.redrawAll()
                reaction.frame = .now
            case .suspendProgram: reaction.suspends = true
            case .quit: end(signal: nil)
            case .page(let path, let isTemporary): page(path, isTemporary: isTemporary)
            case .setMouse(let isOn): terminal.setMouse(isOn)
            case .setFramesPerSecond(let count): reaction.framesPerSecond = count
            case .setGlyphs(let glyphs):
                terminal.setGlyphs(glyphs)
                reaction.frame = .now
            case .setTheme(let theme):
                terminal.setTheme(theme)
                reaction.frame = .now
            default:
                for message in effects.perform(effect) { send(message, showing: .now) }
            }
        }
    }

    /// Lends the terminal to the user's pager until the pager ends.
    private func page(_ path: String, isTemporary: Bool) {
        terminal.suspend()
        let problem = Pager(environment: ProcessInfo.processInfo.environment).show(path)
        if isTemporary { _ = unlink(path) }
        // Signals of keys typed in the pager were not meant for this program.
        for signal in signals.drain() where ![SIGINT, SIGQUIT, SIGTSTP, SIGCONT].contains(signal) {
            _ = kill(getpid(), signal)
        }
        // Messages first, then the clock: the other order would show speeds as a standstill and a leap.
        for message in mailbox.drain() { send(message, showing: urgency(of: message)) }
        sendClock()
        if terminal.resumeAfterStop() {
            terminal.redrawAll()
            send(.resized(terminal.size), showing: .now)
        } else {
            reaction.suspends = true
        }
        if let problem { send(.toast(problem, isError: true), showing: .now) }
    }

    private func end(signal: Int32?) {
        guard reaction.exitStatus == nil else { return }
        // The shell gets its terminal back at once; saving may take a moment.
        terminal.stop()
        _ = effects.perform(model.dropCleared() + model.saveLayouts())
        // After a signal, earlier or during the wait, the end does not wait for hook commands.
        let status = effects.close(unless: { signal != nil || signals.drain().contains(where: Signals.ending.contains) }
        )
        // A file that came too late to be shown.
        for case .viewable(let path, true) in mailbox.drain() { _ = unlink(path) }
        reaction.exitStatus = signal.map { 128 + $0 } ?? status
    }
}
