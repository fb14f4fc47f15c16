import CLinux
import Glibc
import Testing

@testable import Dashboard
@testable import TransferService
@testable import netdash

@Suite("Event loop", .timeLimit(.minutes(1)))
struct TerminalEventLoopTests {
    private let terminal: FakeTerminal
    private let signals = FakeSignals()
    private let mailbox: Mailbox<Int>

    init() throws {
        terminal = try FakeTerminal()
        mailbox = try Mailbox<Int>()
    }

    private func run(
        framesPerSecond: Int = 4, deadline: @escaping () -> Int64? = { nil },
        clock: @escaping () -> Int64 = cl_monotonic_milliseconds,
        handle: @escaping (LoopEvent<Int>) -> LoopReaction
    ) -> Int32 {
        EventLoop(
            terminal: terminal, signals: signals, mailbox: mailbox, framesPerSecond: framesPerSecond,
            clock: clock, handlers: .init(handle: handle, nextDeadline: deadline, frame: { Surface(size: $0) })
        ).run()
    }

    @Test("A burst of keys is one event and one frame")
    func burst() {
        terminal.type("jjjjk")
        var events: [[TerminalInput]] = []
        let status = run { event in
            if case .input(let inputs) = event {
                events.append(inputs)
                terminal.type("q")
                return events.count == 2 ? LoopReaction(exitStatus: 7) : .draw(.now)
            }
            return .none
        }
        #expect(status == 7)
        #expect(events.first?.count == 5)
        #expect(terminal.frames.count == 2, "The first frame and one for the burst")
    }

    @Test("Messages arrive in order, with one event for those that waited")
    func messages() {
        for number in 0..<100 { mailbox.post(number) }
        var received: [[Int]] = []
        let status = run { event in
            if case .messages(let messages) = event { received.append(messages) }
            return LoopReaction(exitStatus: 0)
        }
        #expect(status == 0)
        #expect(received == [Array(0..<100)])
    }

    @Test("Messages of several threads keep each thread's order and none is lost")
    func threads() {
        let mailbox = mailbox
        let threads = (0..<4).map { thread in
            TestThread { for number in 0..<5000 { mailbox.post(thread * 10_000 + number) } }
        }
        var received: [Int] = []
        _ = run { event in
            if case .messages(let messages) = event { received += messages }
            return received.count == 20_000 ? LoopReaction(exitStatus: 0) : .none
        }
        for thread in threads { thread.join() }
        for thread in 0..<4 {
            #expect(received.filter { $0 / 10_000 == thread } == (0..<5000).map { thread * 10_000 + $0 })
        }
    }

    @Test("Progress is drawn at the frame rate, however often it comes")
    func coalescedFrames() {
        var time: Int64 = 0
        mailbox.post(0)
        var turns = 0
        _ = run(framesPerSecond: 10, clock: { time }) { event in
            guard case .messages = event else { return .none }
            turns += 1
            time += 5
            if time > 250 { return LoopReaction(exitStatus: 0) }
            mailbox.post(turns)
            return .draw(.whenDue)
        }
        #expect(turns == 51)
        #expect(terminal.frames.count == 3, "\(terminal.frames.count) frames in 250 ms at 10 a second")
    }

    @Test("A moment that has come is announced, and one that does not move on cannot keep the loop busy")
    func deadlines() {
        var time: Int64 = 0
        var announced = 0
        let clock = {
            time += 1
            return time
        }
        _ = run(deadline: { 0 }, clock: clock) { event in
            guard case .deadline = event else { return .none }
            announced += 1
            return time > 200 ? LoopReaction(exitStatus: 0) : .none
        }
        #expect((2...21).contains(announced), "\(announced) turns in 200 ms")
    }

    @Test("A lone escape is delivered without another byte")
    func escape() {
        terminal.type("\u{1B}")
        var received: [TerminalInput] = []
        _ = run { event in
            guard case .input(let inputs) = event else { return .none }
            received += inputs
            return LoopReaction(exitStatus: 0)
        }
        #expect(received == [.key(.escape)])
    }

    @Test("A signal asks to end; a second one ends at once, whatever the program thinks")
    func endSignals() {
        var requests: [Int32] = []
        signals.send(SIGTERM)
        let status = run { event in
            if case .endRequested(let signal) = event {
                requests.append(signal)
                signals.send(SIGINT)
            }
            return .none
        }
        #expect(requests == [SIGTERM])
        #expect(status == 128 + SIGINT)
    }

    @Test("A terminal that has gone is announced once and never polled again")
    func terminalGone() {
        var gone = 0
        terminal.type("x")
        var typed = 0
        var framesBefore = 0
        _ = run { event in
            switch event {
            case .input:
                typed += 1
                terminal.hangUp()
            case .terminalGone:
                gone += 1
                framesBefore = terminal.frames.count
                mailbox.post(1)
            case .messages: return LoopReaction(exitStatus: 0)
            case .resized, .deadline, .returned, .endRequested: break
            }
            return .draw(.now)
        }
        #expect((typed, gone) == (1, 1))
        #expect(terminal.frames.count == framesBefore, "No frame after the terminal has gone")
    }

    @Test("While the terminal has not taken a frame none is drawn, but keys and messages are served")
    func blockedTerminal() {
        terminal.hasUnsentOutput = true
        mailbox.post(1)
        var served = 0
        _ = run { event in
            served += 1
            if case .messages = event { terminal.type("k") }
            if case .input = event { return LoopReaction(exitStatus: 0) }
            return .draw(.now)
        }
        #expect(served == 2)
        #expect(terminal.frames.isEmpty)
    }

    @Test("A changed size is announced and drawn")
    func resize() {
        terminal.changeSizeAtNextUpdate(to: Size(columns: 20, rows: 5))
        signals.send(SIGWINCH)
        var announced: [Size] = []
        _ = run { event in
            if case .resized(let size) = event {
                announced.append(size)
                mailbox.post(0)
            }
            return announced.isEmpty || terminal.frames.last?.size != announced.last
                ? again() : LoopReaction(exitStatus: 0)
        }
        #expect(announced == [Size(columns: 20, rows: 5)])
        #expect(terminal.frames.last?.size == Size(columns: 20, rows: 5))

        func again() -> LoopReaction {
            mailbox.post(0)
            return .none
        }
    }

    @Test("After a continue in the background nothing is drawn until the terminal is ours again")
    func background() {
        terminal.ownsForeground = false
        signals.send(SIGCONT)
        var returned = 0
        var framesBefore = 0
        mailbox.post(0)
        _ = run { event in
            switch event {
            case .messages:
                framesBefore = terminal.frames.count
                terminal.ownsForeground = true
                return .draw(.now)
            case .returned:
                returned += 1
                #expect(terminal.frames.count == framesBefore)
                return LoopReaction(frame: .now, exitStatus: 0)
            case .input, .resized, .deadline, .endRequested, .terminalGone: return .none
            }
        }
        #expect(returned == 1)
    }
}
