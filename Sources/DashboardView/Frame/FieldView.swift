import Dashboard

/// A line of editable text, scrolled so that its cursor is visible.
enum FieldView {
    /// Draws the field, puts the terminal's cursor into it, and returns the column after the text.
    @discardableResult
    static func draw(
        _ field: TextField, row: Int, column: Int, width: Int, role: Role, hasFocus: Bool = true,
        on canvas: inout Canvas
    ) -> Int {
        guard width > 0 else { return column }
        let before = canvas.run(SafeText(untrusted: String(field.characters[..<field.cursor].suffix(1024))))
        let after = canvas.run(SafeText(untrusted: String(field.characters[field.cursor...].prefix(1024))))
        guard hasFocus else {
            let run = (before + after).cut(width, ellipsis: canvas.ellipsis)
            return canvas.draw(run, row: row, column: column, limit: width, role: role)
        }
        let shown = before.suffix(width - 1)
        let cursor = canvas.draw(shown, row: row, column: column, limit: width, role: role)
        canvas.placeCursor(row: row, column: cursor)
        return canvas.draw(after, row: row, column: cursor, limit: column + width - cursor, role: role)
    }
}
