/// The text of the time column: time left, taken or at the end while a row moves; else its wait or its time.
///
/// Where no other column says why a row failed or stands still, this one does.
package struct RowTime {
    let model: Model
    let row: RowSnapshot
    /// Cells that a word has.
    private let cells: Int
    private let saysWhy: Bool

    package init(model: Model, row: RowSnapshot, cells: Int = 7, saysWhy: Bool = true) {
        (self.model, self.row, self.cells, self.saysWhy) = (model, row, cells, saysWhy)
    }

    package var text: SafeText {
        switch row.state {
        case .running:
            switch model.list.timeColumn {
            case .eta: remaining
            case .elapsed: elapsed
            case .finish: finish
            }
        case .retrying: wait
        case .failed: saysWhy ? failure : endedAt
        case .done: endedAt
        case .pausing: row.underWay > 0 ? SizeText.short(Int64(row.underWay), units: model.units) : "-"
        case .queued, .paused, .verifying, .saving, .cancelled: "-"
        }
    }

    /// The word for the failure; a status alone is one only where it is an error's.
    private var failure: SafeText {
        let word = (row.cause ?? .http).word(status: row.statusCode, cells: cells)
        return word.isEmpty || row.cause == nil && (row.statusCode ?? 0) < 400 ? "-" : word
    }

    private var remaining: SafeText {
        if let seconds = model.rates.remainingSeconds(of: row, now: model.shownNow) {
            return DurationText.remaining(seconds)
        }
        guard saysWhy, model.rates.standstill(of: row.id, now: model.shownNow) != nil else { return "-" }
        return Cause.stalled.word(status: nil, cells: cells)
    }

    private var endedAt: SafeText { model.list.timeColumn == .finish ? row.endedAt.map(clock) ?? "-" : taken }

    private var elapsed: SafeText {
        row.startedAt.map { DurationText.uptime(milliseconds: model.shownNow - $0) } ?? "-"
    }

    private var finish: SafeText {
        guard let seconds = model.rates.remainingSeconds(of: row, now: model.shownNow) else { return "-" }
        return seconds < 86_400 ? clock(at: model.shownNow + Int64(seconds * 1000)) : "> 1d"
    }

    /// The time of day at a moment of the model's clock; of an earlier day only that it was.
    private func clock(at moment: Int64) -> SafeText {
        guard let offset = model.dayOffset else { return "-" }
        return model.shownNow - moment < 86_400_000 ? DurationText.timeOfDay(milliseconds: moment + offset) : "> 1d"
    }

    private var wait: SafeText {
        guard let retryAt = row.retryAt else { return "-" }
        return "in " + SafeText(max((retryAt - model.shownNow + 999) / 1000, 0)) + "s"
    }

    private var taken: SafeText {
        guard let start = row.startedAt, let end = row.endedAt else { return "-" }
        return DurationText.elapsed(milliseconds: end - start)
    }
}

/// The text of the state column: the state, or why the row failed, waits or stands still.
package struct RowStateWord {
    private let model: Model
    private let row: RowSnapshot
    private let cells: Int

    /// The text of a row for a column of so many cells.
    package init(model: Model, row: RowSnapshot, cells: Int) {
        (self.model, self.row, self.cells) = (model, row, cells)
    }

    package var text: SafeText {
        switch row.state {
        case .failed:
            let word = row.cause?.word(status: row.statusCode, cells: cells) ?? .empty
            return word.isEmpty ? row.state.word : word
        case .retrying: return waiting
        case .running: return standstill ?? row.state.word
        case .queued where row.priority != 0:
            return "queued " + (row.priority > 0 ? "+" : "") + SafeText(row.priority)
        case .queued, .pausing, .paused, .verifying, .saving, .done, .cancelled: return row.state.word
        }
    }

    /// The reason and the number of the attempt, as far as both have room.
    private var waiting: SafeText {
        let count = " " + SafeText(row.failedAttempts) + "/" + SafeText(row.retryLimit)
        let word = row.cause?.word(status: row.statusCode, cells: cells - count.string.utf8.count) ?? .empty
        return (word.isEmpty ? "retry" : word) + count
    }

    private var standstill: SafeText? {
        guard let seconds = model.rates.standstill(of: row.id, now: model.shownNow) else { return nil }
        return "stalled " + (seconds < 100 ? SafeText(seconds) + "s" : SafeText(min(seconds / 60, 99)) + "m")
    }
}

extension RowFigures {
    /// The word for its priority.
    var priorityWord: SafeText {
        switch priority {
        case ..<(-1): "lowest"
        case -1: "low"
        case 0: "normal"
        case 1: "high"
        default: "highest"
        }
    }
}
