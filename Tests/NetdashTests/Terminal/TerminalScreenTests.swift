import CLinux
import DashboardTestSupport
import FuzzTestSupport
import TerminalTestSupport
import Testing

@testable import Dashboard
@testable import TransferService
@testable import netdash

/// What ncurses sends must show exactly the surface it was given, on every terminal type.
///
/// One suite, one test at a time, because ncurses is one piece of state per process.
@Suite("Screen", .serialized, .timeLimit(.minutes(1)))
struct TerminalScreenTests {
    static let types = ["xterm-256color", "tmux-256color", "screen-256color", "linux", "vt100"]

    init() throws {
        try #require(TerminalLocale.establish(), "The tests need a UTF-8 locale")
    }

    static func virtualScreen(_ size: Size) -> VirtualScreen {
        VirtualScreen(columns: size.columns, rows: size.rows) { Int(cl_wcwidth($0.value)) }
    }

    @Test("After a random walk of surfaces the terminal shows each of them", arguments: types)
    func randomWalk(type: String) throws {
        let size = Size(columns: 37, rows: 11)
        let screen = try CursesScreen(type: type, size: size, usesColor: true)
        var terminal = Self.virtualScreen(size)
        var generator = SeededGenerator(seed: 7)
        var surface = Surface(size: size)
        for step in 0..<120 {
            surface = RandomSurface.next(after: surface, using: &generator)
            terminal.feed(try screen.draw(surface))
            try #require(terminal.errors.isEmpty, "step \(step): \(terminal.errors)")
            try #require(terminal.text == Self.text(of: surface), "step \(step)")
        }
    }

    @Test("Colours and attributes arrive in the cells they belong to", arguments: ["xterm-256color", "tmux-256color"])
    func renditions(type: String) throws {
        let size = Size(columns: 30, rows: 5)
        let screen = try CursesScreen(type: type, size: size, usesColor: true)
        let palette = Palette(usesColor: true)
        var terminal = Self.virtualScreen(size)
        var generator = SeededGenerator(seed: 11)
        var surface = Surface(size: size)
        for _ in 0..<60 {
            surface = RandomSurface.next(after: surface, using: &generator)
            terminal.feed(try screen.draw(surface))
            for (index, cell) in surface.cells.enumerated() where !isInvisible(cell) {
                let shown = terminal.cells[index / size.columns][index % size.columns].rendition
                try #require(shown == Self.rendition(of: palette[cell.role]))
            }
        }

        /// A blank's foreground cannot be seen, so ncurses may draw it in any.
        func isInvisible(_ cell: Surface.Cell) -> Bool {
            cell.width == 0
                || cell.cluster == " " && palette[cell.role].attributes.isDisjoint(with: [.reverse, .underline])
        }
    }

    @Test("The background is never painted", arguments: types)
    func backgroundStays(type: String) throws {
        let size = Size(columns: 60, rows: 3)
        let screen = try CursesScreen(type: type, size: size, usesColor: true)
        var surface = Surface(size: size)
        for (column, role) in Role.allCases.enumerated() {
            surface[1, column] = .init(cluster: "x", width: 1, role: role)
        }
        var terminal = Self.virtualScreen(size)
        terminal.feed(try screen.draw(surface))
        #expect(terminal.cells.joined().allSatisfy { $0.rendition.background == nil })
    }

    @Test("Without colour no colour is sent, and the attributes remain")
    func monochrome() throws {
        let size = Size(columns: 60, rows: 2)
        let screen = try CursesScreen(type: "xterm-256color", size: size, usesColor: false)
        var surface = Surface(size: size)
        for (column, role) in Role.allCases.enumerated() {
            surface[0, column] = .init(cluster: "x", width: 1, role: role)
        }
        var terminal = Self.virtualScreen(size)
        terminal.feed(try screen.draw(surface))
        #expect(terminal.cells.joined().allSatisfy { $0.rendition.foreground == nil })
        #expect(terminal.cells[0][Int(Role.rowSelected.rawValue)].rendition.isReverse)
        #expect(terminal.cells[0][Int(Role.stateFailed.rawValue)].rendition.isBold)
    }

    @Test("A surface that is shown already costs no byte")
    func unchangedSurface() throws {
        let size = Size(columns: 80, rows: 24)
        let screen = try CursesScreen(type: "xterm-256color", size: size, usesColor: true)
        var surface = Surface(size: size)
        surface[3, 3] = .init(cluster: "x", width: 1, role: .title)
        #expect(try !screen.draw(surface).isEmpty)
        #expect(try screen.draw(surface).isEmpty)
        // The same picture made anew.
        var copy = Surface(size: size)
        copy[3, 3] = .init(cluster: "x", width: 1, role: .title)
        #expect(try screen.draw(copy).isEmpty)
    }

    @Test("One changed cell costs few bytes")
    func smallChange() throws {
        let size = Size(columns: 120, rows: 36)
        let screen = try CursesScreen(type: "xterm-256color", size: size, usesColor: true)
        var generator = SeededGenerator(seed: 3)
        var surface = RandomSurface.next(after: Surface(size: size), using: &generator)
        _ = try screen.draw(surface)
        surface[20, 60] = .init(cluster: surface[20, 60].cluster == "#" ? "%" : "#", width: 1, role: .plain)
        surface[20, 61] = .init(cluster: "x", width: 1, role: .plain)
        surface[20, 59] = .init(cluster: "x", width: 1, role: .plain)
        let bytes = try screen.draw(surface).count
        #expect((1...60).contains(bytes), "\(bytes) bytes")
    }

