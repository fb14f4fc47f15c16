/// Draws safe text onto a surface, clipped to it.
package struct Canvas {
    package private(set) var surface: Surface
    package let capabilities: ViewCapabilities

    package init(size: Size, capabilities: ViewCapabilities) {
        surface = Surface(size: Size(columns: max(size.columns, 0), rows: max(size.rows, 0)))
        self.capabilities = capabilities
    }

    package var size: Size { surface.size }

    /// The mark that stands for what was cut.
    package var ellipsis: TextRun { run("…") }

    /// Text laid out for this terminal.
    package func run(_ text: SafeText) -> TextRun { TextRun(text, capabilities: capabilities) }

    /// Cells a text takes.
    package func width(_ text: SafeText) -> Int {
        text.string.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F } ? text.string.utf8.count : run(text).width
    }

    /// Draws from a column on and answers the column after it; what lies outside of the surface or of the limit is
    /// left out, and a wide cluster that does not fit whole becomes a blank.
    @discardableResult
    package mutating func draw(_ run: TextRun, row: Int, column: Int, limit: Int = .max, role: Role = .plain) -> Int {
        guard row >= 0, row < size.rows else { return column }
        let end = min(size.columns, limit < size.columns - column ? column + limit : size.columns)
        var position = column
        for piece in run.pieces {
            guard position < end else { break }
            if position >= 0 {
                let fits = position + piece.width <= end
                put(fits ? piece.cluster : " ", width: fits ? piece.width : 1, row: row, column: position, role: role)
            }
            position += piece.width
        }
        return min(position, max(end, column))
    }

    /// Draws text that was not laid out yet.
    @discardableResult
    package mutating func draw(_ text: SafeText, row: Int, column: Int, limit: Int = .max, role: Role = .plain) -> Int {
        draw(run(text), row: row, column: column, limit: limit, role: role)
    }

    /// Draws so that the text ends before a column.
    package mutating func drawRight(_ text: SafeText, row: Int, end: Int, role: Role = .plain) {
        let run = run(text)
        draw(run, row: row, column: end - run.width, role: role)
    }

    /// Draws text cut at its end to a number of cells.
    package mutating func drawCut(_ text: SafeText, row: Int, column: Int, limit: Int, role: Role = .plain) {
        guard limit > 0 else { return }
        draw(run(text).cut(limit, ellipsis: ellipsis), row: row, column: column, limit: limit, role: role)
    }

    /// Makes a part of a line blank.
    package mutating func fill(row: Int, columns: Range<Int>, with text: SafeText = " ", role: Role = .plain) {
        guard row >= 0, row < size.rows, let piece = run(text).pieces.first, piece.width == 1 else { return }
        for column in max(
            columns.lowerBound, 0)..<max(min(columns.upperBound, size.columns), max(columns.lowerBound, 0))
        {
            put(piece.cluster, width: 1, row: row, column: column, role: role)
        }
    }

    /// Gives a part of a line another meaning without changing its text.
    package mutating func paint(row: Int, columns: Range<Int>, role: Role) {
        guard row >= 0, row < size.rows else { return }
        for column in columns where column >= 0 && column < size.columns { surface[row, column].role = role }
    }

    /// Puts the terminal's cursor into a cell.
    package mutating func placeCursor(row: Int, column: Int) {
        guard row >= 0, row < size.rows, column >= 0, column < size.columns else { return }
        surface.cursor = (row, column)
    }

    /// Leaves the hidden cursor on the line that is selected.
    package mutating func parkCursor(row: Int) { surface.parkedRow = row }

    /// Says what a click on a part of a line means.
    package mutating func addTarget(_ meaning: ClickTarget.Meaning, row: Int, columns: Range<Int>) {
        surface.targets.append(ClickTarget(row: row, columns: columns, meaning: meaning))
    }

    /// Forgets what could be clicked below something that has the keys.
    package mutating func removeTargets() { surface.targets = [] }

    /// Writes one cluster; halves of wide ones that it overwrites become blanks.
    private mutating func put(_ cluster: Cluster, width: Int, row: Int, column: Int, role: Role) {
        for covered in column..<(column + width) {
            let old = surface[row, covered]
            if old.width == 0, covered > 0, surface[row, covered - 1].width == 2 { surface[row, covered - 1] = .blank }
            if old.width == 2, covered + 1 < size.columns { surface[row, covered + 1] = .blank }
        }
        surface[row, column] = Surface.Cell(cluster: cluster, width: UInt8(width), role: role)
        if width == 2 { surface[row, column + 1] = Surface.Cell(cluster: Cluster(), width: 0, role: role) }
    }
}

extension SafeText {
    /// Cut at its end to a number of cells.
    package func cut(_ limit: Int, in canvas: Canvas) -> SafeText {
        SafeText(untrusted: canvas.run(self).cut(limit, ellipsis: canvas.ellipsis).text)
    }

    /// Broken between words into lines of so many cells; a word that is longer is broken where the line ends.
    package func wrapped(_ limit: Int, in canvas: Canvas) -> [SafeText] {
        guard limit > 0, canvas.width(self) > limit else { return [self] }
        var lines: [TextRun] = []
        for word in string.split(separator: " ", omittingEmptySubsequences: false) {
            var rest = canvas.run(SafeText(untrusted: String(word)))
            if let last = lines.last, last.width + 1 + rest.width <= limit {
                lines[lines.count - 1] = last + canvas.run(" ") + rest
                continue
            }
            while rest.width > limit, case let part = rest.prefix(limit), part.width > 0 {
                lines.append(part)
                rest = rest.dropping(part.width)
            }
            lines.append(rest)
        }
        return lines.map { SafeText(untrusted: $0.text) }
    }

    /// Cut in its middle to a number of cells.
    package func middleCut(_ limit: Int, in canvas: Canvas) -> SafeText {
        SafeText(untrusted: canvas.run(self).middleCut(limit, ellipsis: canvas.ellipsis).text)
    }
}
