/// The sums of a group in words, shown instead of a task's details.
package struct GroupContent {
    private let model: Model
    private let group: RowGroup

    package init(model: Model, group: RowGroup) {
        (self.model, self.group) = (model, group)
    }

    /// The rates of the groups that have any, by group number.
    ///
    /// Only running rows have meters, so the cost depends on them and not on the number of rows.
    package static func speeds(_ model: Model) -> [Int32: Double] {
        var speeds: [Int32: Double] = [:]
        for (id, meter) in model.rates.meters where meter.shown > 0 {
            guard let number = model.rows.group(of: id)?.number else { continue }
            speeds[number, default: 0] += meter.shown
        }
        return speeds
    }

    /// The lines, the most informative first.
    package var lines: [DetailLine] {
        [
            DetailLine(text: GroupLines.title(model.rows.title(of: group), group.totals.count)),
            DetailLine(text: states),
        ] + trouble + [DetailLine(text: bytes), DetailLine(text: keys, role: .dim)]
    }

    /// The latest failure and its cause, in the words of its row.
    private var trouble: [DetailLine] {
        guard model.rows.query.grouping == .host, let figures = model.rows.latestTrouble(in: group),
            let row = model.rows[figures.id]
        else { return [] }
        let cause = row.error ?? Self.word(for: figures)
        let isOver = figures.state == .failed
        let text = isOver ? GroupLines.lastError(cause, row.name) : GroupLines.retryingAfter(cause, row.name)
        return [DetailLine(text: text, role: .error)]
    }

    /// The word for a row's failure, as the row itself shows it.
    package static func word(for figures: RowFigures, cells: Int = 11) -> SafeText {
        (figures.cause ?? .http).word(status: figures.statusCode, cells: cells)
    }

    private var states: SafeText {
        let totals = group.totals
        func part(_ count: Int32, _ word: SafeText) -> SafeText { count == 0 ? "" : GroupLines.count(count, word) }
        return [
            running, part(totals.retrying, RowState.retrying.word), part(totals.queued, RowState.queued.word),
            part(totals.verifying, RowState.verifying.word), part(totals.saving, RowState.saving.word),
            part(totals.paused, RowState.paused.word), part(totals.failed, RowState.failed.word),
            part(totals.done, RowState.done.word), part(totals.cancelled, RowState.cancelled.word),
        ].joined(by: " · ")
    }

    /// The running rows of the group and the limit; a file and a request count separately there.
    private var running: SafeText {
        let running = group.totals.running
        guard model.rows.query.grouping == .host else { return GroupLines.running(running) }
        let use = model.connectionUses[group.number] ?? ConnectionUse()
        let parts: [SafeText] = [
            use.words.isEmpty ? GroupLines.running(running) : GroupLines.running(running, on: use.words),
            use.unanswered == 0 ? "" : GroupLines.awaitingResponse(use.unanswered),
        ]
        return GroupLines.bounded(parts.joined(by: ", "), model.options.limits.perHost)
    }

    private var bytes: SafeText {
        let totals = group.totals
        let speed = GroupContent.speeds(model)[group.number] ?? 0
        let moved = SizeText.long(totals.moved, units: model.units)
        // A share of the known bytes would read as complete.
        let isOpenEnded = totals.unmeasured > 0 && totals.moved >= totals.expected
        let sum =
            isOpenEnded
            ? GroupLines.soFar(moved)
            : GroupLines.bytes(moved, of: SizeText.long(totals.expected, units: model.units))
        let unsized = totals.unmeasured > 0 ? GroupLines.unsized(totals.unmeasured) : ""
        return [sum, unsized, SizeText.rate(speed, units: model.units)].joined(by: " · ")
    }

    private var keys: SafeText {
        let keys = model.keys
        let fold = keys.key(of: .details)
        let (pause, resume, cancel) = (keys.key(of: .pause), keys.key(of: .resume), keys.key(of: .cancel))
        return [
            model.rows.isFolded(group) ? GroupLines.unfoldHint(fold) : GroupLines.foldHint(fold),
            model.list.marks.isEmpty
                ? GroupLines.allHint(pause, resume, cancel) : GroupLines.markedHint(pause, resume, cancel),
        ].joined(by: " · ")
    }
}
