import CLinux
import Dashboard
import Glibc

/// The main thread's loop: waits for keys, signals, messages and deadlines, and draws the result.
///
/// It sleeps until one of them comes, so an idle dashboard costs nothing. It knows neither the model nor the views,
/// which are closures that run on this thread. All pending events are handled before a frame is drawn, so a burst of
/// keys costs one frame.
final class EventLoop<Message: Sendable> {
    /// The program's callbacks.
    struct Handlers {
        var handle: (LoopEvent<Message>) -> LoopReaction
        /// The moment at which the screen must change, in milliseconds of the clock; nil without one.
        var nextDeadline: () -> Int64?
        /// Draws a frame of a size.
        var frame: (Size) -> Surface
    }

    private static var deadlineSpacing: Int64 { 10 }
    /// Milliseconds between two checks of a background program for the terminal: the shell sends no signal for that.
    private static var backgroundInterval: Int64 { 500 }

    private let terminal: any Terminal
    private let signals: any SignalSource
    private let mailbox: Mailbox<Message>
    private let handlers: Handlers
    private let clock: () -> Int64
    private var pacer: FramePacer
    private var isBackground = false
    private var isTerminalGone = false
    private var backgroundCheck: Int64 = 0
    /// The moment before which no deadline is reported, so that one that never advances cannot keep the loop awake.
    private var earliestDeadline = Int64.min
    private var endSignal: Int32?
    private var exitStatus: Int32?

    /// A loop on a started terminal.
    init(
        terminal: any Terminal, signals: any SignalSource, mailbox: Mailbox<Message>, framesPerSecond: Int,
        clock: @escaping () -> Int64 = cl_monotonic_milliseconds, handlers: Handlers
    ) {
        self.terminal = terminal
        self.signals = signals
        self.mailbox = mailbox
        self.handlers = handlers
        self.clock = clock
        pacer = FramePacer(framesPerSecond: framesPerSecond)
    }

    /// Runs until a reaction ends it, and returns that reaction's status.
    func run() -> Int32 {
        pacer.request(.now, now: clock())
        while true {
            drawIfDue()
            if let exitStatus { return exitStatus }
            turn()
            if let exitStatus { return exitStatus }
        }
    }

    // MARK: Waiting

    private struct Ready {
        var input = false
        var output = false
        var hangUp = false
        var signals = false
        var messages = false
    }

    private var usesTerminal: Bool { !isBackground && !isTerminalGone }

    private func wait() -> Ready {
        let wantsOutput = terminal.hasUnsentOutput
        let terminalEvents = Int16(POLLIN) | (wantsOutput ? Int16(POLLOUT) : 0)
        var descriptors = [
            pollfd(fd: usesTerminal ? terminal.descriptor : -1, events: terminalEvents, revents: 0),
            pollfd(fd: signals.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: mailbox.descriptor, events: Int16(POLLIN), revents: 0),
        ]
        let count = poll(&descriptors, nfds_t(descriptors.count), timeout)
        guard count > 0 else {
            precondition(count == 0 || errno == EINTR, "poll failed with errno \(errno)")
            return Ready()
        }
        let found = Int32(descriptors[0].revents)
        return Ready(
            input: found & POLLIN != 0, output: found & POLLOUT != 0,
            hangUp: found & (POLLHUP | POLLERR | POLLNVAL) != 0,
            signals: descriptors[1].revents != 0, messages: descriptors[2].revents != 0)
    }

    /// Milliseconds to sleep; -1 without a limit.
    private var timeout: Int32 {
        var moments = [nextDeadline]
        if isBackground { moments.append(backgroundCheck) }
        if usesTerminal {
            moments.append(terminal.inputDeadline)
            if !terminal.hasUnsentOutput { moments.append(pacer.due) }
        }
        guard let earliest = moments.compactMap({ $0 }).min() else { return -1 }
        return Int32(clamping: max(earliest - clock(), 0))
    }

    private var nextDeadline: Int64? { handlers.nextDeadline().map { max($0, earliestDeadline) } }

    // MARK: One turn

