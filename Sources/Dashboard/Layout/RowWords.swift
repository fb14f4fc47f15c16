/// The text of the time column: time left, taken or at the end while a row moves; else its wait, status or time.
package struct RowTime {
    let model: Model
    let row: RowSnapshot

    package init(model: Model, row: RowSnapshot) {
        (self.model, self.row) = (model, row)
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
        case .failed: failingStatus
        case .done: model.list.timeColumn == .finish ? row.endedAt.map(clock) ?? "-" : taken
        case .pausing: row.underWay > 0 ? SizeText.short(Int64(row.underWay), units: model.units) : "-"
        case .queued, .paused, .verifying, .saving, .cancelled: "-"
        }
    }

    /// The status where it is why the transfer failed: a good one is not, nor is a redirect's.
    private var failingStatus: SafeText {
        guard let status = row.statusCode, status >= 400 else { return "-" }
        return SafeText(status)
    }

    private var remaining: SafeText {
        model.rates.remainingSeconds(of: row, now: model.shownNow).map(DurationText.remaining) ?? "-"
    }

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
