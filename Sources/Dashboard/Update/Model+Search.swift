extension Model {
    /// Asks what to look for in the full-screen details, beginning with what was looked for last.
    mutating func askToSearch() {
        overlay = .prompt(Prompt(purpose: .search, field: TextField(details.search?.text.text ?? "")))
    }

    /// Looks for a text from the first line on the screen on; an empty text ends the search.
    mutating func search(for text: String) {
        details.search = TextSearch(text).map { DetailsSearch(text: $0) }
        goToMatch(1)
    }

    /// Goes to the next line that has what is looked for, or to the one before, round and round.
    ///
    /// It looks at the very lines that are drawn, so what is found is what is seen.
    mutating func goToMatch(_ direction: Int) {
        guard let search = details.search, let row = current else { return }
        let lines = DetailsContent(model: self, row: row).lines(of: details.tab)
        let found = lines.indices.filter { lines[$0].has(search.text) }
        guard let first = found.first, let last = found.last else {
            details.search?.place = nil
            notify("\"" + SafeText(untrusted: search.text.text) + "\" is not in " + details.tab.title)
            return
        }
        let top = min(details.top, lines.count - 1)
        let next =
            direction > 0
            ? found.firstIndex { $0 > search.place?.line ?? top - 1 }
            : found.lastIndex { $0 < search.place?.line ?? top }
        if next == nil { notify("Searching goes on " + (direction > 0 ? "from the top" : "from the end")) }
        let index = next ?? found.firstIndex(of: direction > 0 ? first : last) ?? 0
        details.search?.place = .init(line: found[index], ordinal: index + 1, count: found.count)
        show(line: found[index], top: top)
    }

    /// Scrolls only when a line is not on the screen; the last text line may be below a message.
    private mutating func show(line: Int, top: Int) {
        let height = max(DetailsScreen.textRows(height: size.rows).count - 1, 1)
        details.top = (top..<top + height).contains(line) ? top : max(line - height / 3, 0)
    }
}
