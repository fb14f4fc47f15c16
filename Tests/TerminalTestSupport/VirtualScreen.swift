/// A terminal for tests: bytes in, a grid of cells out.
///
/// It knows what terminfo lets ncurses use on the terminal types of the tests. Anything else is an ``errors`` entry, so that
/// a test fails on a sequence nobody has looked at instead of showing a wrong grid.
package struct VirtualScreen {
    /// One cell: its text, empty behind a wide character, and the attributes that matter.
    package struct Cell: Equatable {
        package var text = " "
        package var rendition = Rendition()
    }

    /// How a cell was drawn.
    package struct Rendition: Equatable {
        package var isBold = false
        package var isDim = false
        package var isReverse = false
        package var isUnderlined = false
        package var foreground: Int?
        package var background: Int?

        package init(
            isBold: Bool = false, isDim: Bool = false, isReverse: Bool = false, isUnderlined: Bool = false,
            foreground: Int? = nil, background: Int? = nil
        ) {
            self.isBold = isBold
            self.isDim = isDim
            self.isReverse = isReverse
            self.isUnderlined = isUnderlined
            self.foreground = foreground
            self.background = background
        }
    }

    package private(set) var columns: Int
    package private(set) var rows: Int
    package private(set) var row = 0
    package private(set) var column = 0
    package private(set) var errors: [String] = []
    package private(set) var showsCursor = true
    package private(set) var isAlternate = false
    /// Private modes that are on.
    package private(set) var modes: Set<Int> = [7]
    /// The text of every operating system command: titles, the clipboard.
    package private(set) var commands: [String] = []
    /// Every title that the window was given.
    package var titles: [String] { commands.filter { $0.hasPrefix("2;") }.map { String($0.dropFirst(2)) } }

    package var cells: [[Cell]]
    private var pen = Rendition()
    private var wrapsNext = false
    private var scrollTop = 0
    private var scrollBottom: Int
    private var insertMode = false
    private var lastText = ""
    private var saved = (row: 0, column: 0)
    private var parser = SequenceParser()
    private let width: (Unicode.Scalar) -> Int

    package init(columns: Int, rows: Int, width: @escaping (Unicode.Scalar) -> Int) {
        self.columns = columns
        self.rows = rows
        self.width = width
        scrollBottom = rows - 1
        cells = Array(repeating: Array(repeating: Cell(), count: columns), count: rows)
    }

    /// The text of a row, without blanks at its end.
    package func text(row: Int) -> String {
        var text = cells[row].map(\.text).joined()
        while text.hasSuffix(" ") { text.removeLast() }
        return text
    }

    /// Every row's text.
    package var text: String { (0..<rows).map { text(row: $0) }.joined(separator: "\n") }

    /// As a real terminal does it: what is outside is lost, and what is new is blank.
    package mutating func resize(columns newColumns: Int, rows newRows: Int) {
        cells = (0..<newRows).map { row in
            (0..<newColumns).map { column in
                row < rows && column < columns ? cells[row][column] : Cell()
            }
        }
        columns = newColumns
        rows = newRows
        scrollTop = 0
        scrollBottom = rows - 1
        row = min(row, rows - 1)
        column = min(column, columns - 1)
        wrapsNext = false
    }

    package mutating func feed(_ bytes: some Sequence<UInt8>) {
        for byte in bytes {
            switch parser.take(byte) {
            case .none: break
            case .scalar(let scalar): print(scalar)
            case .control(let byte): control(byte)
            case .escape(let intermediates, let final): escape(intermediates, final)
            case .sequence(let prefix, let parameters, let final): sequence(prefix, parameters, final)
            case .string(let text): commands.append(text)
            }
        }
    }

    // MARK: Printing

    private mutating func print(_ scalar: Unicode.Scalar) {
        let cellWidth = width(scalar)
        if cellWidth == 0 { return combine(scalar) }
        guard cellWidth > 0 else { return errors.append("unprintable U+\(String(scalar.value, radix: 16))") }
        put(String(scalar), width: cellWidth)
    }

    private mutating func combine(_ scalar: Unicode.Scalar) {
        var target = wrapsNext ? column : column - 1
        if target >= 0, cells[row][target].text.isEmpty { target -= 1 }
        guard target >= 0 else { return errors.append("a mark at the start of a row") }
        cells[row][target].text.unicodeScalars.append(scalar)
        lastText = cells[row][target].text
    }

    private mutating func put(_ text: String, width cellWidth: Int) {
        if wrapsNext, modes.contains(7) {
            lineFeed()
            column = 0
        }
        wrapsNext = false
        guard cellWidth <= columns else { return }
        if column + cellWidth > columns { column = columns - cellWidth }
        if insertMode { insertBlanks(cellWidth) }
        breakWide(at: column)
        if cellWidth == 2 { breakWide(at: column + 1) }
        cells[row][column] = Cell(text: text, rendition: pen)
        if cellWidth == 2 { cells[row][column + 1] = Cell(text: "", rendition: pen) }
        lastText = text
        if column + cellWidth >= columns {
            column = columns - 1
            wrapsNext = true
        } else {
            column += cellWidth
        }
    }

    /// Half of a wide character does not survive.
    private mutating func breakWide(at column: Int) {
        if cells[row][column].text.isEmpty, column > 0 { cells[row][column - 1].text = " " }
        if column + 1 < columns, cells[row][column + 1].text.isEmpty { cells[row][column + 1].text = " " }
    }

    // MARK: Controls

    private mutating func control(_ byte: UInt8) {
        switch byte {
        case 0x00, 0x07, 0x0E, 0x0F: break
        case 0x08: moveTo(row, column - 1)
        case 0x09: moveTo(row, (column / 8 + 1) * 8)
        case 0x0A, 0x0B, 0x0C: lineFeed()
        case 0x0D: moveTo(row, 0)
        default: errors.append("control \(byte)")
        }
    }

    private mutating func lineFeed() {
        wrapsNext = false
        if row == scrollBottom { scrollUp(1) } else { row = min(row + 1, rows - 1) }
    }

    private mutating func moveTo(_ newRow: Int, _ newColumn: Int) {
        row = min(max(newRow, 0), rows - 1)
        column = min(max(newColumn, 0), columns - 1)
        wrapsNext = false
    }

    private var blankRow: [Cell] { Array(repeating: blank, count: columns) }
    /// Erasing keeps the background colour alone.
    private var blank: Cell {
        var rendition = Rendition()
        rendition.background = pen.background
        return Cell(text: " ", rendition: rendition)
    }

    private mutating func scrollUp(_ count: Int) {
        for _ in 0..<min(count, rows) {
            cells.remove(at: scrollTop)
            cells.insert(blankRow, at: scrollBottom)
        }
    }

    private mutating func scrollDown(_ count: Int) {
        for _ in 0..<min(count, rows) {
            cells.remove(at: scrollBottom)
            cells.insert(blankRow, at: scrollTop)
        }
    }

    private mutating func insertBlanks(_ count: Int) {
        let count = min(count, columns - column)
        cells[row].insert(contentsOf: Array(repeating: blank, count: count), at: column)
        cells[row].removeLast(count)
    }

    private mutating func deleteCells(_ count: Int) {
        let count = min(count, columns - column)
        cells[row].removeSubrange(column..<column + count)
        cells[row].append(contentsOf: Array(repeating: blank, count: count))
    }

    private mutating func erase(_ range: Range<Int>, in row: Int) {
        for column in range.clamped(to: 0..<columns) { cells[row][column] = blank }
    }

    // MARK: Sequences

    private mutating func escape(_ intermediates: String, _ final: UInt8) {
        switch (intermediates, Character(Unicode.Scalar(final))) {
        case ("", "7"): saved = (row, column)
        case ("", "8"): moveTo(saved.row, saved.column)
        case ("", "="), ("", ">"), ("", "\\"), ("", "H"): break
        case ("", "D"): lineFeed()
        case ("", "M"): if row == scrollTop { scrollDown(1) } else { moveTo(row - 1, column) }
        case ("", "c"): break
        case ("(", _), (")", _), ("%", _): break
        case (_, let character): errors.append("ESC \(intermediates)\(character)")
        }
    }

    private mutating func sequence(_ prefix: String, _ parameters: [Int], _ final: UInt8) {
        let character = Character(Unicode.Scalar(final))
        if prefix == "?", character == "h" || character == "l" {
            for mode in parameters { set(mode, character == "h") }
        } else if prefix == ">" || prefix == "?" || prefix == "!" {
            // Reports, resource settings and soft resets change no cell; the Linux console's cursor shape is one of them.
            if !"cmpq".contains(character) { errors.append("CSI \(prefix)\(parameters)\(character)") }
        } else if !move(character, parameters), !edit(character, parameters) {
            errors.append("CSI \(prefix)\(parameters)\(character)")
        }
    }

    private mutating func move(_ final: Character, _ parameters: [Int]) -> Bool {
        let count = max(parameters.first ?? 1, 1)
        let second = parameters.count > 1 ? max(parameters[1], 1) : 1
        switch final {
        case "A": moveTo(row - count, column)
        case "B", "e": moveTo(row + count, column)
        case "C", "a": moveTo(row, column + count)
        case "D": moveTo(row, column - count)
        case "E": moveTo(row + count, 0)
        case "F": moveTo(row - count, 0)
        case "G", "`": moveTo(row, count - 1)
        case "H", "f": moveTo(count - 1, second - 1)
        case "I": for _ in 0..<count { moveTo(row, (column / 8 + 1) * 8) }
        case "Z": for _ in 0..<count { moveTo(row, (max(column, 1) - 1) / 8 * 8) }
        case "d": moveTo(count - 1, column)
        default: return false
        }
        return true
    }

    private mutating func edit(_ final: Character, _ parameters: [Int]) -> Bool {
        let first = parameters.first ?? 0
        let count = max(first, 1)
        switch final {
        case "J": eraseScreen(first)
        case "K": erase(first == 0 ? column..<columns : first == 1 ? 0..<column + 1 : 0..<columns, in: row)
        case "X": erase(column..<column + count, in: row)
        case "@": insertBlanks(count)
        case "P": deleteCells(count)
        case "L": editLines(count) { $0.scrollDown($1) }
        case "M": editLines(count) { $0.scrollUp($1) }
        case "S": scrollUp(count)
        case "T": scrollDown(count)
        case "b": for _ in 0..<count { put(lastText, width: lastText.unicodeScalars.first.map(width) ?? 1) }
        case "m": render(parameters.isEmpty ? [0] : parameters)
        case "r":
            setScrolling(from: count - 1, to: parameters.count > 1 && parameters[1] > 0 ? parameters[1] - 1 : rows - 1)
            moveTo(0, 0)
        case "h", "l":
            // 34 is the shape of the cursor in screen and tmux.
            if first == 4 { insertMode = final == "h" } else if first != 34 { errors.append("mode \(first)") }
        case "t", "g", "q", "n": break
        default: return false
        }
        return true
    }

    /// Rows that a program drew for a size of before are no region of this one.
    private mutating func setScrolling(from top: Int, to bottom: Int) {
        let bottom = min(bottom, rows - 1)
        (scrollTop, scrollBottom) = top < bottom ? (top, bottom) : (0, rows - 1)
    }

    private mutating func eraseScreen(_ what: Int) {
        if what == 0 { erase(column..<columns, in: row) }
        if what == 1 { erase(0..<column + 1, in: row) }
        let range = what == 0 ? row + 1..<max(rows, row + 1) : what == 1 ? 0..<row : 0..<rows
        for other in range { cells[other] = blankRow }
    }

    private mutating func editLines(_ count: Int, _ scroll: (inout VirtualScreen, Int) -> Void) {
        guard (scrollTop...scrollBottom).contains(row) else { return }
        let top = scrollTop
        scrollTop = row
        scroll(&self, min(count, scrollBottom - row + 1))
        scrollTop = top
        column = 0
        wrapsNext = false
    }

    private mutating func set(_ mode: Int, _ isOn: Bool) {
        if isOn { modes.insert(mode) } else { modes.remove(mode) }
        if mode == 25 { showsCursor = isOn }
        guard mode == 1049 || mode == 47 || mode == 1047 else { return }
        isAlternate = isOn
        if isOn { saved = (row, column) } else { moveTo(saved.row, saved.column) }
        if isOn { cells = Array(repeating: blankRow, count: rows) }
    }

    private mutating func render(_ parameters: [Int]) {
        for parameter in parameters {
            switch parameter {
            case 0: pen = Rendition()
            case 1: pen.isBold = true
            case 2: pen.isDim = true
            case 4: pen.isUnderlined = true
            case 7: pen.isReverse = true
            case 22: (pen.isBold, pen.isDim) = (false, false)
            case 24: pen.isUnderlined = false
            case 27: pen.isReverse = false
            case 30...37: pen.foreground = parameter - 30
            case 39: pen.foreground = nil
            case 40...47: pen.background = parameter - 40
            case 49: pen.background = nil
            case 10, 11: break
            default: errors.append("SGR \(parameter)")
            }
        }
    }
}
