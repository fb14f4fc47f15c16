import CLinux
import CNcurses
import Dashboard
import Glibc

/// Draws with ncurses into memory: surfaces in, bytes for the terminal out.
///
/// A class because ncurses has one state per process: only one screen exists at a time, and one thread uses it.
final class CursesScreen {
    private(set) var size: Size
    /// Whether the terminal has colours and they are enabled.
    let usesColor: Bool
    private let file: MemoryFile
    /// The user's own looks of roles.
    private let own: [Role: Style]
    private var styles: [(attributes: UInt32, pair: Int32)] = []
    /// The surface that ncurses contains; nil when every row must be drawn again.
    private var shown: Surface?

    init(
        type: String, size: Size, usesColor wantsColor: Bool, theme: Theme = .terminal, own: [Role: Style] = [:]
    ) throws(TerminalError) {
        file = try MemoryFile(name: "netdash-frame")
        let result = cn_screen_open(type, file.descriptor, Int32(size.rows), Int32(size.columns))
        switch result {
        case CN_OPENED: break
        case CN_UNKNOWN_TERMINAL: throw .unknownTerminalType(type)
        case CN_UNSUITABLE_TERMINAL: throw .unsuitableTerminalType(type)
        default: throw .screen("newterm")
        }
        self.size = size
        usesColor = wantsColor && cn_screen_start_colors() > 0
        self.own = own
        setTheme(theme)
    }

    /// Changes the looks of all roles; the next frame repaints every cell.
    func setTheme(_ theme: Theme) {
        let palette = Palette(usesColor: usesColor, theme: theme, own: own)
        styles = Role.allCases.map { role in
            let style = palette[role]
            return (style.attributes.rawValue, style.color.map { $0.rawValue + 1 } ?? 0)
        }
        shown = nil
    }

    deinit {
        cn_screen_close()
    }

    /// The bytes that change the terminal's content into `surface`; empty without a difference.
    ///
    /// A surface of another size is clipped, or padded with blanks.
    func draw(_ surface: Surface) throws(TerminalError) -> [UInt8] {
        guard shown != surface else { return [] }
        for row in 0..<size.rows {
            guard let columns = columnsToPut(ofRow: row, of: surface) else { continue }
            try put(row, columns, of: surface)
        }
        shown = surface
        let cursor = surface.cursor.flatMap { $0.row < size.rows && $0.column < size.columns ? $0 : nil }
        let parked = surface.parkedRow.flatMap { $0 < size.rows ? $0 : nil }
        let row = Int32(cursor?.row ?? parked ?? -1)
        guard cn_screen_update(row, Int32(cursor?.column ?? 0), cursor == nil ? 0 : 1) == 0 else {
            throw .screen("doupdate")
        }
        return try file.drain()
    }

    /// Changes the size; the next frame repaints every cell.
    func resize(to newSize: Size) throws(TerminalError) {
        guard cn_screen_resize(Int32(newSize.rows), Int32(newSize.columns)) == 0 else { throw .screen("resize_term") }
        size = newSize
        shown = nil
    }

    /// Makes the next frame repaint every cell.
    func invalidate() {
        // It can only fail without a screen, which exists for the lifetime of this object.
        _ = cn_screen_invalidate()
        shown = nil
    }

    /// Records that the screen was left by other means; the next frame enters it again.
    func leave() throws(TerminalError) {
        guard cn_screen_leave() == 0 else { throw .screen("endwin") }
        shown = nil
        _ = try file.drain()
    }

    // MARK: Capabilities

    /// A string capability of the terminal, without delays.
    func capability(_ name: String) -> [UInt8]? {
        cn_capability(name).map { Array(String(cString: $0).utf8) }
    }

    /// The sequence that moves the cursor to a cell.
    func movement(row: Int, column: Int) -> [UInt8]? {
        cn_move_cursor(Int32(row), Int32(column)).map { Array(String(cString: $0).utf8) }
    }

    // MARK: Rows

    /// The columns of a row that differ from ncurses' content; nil for an equal row.
    private func columnsToPut(ofRow row: Int, of surface: Surface) -> ClosedRange<Int>? {
        guard size.columns > 0 else { return nil }
        guard let shown, shown.size == surface.size else { return 0...size.columns - 1 }
        guard row < surface.size.rows else { return nil }
        return surface.changedColumns(ofRow: row, from: shown)
    }

    private func put(_ row: Int, _ columns: ClosedRange<Int>, of surface: Surface) throws(TerminalError) {
        cn_row_begin()
        var column = columns.lowerBound
        guard column < size.columns else { return }
        while column < size.columns, column <= columns.upperBound {
            let isInside = row < surface.size.rows && column < surface.size.columns
            let cell = isInside ? surface.cells[row * surface.size.columns + column] : .blank
            column += try append(cell, room: size.columns - column)
        }
        guard cn_row_end(Int32(row), Int32(columns.lowerBound)) == 0 else { throw .screen("wadd_wchnstr") }
    }

    /// Appends a cell and returns its width in the C library's view: a cell that claims another width would shift the
    /// rest of its row, so it is replaced.
    private func append(_ cell: Surface.Cell, room: Int) throws(TerminalError) -> Int {
        let style = styles[Int(cell.role.rawValue)]
        let width = cell.cluster.isEmpty ? 0 : Self.width(of: cell.cluster[0])
        let isSound = width == Int(cell.width) && width > 0 && width <= room
        let result = withUnsafeTemporaryAllocation(of: UInt32.self, capacity: Cluster.limit) { buffer in
            // A wide cell that does not fit its last column is blank, any other mismatch is marked.
            let cluster: Cluster = isSound ? cell.cluster : width > room ? " " : "?"
            let count = cluster.count
            for index in 0..<count { buffer[index] = cluster[index] }
            return cn_row_append(buffer.baseAddress, Int32(count), style.attributes, style.pair)
        }
        guard result == 0 else { throw .screen("setcchar") }
        return isSound ? width : 1
    }

    private static func width(of scalar: UInt32) -> Int {
        scalar < 0x7F ? (scalar >= 0x20 ? 1 : -1) : Int(cl_wcwidth(scalar))
    }
}
