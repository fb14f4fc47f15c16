/// A line's text cut to the cells there are, at its end, in its middle or on both sides.
struct CutText {
    /// Which cells of a text are shown.
    enum Part {
        /// Both ends.
        case ends
        /// As much as fits from a cell on.
        case from(Int)
    }

    /// What is drawn.
    let run: TextRun
    private let whole: TextRun
    private let ellipsis: TextRun
    /// Where in `run` the ellipsis at the end or in the middle begins.
    private let cut: Int
    /// Cells of the text that are left out at its start.
    private let hidden: Int

    init(_ whole: TextRun, _ part: Part, limit: Int, ellipsis: TextRun) {
        self.whole = whole
        self.ellipsis = ellipsis
        switch part {
        case .ends:
            run = whole.middleCut(limit, ellipsis: ellipsis)
            cut = whole.prefix((limit - ellipsis.width + 1) / 2).width
            hidden = 0
        case .from(let start) where start > 0 && whole.width > 0:
            let rest = whole.dropping(start + ellipsis.width)
            run = (ellipsis + rest).cut(limit, ellipsis: ellipsis)
            cut = run.width - ellipsis.width
            hidden = whole.width - rest.width
        case .from:
            run = whole.cut(limit, ellipsis: ellipsis)
            cut = run.width - ellipsis.width
            hidden = 0
        }
    }

    /// The cells where what is looked for is seen; an ellipsis stands for what was cut.
    func cells(of search: TextSearch) -> [Range<Int>] {
        let all = whole.cells(of: search)
        var shown = run.cells(of: search)
        let before = all.count { $0.lowerBound < hidden }
        if before > 0 { shown.append(0..<ellipsis.width) }
        if run.cells(of: search).count + before < all.count { shown.append(cut..<cut + ellipsis.width) }
        return shown
    }

    /// From which cell on a text is to be drawn so that what is looked for is seen.
    ///
    /// That is `start` when it is seen then.
    static func start(showing search: TextSearch, in whole: TextRun, from start: Int, limit: Int) -> Int {
        let all = whole.cells(of: search)
        let shown = (start > 0 ? start + 1 : 0)..<(whole.width <= start + limit ? whole.width : start + limit - 1)
        guard let first = all.first, !all.contains(where: { shown.contains($0) }) else { return start }
        return max(first.lowerBound - limit / 3, 0)
    }
}
