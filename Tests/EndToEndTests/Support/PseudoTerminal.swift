import CLinux
import Foundation
import Glibc
import TerminalTestSupport

/// A program on a terminal of its own, and the person in front of it.
///
/// The terminal's session is led by a small shell that outlives the program and then waits, because the kernel resets
/// a terminal whose session leader ends, and with it the evidence of what the program left behind.
final class PseudoTerminal {
    /// Where the program's standard streams go.
    struct Streams {
        /// A descriptor, or -1 for the terminal.
        var input: Int32 = -1
        var output: Int32 = -1
        var error: Int32 = -1
    }

    /// Everything the terminal was sent.
    private(set) var bytes: [UInt8] = []
    /// What a person sees.
    private(set) var screen: VirtualScreen
    /// The screen as it was before the last keys.
    private var replay: ScreenReplay
    /// When the last bytes came.
    private(set) var lastArrival = ContinuousClock.now
    /// The modes before the program was started.
    let modesBefore: [UInt8]
    /// The shell that leads the session.
    private let leader: pid_t
    /// The side that a person sits at; -1 once the window is closed.
    private(set) var driver: Int32
    /// What the program keeps for its user; no test touches that of whoever runs it.
    private let userFolder: UserFolder

    /// Starts a program.
    init(
        _ arguments: [String], environment: [String: String] = [:], rows: Int = 24, columns: Int = 80,
        streams: Streams = Streams()
    ) throws {
        userFolder = try UserFolder()
        var name = [CChar](repeating: 0, count: 64)
        driver = cl_pty_open(&name, name.count, Int32(rows), Int32(columns))
        guard driver >= 0 else { throw WaitingFailed(description: "No pseudoterminal: errno \(errno)") }
        screen = VirtualScreen(columns: columns, rows: rows) { Int(cl_wcwidth($0.value)) }
        replay = ScreenReplay(screen)
        _ = setlocale(LC_ALL, "C.UTF-8")
        modesBefore = Self.modes(of: driver)
        // The status goes to the terminal itself, which the program's own output may not.
        let script = #""$@"; printf '<status %d>' $? >/dev/tty; read -r line </dev/tty"#
        let words = ["/bin/sh", "-c", script, "sh"] + arguments
        let variables = Self.standardEnvironment.merging(userFolder.environment) { $1 }
            .merging(environment) { $1 }.filter { !$0.value.isEmpty }
        do {
            leader = try Program.start(
                words, environment: variables, terminal: name, input: streams.input, output: streams.output,
                error: streams.error)
        } catch {
            close(driver)
            throw error
        }
    }

    deinit {
        kill(leader, SIGKILL)
        if let process { kill(process, SIGKILL) }
        hangUp()
        var status: Int32 = 0
        waitpid(leader, &status, 0)
    }

    /// What a program finds unless a test says otherwise; an empty value removes a variable.
    static let standardEnvironment = [
        "TERM": "xterm-256color", "LANG": "C.UTF-8", "PATH": "/usr/bin:/bin",
    ]

    // MARK: The program

