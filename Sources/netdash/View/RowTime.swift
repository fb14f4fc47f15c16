/// What the time column says: time left while a row moves, its wait, its status or how long it took.
struct RowTime {
    let model: Model
    let row: RowSnapshot

    var text: SafeText {
        switch row.state {
        case .running: model.list.timeColumn == .eta ? remaining : elapsed
        case .retrying: wait
        case .failed: row.statusCode.map { SafeText($0) } ?? "-"
        case .done: taken
        case .queued, .paused, .verifying, .cancelled: "-"
        }
    }

    private var remaining: SafeText {
        model.rates.remainingSeconds(of: row, now: model.shownNow).map(DurationText.remaining) ?? "-"
    }

    private var elapsed: SafeText {
        row.startedAt.map { DurationText.uptime(milliseconds: model.shownNow - $0) } ?? "-"
    }

    private var wait: SafeText {
        guard let retryAt = row.retryAt else { return "-" }
        return "in " + SafeText(max((retryAt - model.shownNow + 999) / 1000, 0)) + "s"
    }

    private var taken: SafeText {
        guard let start = row.startedAt, let end = row.endedAt else { return "-" }
        return DurationText.taken(milliseconds: end - start)
    }
}