    @Test("After resizing through the smallest sizes the terminal shows the surface")
    func resizing() throws {
        var size = Size(columns: 80, rows: 24)
        let screen = try CursesScreen(type: "xterm-256color", size: size, usesColor: true)
        var terminal = Self.virtualScreen(size)
        var generator = SeededGenerator(seed: 5)
        let steps = [(1, 1), (2, 2), (5, 1), (1, 5), (300, 100), (20, 3), (80, 24)]
        for (columns, rows) in steps {
            size = Size(columns: columns, rows: rows)
            terminal.resize(columns: columns, rows: rows)
            try screen.resize(to: size)
            for _ in 0..<5 {
                let surface = RandomSurface.next(after: Surface(size: size), using: &generator)
                terminal.feed(try screen.draw(surface))
                try #require(terminal.errors.isEmpty, "\(size): \(terminal.errors)")
                try #require(terminal.text == Self.text(of: surface), "\(size)")
            }
        }
    }

    @Test("Repainting restores a screen that something else has written to")
    func repaint() throws {
        let size = Size(columns: 40, rows: 8)
        let screen = try CursesScreen(type: "xterm-256color", size: size, usesColor: true)
        var generator = SeededGenerator(seed: 13)
        let surface = RandomSurface.next(after: Surface(size: size), using: &generator)
        var terminal = Self.virtualScreen(size)
        terminal.feed(try screen.draw(surface))
        terminal.feed(Array("\u{1B}[2;2Hgarbage".utf8))
        try #require(terminal.text != Self.text(of: surface))
        screen.invalidate()
        terminal.feed(try screen.draw(surface))
        #expect(terminal.text == Self.text(of: surface))
    }

    @Test("A screen that was left is entered and painted again")
    func leaving() throws {
        let size = Size(columns: 40, rows: 8)
        let screen = try CursesScreen(type: "xterm-256color", size: size, usesColor: true)
        var generator = SeededGenerator(seed: 17)
        let surface = RandomSurface.next(after: Surface(size: size), using: &generator)
        _ = try screen.draw(surface)
        try screen.leave()
        var terminal = Self.virtualScreen(size)
        terminal.feed(try screen.draw(surface))
        #expect(terminal.isAlternate)
        #expect(!terminal.showsCursor)
        #expect(terminal.text == Self.text(of: surface))
    }

    @Test("A cell whose width is claimed wrongly cannot shift its row")
    func unsoundCells() throws {
        let size = Size(columns: 12, rows: 2)
        let screen = try CursesScreen(type: "xterm-256color", size: size, usesColor: true)
        var surface = Surface(size: size)
        let unsound: [(Cluster, UInt8)] = [("日", 1), ("a", 2), ("\u{301}", 1), ("\n", 1), ("", 1), ("\u{1B}", 1)]
        for (index, cell) in unsound.enumerated() {
            surface[0, index] = .init(cluster: cell.0, width: cell.1, role: .plain)
        }
        surface[0, 10] = .init(cluster: "z", width: 1, role: .plain)
        surface[0, 11] = .init(cluster: "日", width: 2, role: .plain)
        var terminal = Self.virtualScreen(size)
        terminal.feed(try screen.draw(surface))
        #expect(terminal.errors.isEmpty)
        #expect(terminal.text(row: 0) == "??????    z")
    }

    @Test("The cursor is shown where a text field has it, and hidden otherwise")
    func cursor() throws {
        let size = Size(columns: 20, rows: 5)
        let screen = try CursesScreen(type: "xterm-256color", size: size, usesColor: true)
        var terminal = Self.virtualScreen(size)
        var surface = Surface(size: size)
        terminal.feed(try screen.draw(surface))
        #expect(!terminal.showsCursor)
        surface.cursor = (row: 2, column: 7)
        terminal.feed(try screen.draw(surface))
        #expect(terminal.showsCursor)
        #expect((terminal.row, terminal.column) == (2, 7))
        surface.cursor = nil
        terminal.feed(try screen.draw(surface))
        #expect(!terminal.showsCursor)
        surface.parkedRow = 3
        terminal.feed(try screen.draw(surface))
        #expect(!terminal.showsCursor)
        #expect((terminal.row, terminal.column) == (3, 0), "Where a screen reader looks for it")
        surface[4, 5].cluster = "x"
        terminal.feed(try screen.draw(surface))
        #expect((terminal.row, terminal.column) == (3, 0))
    }

    @Test("A type that cannot move its cursor, and one nobody knows, are refused")
    func refusals() {
        let size = Size(columns: 80, rows: 24)
        #expect(throws: TerminalError.unsuitableTerminalType("dumb")) {
            try CursesScreen(type: "dumb", size: size, usesColor: true)
        }
        #expect(throws: TerminalError.unknownTerminalType("no-such-terminal")) {
            try CursesScreen(type: "no-such-terminal", size: size, usesColor: true)
        }
    }

    static func rendition(of style: Style) -> VirtualScreen.Rendition {
        VirtualScreen.Rendition(
            isBold: style.attributes.contains(.bold), isDim: style.attributes.contains(.dim),
            isReverse: style.attributes.contains(.reverse), isUnderlined: style.attributes.contains(.underline),
            foreground: style.color.map { Int($0.rawValue) }, background: nil)
    }

    /// What a terminal that shows the surface has as text.
    static func text(of surface: Surface) -> String {
        (0..<surface.size.rows).map { row in
            var text = (0..<surface.size.columns).map { surface[row, $0].cluster.text }.joined()
            while text.hasSuffix(" ") { text.removeLast() }
            return text
        }.joined(separator: "\n")
    }
}
