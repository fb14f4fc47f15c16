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
            DetailLine(text: model.rows.title(of: group) + ": " + SafeText.tasks(group.count) + " in this view"),
            DetailLine(text: states),
        ] + trouble + [DetailLine(text: bytes), DetailLine(text: keys, role: .dim)]
    }

    /// The latest failure and its cause, in the words of its row.
    private var trouble: [DetailLine] {
        guard model.rows.query.grouping == .host, let figures = model.rows.latestTrouble(in: group),
            let row = model.rows[figures.id]
        else { return [] }
        let title: SafeText = figures.state == .failed ? "Last error: " : "Waits after: "
        return [DetailLine(text: title + (row.error ?? Self.word(for: figures)) + " (" + row.name + ")", role: .error)]
    }

    /// The word for a row's failure, as the row itself shows it.
    package static func word(for figures: RowFigures, cells: Int = 11) -> SafeText {
        (figures.cause ?? .http).word(status: figures.statusCode, cells: cells)
    }

    private var states: SafeText {
        let totals = group.totals
        func part(_ count: Int32, _ word: SafeText) -> SafeText { count == 0 ? "" : SafeText(count) + " " + word }
        return [
            SafeText(totals.running) + connections, part(totals.waiting, "waiting"),
            part(totals.paused, "paused"), part(totals.failed, "failed"), part(totals.done, "done"),
        ].joined(by: " · ")
    }

    /// The connections of the running rows, and the limit; a file and a request count separately there.
    private var connections: SafeText {
        guard model.rows.query.grouping == .host else { return " running" }
        let use = model.connectionUses[group.number] ?? ConnectionUse()
        let count = use.unanswered
        let parts: [SafeText] = [
            " running" + (use.words.isEmpty ? "" : " on " + use.words),
            count == 0 ? "" : (count == 1 ? " 1 waits" : " " + SafeText(count) + " wait") + " for an answer",
        ]
        return parts.joined(by: ",") + " (at most " + SafeText(model.options.limits.perHost) + " at once)"
    }

    private var bytes: SafeText {
        let totals = group.totals
        let speed = GroupContent.speeds(model)[group.number] ?? 0
        let sum =
            SizeText.long(totals.moved, units: model.units) + " of "
            + SizeText.long(totals.expected, units: model.units)
        let unknown = totals.unmeasured > 0 ? " and " + SafeText(totals.unmeasured) + " of unknown size" : ""
        return sum + unknown + " · " + SizeText.rate(speed, units: model.units)
    }

    private var keys: SafeText {
        let keys = model.keys
        return keys.key(of: .details) + (model.rows.isFolded(group) ? " unfolds it · " : " folds it · ")
            + keys.key(of: .pause) + " " + keys.key(of: .resume) + " " + keys.key(of: .cancel)
            + (model.list.marks.isEmpty ? " act on all of them" : " act on the marked tasks")
    }
}