    private func turn() {
        let ready = wait()
        if ready.signals { handleSignals() }
        if ready.output { attempt { () throws(TerminalError) in try terminal.flush() } }
        let isInputDue = usesTerminal && terminal.inputDeadline.map { $0 <= clock() } ?? false
        if usesTerminal && (ready.input || isInputDue) { handleInput() }
        // Keys typed before the hang-up still count, so the hang-up comes second.
        if ready.hangUp { loseTerminal() }
        if ready.messages { apply(handlers.handle(.messages(mailbox.drain()))) }
        if let moment = nextDeadline, moment <= clock() {
            earliestDeadline = clock() + Self.deadlineSpacing
            apply(handlers.handle(.deadline))
        }
        if isBackground, backgroundCheck <= clock() { tryToReturn() }
    }

    private func handleInput() {
        do throws(TerminalError) {
            let inputs = try terminal.readKeys(now: clock())
            if !inputs.isEmpty { apply(handlers.handle(.input(inputs))) }
        } catch {
            loseTerminal()
        }
    }

    private func handleSignals() {
        for signal in signals.drain() {
            switch signal {
            case SIGWINCH: handleNewSize()
            case SIGTSTP: suspend()
            case SIGCONT: if !isTerminalGone { tryToReturn() }
            default: if Signals.ending.contains(signal) { requestEnd(signal) }
            }
        }
    }

    private func handleNewSize() {
        guard usesTerminal else { return }
        let before = terminal.size
        let size = terminal.updateSize()
        if size != before { apply(handlers.handle(.resized(size))) }
        pacer.request(.soon, now: clock())
    }

    private func requestEnd(_ signal: Int32) {
        guard endSignal == nil else {
            exitStatus = 128 + signal
            return
        }
        endSignal = signal
        apply(handlers.handle(.endRequested(signal: signal)))
    }

    private func apply(_ reaction: LoopReaction) {
        if let rate = reaction.framesPerSecond { pacer.framesPerSecond = rate }
        if let hasFocus = reaction.hasFocus { pacer.hasFocus = hasFocus }
        if reaction.frame > .never { pacer.request(reaction.frame, now: clock()) }
        if let status = reaction.exitStatus, exitStatus == nil { exitStatus = status }
        if reaction.suspends { suspend() }
    }

    private func drawIfDue() {
        guard usesTerminal, !terminal.hasUnsentOutput, let due = pacer.due, due <= clock() else { return }
        let surface = handlers.frame(terminal.size)
        pacer.drew(now: clock())
        attempt { () throws(TerminalError) in try terminal.draw(surface) }
    }

    private func attempt(_ body: () throws(TerminalError) -> Void) {
        do {
            try body()
        } catch {
            loseTerminal()
        }
    }

    private func loseTerminal() {
        guard !isTerminalGone else { return }
        isTerminalGone = true
        apply(handlers.handle(.terminalGone))
    }

    // MARK: Stops

    /// Releases the terminal and stops the process until SIGCONT.
    private func suspend() {
        guard !isTerminalGone else { return }
        if !isBackground { terminal.suspend() }
        isBackground = true
        // SIGTSTP to oneself is discarded in an orphaned process group; SIGSTOP is not.
        _ = kill(getpid(), SIGSTOP)
        tryToReturn()
    }

    private func tryToReturn() {
        guard terminal.resumeAfterStop() else {
            isBackground = true
            backgroundCheck = clock() + Self.backgroundInterval
            return
        }
        isBackground = false
        apply(handlers.handle(.resized(terminal.size)))
        apply(handlers.handle(.returned))
        pacer.request(.now, now: clock())
    }
}

/// An event for the program.
enum LoopEvent<Message: Sendable>: Sendable {
    /// The input typed since the last turn.
    case input([TerminalInput])
    /// The messages posted since the last turn.
    case messages([Message])
    case resized(Size)
    /// The program's requested deadline has come.
    case deadline
    /// The program was stopped, or another program had the terminal, and it is in the foreground again.
    case returned
    /// A signal asks the program to end. A second one ends the loop at once without asking.
    case endRequested(signal: Int32)
    /// The terminal has hung up; nothing can be shown any more.
    case terminalGone
}
