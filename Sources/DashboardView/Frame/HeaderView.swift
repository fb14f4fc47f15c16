import Dashboard

/// Rates and sums over all transfers, including ones the table hides.
struct HeaderView {
    let model: Model

    /// The minimum cells of a session's name: less of it says nothing.
    private static let leastNameCells = 6
    /// The minimum columns for the tab in the header.
    private static let leastFolded = 30
    /// The cells of the shortest curve, and the gap before it.
    private static let curveCells = 8

    func draw(lines: Range<Int>, foldsTabs: Bool, on canvas: inout Canvas) {
        guard let row = lines.first else { return }
        let columns = canvas.size.columns
        // Figures of a frozen display are old, so a narrow window shows how to go on in their cells.
        if model.frozen != nil, foldsTabs, columns < Self.leastFolded {
            let key = model.keys.key(of: .freeze)
            let texts = [TabLabels.frozen(key), HeaderLabels.frozen(key)]
            guard let text = texts.first(where: { canvas.width($0) < columns }) ?? texts.last else { return }
            canvas.drawCut(text, row: row, column: 1, limit: max(columns - 1, 0), role: .filter)
            return
        }
        let folded = foldsTabs ? foldedTabs(columns: columns) : .empty
        let rest = columns - (folded.isEmpty ? 0 : canvas.width(folded) + 2)
        let notices = model.backoffNotices
        let notice = notices.last.map { canvas.width($0) + 2 } ?? 0
        let text = text(columns: columns, room: rest - 1 - notice, canvas: canvas)
        let textEnd = canvas.draw(text, row: row, column: 0, limit: columns, role: .header)
        let end = draw(notices, row: row, after: textEnd, before: rest, on: &canvas)
        if !folded.isEmpty, end + canvas.width(folded) + 1 <= columns {
            canvas.drawRight(folded, row: row, end: columns, role: .tabSelected)
        } else if foldsTabs, columns < 40, model.hasNamedSession, columns - end >= Self.leastNameCells {
            let name = (model.sessionName ?? "").cut(columns - end - 1, in: canvas)
            canvas.drawRight(name, row: row, end: columns, role: .dim)
        }
        if lines.count > 1 {
            drawUptime(row: row, after: end, on: &canvas)
            CurveView(model: model).drawLine(row: row + 1, on: &canvas)
        } else if columns >= 60 {
            CurveView(model: model).drawCorner(row: row, after: end + 2, on: &canvas)
        }
    }

    /// Draws the longest notice that fits.
    private func draw(
        _ notices: [SafeText], row: Int, after column: Int, before end: Int, on canvas: inout Canvas
    ) -> Int {
        guard let notice = notices.first(where: { column + 2 + canvas.width($0) <= end }) else { return column }
        return canvas.draw(notice, row: row, column: column + 2, role: .stateRetrying)
    }

    /// The longest variant that fits.
    private func text(columns: Int, room: Int, canvas: Canvas) -> SafeText {
        let isPlain = canvas.capabilities.glyphs == .ascii
        // The variants are made one by one, because usually the first one fits.
        let variants: [(from: Int, spare: Int, make: () -> SafeText)] = [
            (100, 0, { long(withPeaks: true, joint: "  ·  ", isPlain: isPlain) }),
            (100, 0, { long(withPeaks: true, joint: " · ", isPlain: isPlain) }),
            (100, 0, { long(withPeaks: false, joint: "  ·  ", isPlain: isPlain) }),
            // The curve says more than the program's name.
            (80, Self.curveCells, { " netdash   " + medium(gap: "   ", of: HeaderLabels.part, isPlain: isPlain) }),
            (80, 0, { " " + medium(gap: "  ", of: HeaderLabels.part, isPlain: isPlain) }),
            (60, 0, { " " + medium(gap: "  ", of: HeaderLabels.share, isPlain: isPlain) }),
            (60, 0, { " " + medium(gap: "  ", of: HeaderLabels.share, countsUnsized: false, isPlain: isPlain) }),
        ]
        for variant in variants where columns >= variant.from {
            let text = variant.make()
            if canvas.width(text) + variant.spare <= room { return text }
        }
        let short = shortVariants(isPlain: isPlain)
        return short.first { canvas.width($0) <= room } ?? short.last ?? .empty
    }

    /// The variants for a narrow window, each in fewer cells.
    private func shortVariants(isPlain: Bool) -> [SafeText] {
        let rates =
            " " + (isPlain ? "v" : "↓") + SizeText.rateWithoutUnit(model.rates.down, units: model.units)
            + (isPlain ? " ^" : " ↑") + SizeText.rateWithoutUnit(model.rates.up, units: model.units)
        guard model.rows.count > 0 else { return [rates] }
        let shares = shortProgress.map { rates + " " + $0 }
        return shares.flatMap { eta.isEmpty ? [$0] : [$0 + " " + eta, $0] } + [rates]
    }

