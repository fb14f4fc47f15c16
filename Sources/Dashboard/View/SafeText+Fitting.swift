extension SafeText {
    /// Cut at its end to a number of cells.
    package func cut(_ limit: Int, in canvas: Canvas) -> SafeText {
        SafeText(untrusted: canvas.run(self).cut(limit, ellipsis: canvas.ellipsis).text)
    }

    /// Broken between words into lines of so many cells; a word that is longer is broken where the line ends.
    func wrapped(_ limit: Int, in canvas: Canvas) -> [SafeText] {
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
    func middleCut(_ limit: Int, in canvas: Canvas) -> SafeText {
        SafeText(untrusted: canvas.run(self).middleCut(limit, ellipsis: canvas.ellipsis).text)
    }
}