    /// The program's process; nil before it runs and after it has ended.
    var process: pid_t? {
        let path = "/proc/\(leader)/task/\(leader)/children"
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return nil }
        return text.split(separator: " ").first.flatMap { pid_t($0) }
    }

    /// Sends a signal to the program.
    func signal(_ number: Int32) throws {
        guard let process, kill(process, number) == 0 else {
            throw WaitingFailed(description: "No process to send signal \(number) to")
        }
    }

    /// The status as a shell sees it, 128 + n for signal n, once the program has ended.
    func waitForEnd(within limit: Duration = patience) async throws -> Int {
        try await waitUntil("the end of the program", within: limit, otherwise: { screen.text }) {
            pump()
            let text = String(decoding: bytes.suffix(200), as: UTF8.self)
            return text.firstMatch(of: /<status (\d+)>/).flatMap { Int($0.1) }
        }
    }

    // MARK: The terminal

    /// The terminal's modes, all of them.
    var modes: [UInt8] { Self.modes(of: driver) }

    private static func modes(of descriptor: Int32) -> [UInt8] {
        var modes = termios()
        tcgetattr(descriptor, &modes)
        return withUnsafeBytes(of: &modes) { Array($0) }
    }

    /// Takes what was sent until now, but no more than a few frames: a program that draws faster than this reads would
    /// never let it come to an end.
    func pump() {
        var chunk = [UInt8](repeating: 0, count: 65_536)
        var rest = 256 << 10
        while driver >= 0, rest > 0, case let count = read(driver, &chunk, chunk.count), count > 0 {
            bytes += chunk[0..<count]
            screen.feed(chunk[0..<count])
            lastArrival = .now
            rest -= count
        }
    }

    /// Types, and looks at the screen meanwhile, unless told not to.
    func type(_ text: String, looking: Bool = true) throws {
        var rest = Array(text.utf8)[...]
        if looking { pump() }
        replay = ScreenReplay(screen, at: bytes.count)
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(driver, $0.baseAddress, $0.count) }
            if count < 0, errno != EAGAIN { throw WaitingFailed(description: "Typing failed: errno \(errno)") }
            rest = rest.dropFirst(max(count, 0))
            if looking { pump() }
        }
    }

    func resize(rows: Int, columns: Int) throws {
        pump()
        screen.resize(columns: columns, rows: rows)
        guard cl_pty_resize(driver, Int32(rows), Int32(columns)) == 0 else {
            throw WaitingFailed(description: "Resizing failed: errno \(errno)")
        }
    }

    /// Closes the terminal's window.
    func hangUp() {
        if driver >= 0 { close(driver) }
        driver = -1
    }

    /// Waits until the screen is as wanted, and returns its text.
    @discardableResult
    func waitForScreen(
        _ what: String, within limit: Duration = patience, _ isWanted: (VirtualScreen) -> Bool
    ) async throws -> String {
        try await waitUntil(what, within: limit, otherwise: { screen.text }) {
            pump()
            return isWanted(screen) ? screen.text : nil
        }
    }

    /// Waits until a sentence has been on the screen since the last keys: one that leaves by itself may have done so.
    func waitForToast(_ sentence: String) async throws {
        _ = try await waitUntil("the sentence \(sentence)", otherwise: { screen.text }) {
            pump()
            return replay.shows(sentence, in: bytes) ? true : nil
        }
    }

    /// Waits until nothing has been sent for a while.
    func waitForQuiet(_ duration: Duration = .milliseconds(150)) async throws {
        lastArrival = .now
        _ = try await waitUntil("quiet") {
            pump()
            return ContinuousClock.now - lastArrival > duration ? true : nil
        }
    }
}

extension PseudoTerminal {
    /// Presses keys, waits until the program has begun to paint the whole screen anew after the last of them, and returns
    /// what will be painted from there on.
    ///
    /// Frames are drawn when everything that was typed is taken, so nothing on the screen is older than the keys then.
    @discardableResult
    func press(_ keys: String) async throws -> ScreenReplay {
        pump()
        var looked = bytes.count
        try type(keys + "\u{C}")
        let place = try await waitUntil("a whole repaint", otherwise: { self.screen.text }) {
            self.pump()
            defer { looked = max(looked, self.bytes.count - Self.clearing.count + 1) }
            return self.bytes[looked...].place(of: Self.clearing)
        }
        let blank = VirtualScreen(columns: screen.columns, rows: screen.rows) { Int(cl_wcwidth($0.value)) }
        return ScreenReplay(blank, at: place)
    }

    /// What tmux's and xterm's terminfo erase the screen with.
    private static let clearing = Array("\u{1B}[H\u{1B}[".utf8)
}

extension ArraySlice<UInt8> {
    /// Where some bytes stand one after the other in these.
    fileprivate func place(of sequence: [UInt8]) -> Int? {
        Data(self).range(of: Data(sequence)).map { startIndex + $0.lowerBound }
    }
}

extension PseudoTerminal {
    /// How many bytes the kernel holds ready to be read from the terminal.
    private var unreadCount: Int32 {
        var count: Int32 = 0
        return ioctl(driver, UInt(FIONREAD), &count) == 0 ? count : 0
    }

    /// Asks for repaints that nobody reads until the terminal takes no more of them.
    ///
    /// The kernel shows what has passed its line discipline, some 4 KB; behind that it keeps some 8 KB more. The
    /// repaints after the first sign of fullness are many times as much.
    func fill() async throws {
        var repaintsWhenFull = 0
        _ = try await waitUntil("a full terminal") {
            try type(String(repeating: "\u{C}", count: 10), looking: false)
            if unreadCount >= 4_000 { repaintsWhenFull += 1 }
            return repaintsWhenFull > 40 ? true : nil
        }
    }
}