    /// The completed share of the bytes; if not all of them are known, the number of tasks.
    private var shortProgress: [SafeText] {
        let rates = model.rates
        if rates.shownUnmeasured > 0, !rates.countsRows {
            let share = HeaderLabels.share(SafeText(done), SafeText(total))
            return [HeaderLabels.done(share), share]
        }
        return [rates.permille.map { SafeText($0 / 10) + "%" } ?? ""]
    }

    private func medium(
        gap: SafeText, of: (SafeText, SafeText) -> SafeText, countsUnsized: Bool = true, isPlain: Bool
    ) -> SafeText {
        let rates = model.rates
        return [
            HeaderLabels.speed(
                isPlain ? HeaderLabels.down : "↓",
                SizeText.rate(rates.down, of: model.bounds.download, units: model.units)),
            HeaderLabels.speed(
                isPlain ? HeaderLabels.up : "↑", SizeText.rate(rates.up, of: model.bounds.upload, units: model.units)),
            rowRate, rates.countsRows ? rowSum(of) : sum(of),
            [etaWords, countsUnsized ? unsized : ""].joined(by: ", "),
        ].joined(by: gap)
    }

    private var etaWords: SafeText { eta.isEmpty ? "" : HeaderLabels.eta(eta) }

    private var unsized: SafeText {
        model.rates.unpredicted > 0 ? HeaderLabels.unsized(model.rates.unpredicted) : ""
    }

    /// Tasks per second, while any are completed.
    private var rowRate: SafeText {
        guard model.rates.countsRows, model.rates.rowsPerSecond >= 1 else { return "" }
        return HeaderLabels.perSecond(Int(model.rates.rowsPerSecond), rowWord)
    }

    private func rowSum(_ of: (SafeText, SafeText) -> SafeText) -> SafeText {
        HeaderLabels.counted(of(SafeText(done), SafeText(total)), rowWord)
    }

    /// The completed tasks at this moment, as the line of tabs counts them.
    private var done: Int { model.rows.counts[nil, .done] }

    /// All tasks but the cancelled ones.
    private var total: Int { model.rows.count - model.rows.counts[nil, .cancelled] }

    private var rowWord: SafeText { model.rows.counts[.data, nil] == 0 ? HeaderLabels.files : HeaderLabels.tasks }

    /// Whether any bytes have come or are expected: nothing of nothing would read as complete.
    private var hasSum: Bool { model.rates.shownMoved > 0 || model.rates.shownExpected > 0 }

    /// Whether all known bytes are here but more will come: a share of them would read as complete.
    private var isOpenEnded: Bool {
        model.rates.shownUnmeasured > 0 && model.rates.shownMoved >= model.rates.shownExpected
    }

    /// The sign after a number that is only a lower bound.
    private var more: SafeText { model.rates.shownUnmeasured > 0 ? "+" : "" }

    private func long(withPeaks: Bool, joint: SafeText, isPlain: Bool) -> SafeText {
        let rates = model.rates
        func speed(_ arrow: SafeText, _ value: Double, peak: Double, _ limit: Int64?) -> SafeText {
            let rate = SizeText.longRate(value, of: limit, units: model.units)
            guard withPeaks, peak > 0 else { return HeaderLabels.speed(arrow, rate) }
            return HeaderLabels.speed(arrow, rate, peak: SizeText.rate(peak, units: model.units))
        }
        let (down, up): (SafeText, SafeText) = isPlain ? (HeaderLabels.down, HeaderLabels.up) : ("↓", "↑")
        let speeds = [
            speed(down, rates.down, peak: rates.peakDown, model.bounds.download),
            speed(up, rates.up, peak: rates.peakUp, model.bounds.upload),
        ].joined(by: "   ")
        let counts = rates.countsRows ? [rowRate, rowSum(HeaderLabels.part)] : []
        return ([" netdash", speeds] + counts + [longSum, etaWords, unsized]).joined(by: joint)
    }

    private func sum(_ of: (SafeText, SafeText) -> SafeText) -> SafeText {
        guard hasSum else { return "" }
        guard !isOpenEnded else { return soFar(SizeText.short(model.rates.shownMoved, units: model.units)) }
        return of(
            SizeText.short(model.rates.shownMoved, units: model.units),
            SizeText.short(model.rates.shownExpected, units: model.units) + more)
    }

    private func soFar(_ size: SafeText) -> SafeText {
        model.rates.shownMoved > 0 ? HeaderLabels.soFar(size) : ""
    }

