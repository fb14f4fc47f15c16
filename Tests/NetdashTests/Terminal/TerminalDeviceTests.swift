import CLinux
import DashboardTestSupport
import FuzzTestSupport
import Glibc
import TerminalTestSupport
import Testing

@testable import Dashboard
@testable import TransferService
@testable import netdash

extension TerminalScreenTests {
    /// The terminal on a pseudoterminal.
    ///
    /// Nested, because ncurses and the saved modes are one piece of state per process.
    @Suite("Terminal on a pseudoterminal", .serialized)
    struct OnPseudoterminal {
        static func terminal(on pty: TestPseudoterminal, type: String? = "xterm-256color") -> CursesTerminal {
            var settings = TerminalSettings()
            settings.type = type
            settings.path = pty.path
            return CursesTerminal(settings: settings)
        }

        static func surface(_ text: String, size: Size = Size(columns: 80, rows: 24)) -> Surface {
            var surface = Surface(size: size)
            for (column, character) in text.enumerated() {
                surface[0, column] = .init(cluster: Cluster(String(character)), width: 1, role: .plain)
            }
            return surface
        }

        @Test("Starting and stopping leaves the modes as they were and the screen it came from")
        func startAndStop() throws {
            let pty = try TestPseudoterminal()
            let before = pty.modes
            let terminal = Self.terminal(on: pty)
            try terminal.start()
            #expect(pty.modes != before)
            try terminal.draw(Self.surface("hello"))
            var screen = TerminalScreenTests.virtualScreen(terminal.size)
            screen.feed(pty.read())
            #expect(screen.text(row: 0) == "hello")
            #expect(screen.isAlternate)
            #expect(screen.modes.contains(2004))
            #expect(!screen.showsCursor)
            terminal.stop()
            screen.feed(pty.read())
            #expect(pty.modes == before)
            #expect(!screen.isAlternate)
            #expect(!screen.modes.contains(2004))
            #expect(screen.showsCursor)
            #expect(screen.errors.isEmpty)
            terminal.stop()
            #expect(pty.read().isEmpty, "Stopping twice writes nothing")
        }

        @Test("A terminal that is let go without being stopped is restored too")
        func deinitialised() throws {
            let pty = try TestPseudoterminal()
            let before = pty.modes
            do {
                let terminal = Self.terminal(on: pty)
                try terminal.start()
                #expect(pty.modes != before)
            }
            #expect(pty.modes == before)
        }

        @Test(
            "What cannot show a dashboard is refused and gets no byte",
            arguments: [nil, "", "dumb", "unknown", "no-such"])
        func refusals(type: String?) throws {
            let pty = try TestPseudoterminal()
            let before = pty.modes
            let terminal = Self.terminal(on: pty, type: type)
            #expect(throws: TerminalError.self) { try terminal.start() }
            terminal.stop()
            #expect(pty.read().isEmpty)
            #expect(pty.modes == before)
        }

        @Test("A terminal that takes no more gets whole frames again once it does")
        func blockedTerminal() throws {
            let size = (rows: Int32(100), columns: Int32(300))
            let pty = try TestPseudoterminal(size: size)
            let terminal = Self.terminal(on: pty)
            try terminal.start()
            var screen = TerminalScreenTests.virtualScreen(terminal.size)
            var generator = SeededGenerator(seed: 23)
            var last = Surface(size: terminal.size)
            for _ in 0..<10 {
                last = RandomSurface.next(after: Surface(size: terminal.size), using: &generator)
                try terminal.draw(last)
            }
            #expect(terminal.hasUnsentOutput, "The test needs a frame larger than the terminal's buffer")
            while terminal.hasUnsentOutput {
                screen.feed(pty.read())
                try terminal.flush()
            }
            try terminal.draw(last)
            while case let bytes = pty.read(), !bytes.isEmpty || terminal.hasUnsentOutput {
                screen.feed(bytes)
                try terminal.flush()
            }
            #expect(screen.errors.isEmpty)
            #expect(screen.text == TerminalScreenTests.text(of: last))
        }

        @Test("Keys are read, in one read or several")
        func keys() throws {
            let pty = try TestPseudoterminal()
            let terminal = Self.terminal(on: pty)
            try terminal.start()
            #expect(try terminal.readKeys(now: 0).isEmpty)
            pty.type("jj\u{1B}[A\u{3}\u{1A}\r\u{13}")
            let keys: [KeyPress] = [
                .character("j"), .character("j"), .up, .control("c"), .control("z"), .enter, .control("s"),
            ]
            #expect(try terminal.readKeys(now: 0) == keys.map { .key($0) })
            pty.type("\u{1B}")
            #expect(try terminal.readKeys(now: 100).isEmpty)
            #expect(terminal.inputDeadline == 125)
            #expect(try terminal.readKeys(now: 125) == [.key(.escape)])
        }

