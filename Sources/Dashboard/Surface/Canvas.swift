/// Draws safe text onto a surface, clipped to it.
package struct Canvas {
    package private(set) var surface: Surface
    package let capabilities: ViewCapabilities

    package init(size: Size, capabilities: ViewCapabilities) {
        surface = Surface(size: Size(columns: max(size.columns, 0), rows: max(size.rows, 0)))
        self.capabilities = capabilities
    }

    package var size: Size { surface.size }

    /// The mark for cut text.
    package var ellipsis: TextRun { run("…") }

    /// Text laid out for this terminal.
    package func run(_ text: SafeText) -> TextRun { TextRun(text, capabilities: capabilities) }

    package func width(_ text: SafeText) -> Int { text.plainWidth ?? run(text).width }

    /// Draws from a column on and returns the column after the text; cells outside of the surface or the limit are
    /// skipped, and a wide cluster that does not fit becomes a blank.
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

    /// Lays out and draws text.
    @discardableResult
    package mutating func draw(_ text: SafeText, row: Int, column: Int, limit: Int = .max, role: Role = .plain) -> Int {
        guard let width = text.plainWidth else {
            return draw(run(text), row: row, column: column, limit: limit, role: role)
        }
        return drawPlain(text, width: width, row: row, column: column, limit: limit, role: role)
    }

    /// Draws text that ends before a column; text longer than the limit loses its end.
    package mutating func drawRight(
        _ text: SafeText, row: Int, end: Int, limit: Int = .max, role: Role = .plain
    ) {
        guard let width = text.plainWidth else {
            let run = run(text).prefix(limit)
            draw(run, row: row, column: end - run.width, role: role)
            return
        }
        let shown = min(width, max(limit, 0))
        drawPlain(text, width: width, row: row, column: end - shown, limit: shown, role: role)
    }

    /// Draws text cut at its end to a number of cells; returns the column after it.
    @discardableResult
    package mutating func drawCut(_ text: SafeText, row: Int, column: Int, limit: Int, role: Role = .plain) -> Int {
        guard limit > 0 else { return column }
        if let width = text.plainWidth, width <= limit {
            return drawPlain(text, width: width, row: row, column: column, limit: limit, role: role)
        }
        return draw(run(text).cut(limit, ellipsis: ellipsis), row: row, column: column, limit: limit, role: role)
    }

    /// Draws printable ASCII text, one cell per byte without layout: nearly all of a screen's text, whose layout was a
    /// third of the work of a frame.
    @discardableResult
    private mutating func drawPlain(
        _ text: SafeText, width: Int, row: Int, column: Int, limit: Int, role: Role
    ) -> Int {
        guard row >= 0, row < size.rows else { return column }
        let end = min(size.columns, limit < size.columns - column ? column + limit : size.columns)
        let visible = max(column, 0)..<max(min(column + width, end), max(column, 0))
        if !visible.isEmpty {
            var string = text.string
            string.withUTF8 { bytes in
                let shown = bytes[visible.lowerBound - column..<visible.upperBound - column]
                surface.write(shown, row: row, column: visible.lowerBound, role: role)
            }
        }
        return min(column + width, max(end, column))
    }

    package mutating func fill(row: Int, columns: Range<Int>, with text: SafeText = " ", role: Role = .plain) {
        guard row >= 0, row < size.rows, let piece = run(text).pieces.first, piece.width == 1 else { return }
        let start = max(columns.lowerBound, 0)
        let end = max(min(columns.upperBound, size.columns), start)
        surface.fill(piece.cluster, row: row, columns: start..<end, role: role)
    }

    /// Changes the role of a part of a line without changing its text.
    package mutating func paint(row: Int, columns: Range<Int>, role: Role) {
        guard row >= 0, row < size.rows else { return }
        for column in columns where column >= 0 && column < size.columns { surface[row, column].role = role }
    }

    package mutating func placeCursor(row: Int, column: Int) {
        guard row >= 0, row < size.rows, column >= 0, column < size.columns else { return }
        surface.cursor = (row, column)
    }

    /// Leaves the hidden cursor on the selected line.
    package mutating func parkCursor(row: Int) { surface.parkedRow = row }

    /// Sets the meaning of a click on a part of a line.
    package mutating func addTarget(_ meaning: ClickTarget.Meaning, row: Int, columns: Range<Int>) {
        surface.targets.append(ClickTarget(row: row, columns: columns, meaning: meaning))
    }

    /// Removes the click targets below an overlay that receives the keys.
    package mutating func removeTargets() { surface.targets = [] }

    /// Writes one cluster; overwritten halves of wide clusters become blanks.
    private mutating func put(_ cluster: Cluster, width: Int, row: Int, column: Int, role: Role) {
        surface.separateHalves(row: row, columns: column..<column + width)
        surface[row, column] = Surface.Cell(cluster: cluster, width: UInt8(width), role: role)
        if width == 2 { surface[row, column + 1] = Surface.Cell(cluster: Cluster(), width: 0, role: role) }
    }
}

extension SafeText {
    package func cut(_ limit: Int, in canvas: Canvas) -> SafeText {
        SafeText(untrusted: canvas.run(self).cut(limit, ellipsis: canvas.ellipsis).text)
    }

    /// Broken between words into lines of `limit` cells; a longer word is broken at the line's end.
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

    package func middleCut(_ limit: Int, in canvas: Canvas) -> SafeText {
        SafeText(untrusted: canvas.run(self).middleCut(limit, ellipsis: canvas.ellipsis).text)
    }
}