    private var longSum: SafeText {
        guard hasSum else { return "" }
        guard !isOpenEnded else { return soFar(SizeText.long(model.rates.shownMoved, units: model.units)) }
        return HeaderLabels.part(
            SizeText.long(model.rates.shownMoved, units: model.units),
            SizeText.long(model.rates.shownExpected, units: model.units) + more)
    }

    private var eta: SafeText {
        guard let seconds = model.rates.totalRemainingSeconds else { return "" }
        // "At least nothing" is no answer.
        if model.rates.unpredicted > 0, seconds < 1 { return "" }
        let time = DurationText.remaining(seconds)
        return model.rates.unpredicted > 0 ? HeaderLabels.etaAtLeast(time) : time
    }

    private func foldedTabs(columns: Int) -> SafeText {
        guard columns >= Self.leastFolded else { return "" }
        if model.frozen != nil { return HeaderLabels.frozen(model.keys.key(of: .freeze)) }
        let query = model.rows.query
        let title = columns >= 60 ? query.tab.title : query.tab.shortTitle
        if query.isFiltering {
            let counts = HeaderLabels.share(
                SafeText(model.rows.matchCount), SafeText(model.rows.counts[query.tab.kind, nil]))
            return HeaderLabels.filter(SafeText(untrusted: query.filter), counts)
        }
        return HeaderLabels.tab(title, model.rows.counts[query.tab.kind, nil])
    }

    /// Draws the uptime while something moves: an idle screen does not change.
    private func drawUptime(row: Int, after end: Int, on canvas: inout Canvas) {
        guard model.isMoving, let startedAt = model.startedAt else { return }
        let uptime = HeaderLabels.running(DurationText.uptime(milliseconds: model.shownNow - startedAt))
        let offset = model.dayClock.offset(at: model.shownNow)
        let clock = offset.map { "  " + DurationText.timeOfDay(milliseconds: model.shownNow + $0) } ?? ""
        let text = uptime + clock
        guard end + canvas.width(text) + 3 <= canvas.size.columns else { return }
        canvas.drawRight(text, row: row, end: canvas.size.columns - 1, role: .dim)
    }
}

/// The last seconds' rates as curves, one column a second.
private struct CurveView {
    let model: Model

    /// Draws both directions in one line, each with the rate at its top.
    func drawLine(row: Int, on canvas: inout Canvas) {
        let columns = canvas.size.columns
        guard columns >= 60, !model.rates.downHistory.isEmpty else { return }
        let isPlain = canvas.capabilities.glyphs == .ascii
        let room = columns - 34
        let downRoom = min(room * 3 / 5, 60)
        let upRoom = min(room - downRoom, 40)
        var column = draw(
            isPlain ? "v" : "↓", model.rates.downHistory.suffix(downRoom), width: downRoom, row: row, column: 1,
            role: .rateDown, on: &canvas)
        column = canvas.draw(" │ ", row: row, column: column, role: .dim)
        column = draw(
            isPlain ? "^" : "↑", model.rates.upHistory.suffix(upRoom), width: upRoom, row: row, column: column,
            role: .rateUp, on: &canvas)
        let seconds = min(max(downRoom, upRoom), model.rates.downHistory.values.count)
        canvas.draw(" │ " + SafeText(seconds) + " s", row: row, column: column, role: .dim)
    }

    /// Draws all directions together, in the cells that the header leaves free.
    func drawCorner(row: Int, after column: Int, on canvas: inout Canvas) {
        let room = min(canvas.size.columns - column - 1, 12)
        guard room >= 6, canvas.size.columns >= 80, !model.rates.downHistory.isEmpty else { return }
        let sums = zip(model.rates.downHistory.suffix(120), model.rates.upHistory.suffix(120)).map { $0 + $1 }
        let text = Glyphs.curve(sums, width: room, peak: sums.max() ?? 0, in: canvas.capabilities.glyphs)
        canvas.drawRight(text, row: row, end: canvas.size.columns - 1, role: .rateDown)
    }

    /// Draws one direction; the scale is the highest visible rate, so that an old burst flattens nothing.
    private func draw(
        _ arrow: SafeText, _ values: [Double], width: Int, row: Int, column: Int, role: Role, on canvas: inout Canvas
    ) -> Int {
        let peak = values.max() ?? 0
        let text = Glyphs.curve(values, width: width, peak: peak, in: canvas.capabilities.glyphs)
        let next = canvas.draw(arrow + " ", row: row, column: column, role: role)
        let end = canvas.draw(text, row: row, column: next, role: role)
        return canvas.draw(
            "  " + SizeText.rate(peak, units: model.units), row: row, column: end, role: .dim)
    }
}