        @Test("A new size is taken over and the next frame fills it")
        func resizing() throws {
            let pty = try TestPseudoterminal()
            let terminal = Self.terminal(on: pty)
            try terminal.start()
            try terminal.draw(Self.surface("before"))
            _ = pty.read()
            pty.resize(rows: 10, columns: 40)
            #expect(terminal.updateSize() == Size(columns: 40, rows: 10))
            try terminal.draw(Self.surface("after", size: terminal.size))
            var screen = TerminalScreenTests.virtualScreen(terminal.size)
            screen.feed(pty.read())
            #expect(screen.text(row: 0) == "after")
            // A terminal that does not know its size is treated as the classic one.
            pty.resize(rows: 0, columns: 0)
            #expect(terminal.updateSize() == Size(columns: 80, rows: 24))
        }

        @Test("While it is suspended the terminal is as before, and nothing is sent")
        func suspending() throws {
            let pty = try TestPseudoterminal()
            let before = pty.modes
            let terminal = Self.terminal(on: pty)
            try terminal.start()
            let raw = pty.modes
            try terminal.draw(Self.surface("one"))
            var screen = TerminalScreenTests.virtualScreen(terminal.size)
            terminal.suspend()
            screen.feed(pty.read())
            #expect(pty.modes == before)
            #expect(!screen.isAlternate)
            try terminal.draw(Self.surface("two"))
            terminal.setTitle("title")
            #expect(!terminal.copy("text"))
            #expect(pty.read().isEmpty)
            #expect(terminal.resumeAfterStop())
            #expect(pty.modes == raw)
            try terminal.draw(Self.surface("two"))
            screen.feed(pty.read())
            #expect(screen.isAlternate)
            #expect(screen.modes.contains(2004))
            #expect(screen.text(row: 0) == "two")
        }

        @Test("The focus is asked for only where that is wanted, again after a stop, and no more in the end")
        func focus() throws {
            let pty = try TestPseudoterminal()
            var settings = TerminalSettings()
            settings.type = "xterm-256color"
            settings.path = pty.path
            settings.watchesFocus = true
            let terminal = CursesTerminal(settings: settings)
            try terminal.start()
            try terminal.draw(Self.surface("one"))
            var screen = TerminalScreenTests.virtualScreen(terminal.size)
            screen.feed(pty.read())
            #expect(screen.modes.contains(1004))
            terminal.suspend()
            screen.feed(pty.read())
            #expect(!screen.modes.contains(1004))
            #expect(terminal.resumeAfterStop())
            try terminal.draw(Self.surface("one"))
            screen.feed(pty.read())
            #expect(screen.modes.contains(1004))
            terminal.stop()
            screen.feed(pty.read())
            #expect(!screen.modes.contains(1004))
        }

        @Test("Titles and copied text are sent as the terminal expects them, long text is not")
        func window() throws {
            let pty = try TestPseudoterminal()
            let terminal = Self.terminal(on: pty)
            try terminal.start()
            try terminal.draw(Self.surface("x"))
            _ = pty.read()
            terminal.setTitle("netdash " + SafeText(untrusted: "a\u{7}b\u{1B}]52;c;eA==\u{7}"))
            #expect(pty.read().isEmpty, "it goes with the next frame")
            try terminal.draw(Self.surface("x"))
            let title = pty.read()
            #expect(title.starts(with: Array("\u{1B}]2;netdash a".utf8)))
            #expect(title.filter { $0 < 0x20 || $0 == 0x7F } == [0x1B, 0x07])
            try terminal.draw(Self.surface("x"))
            #expect(pty.read().isEmpty, "it was sent already")
            #expect(terminal.copy("foobar"))
            #expect(pty.read() == Array("\u{1B}]52;c;Zm9vYmFy\u{7}".utf8))
            #expect(!terminal.copy(String(repeating: "x", count: 7000)))
            #expect(pty.read().isEmpty)
        }

        @Test("A terminal whose other side has hung up says so")
        func hangUp() throws {
            var pty: TestPseudoterminal? = try TestPseudoterminal()
            let terminal = try Self.terminal(on: #require(pty))
            try terminal.start()
            pty = nil
            #expect(throws: TerminalError.gone) { try terminal.readKeys(now: 0) }
            #expect(throws: TerminalError.gone) { try terminal.draw(Self.surface("x")) }
        }
    }
}
