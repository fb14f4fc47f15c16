/// The title and the progress of the window, visible while the user is elsewhere.
///
/// It changes only with each full percent, so it costs next to nothing, and nothing on an idle screen.
package struct WindowStatus: Sendable, Equatable {
    /// The maximum length of a task's name in the title, in characters.
    private static let nameLimit = 60

    /// Begins with the changing part, because tabs cut the end: `62% debian.iso - netdash`.
    package private(set) var title: SafeText
    package private(set) var progress: TaskbarProgress

    package init(_ model: Model) {
        let rates = model.rates
        // A body of unknown length counts its bytes so far as its expected length.
        let isKnown = rates.shownMoved < rates.shownExpected || rates.countsRows
        let percent = isKnown ? rates.permille.map { $0 / 10 } : nil
        guard model.isMoving else {
            let isPaused = model.rows.counts[nil, .pausing, .paused] > 0 && model.rows.counts[nil, .queued] == 0
            title = WindowStatus.program(model)
            progress = isPaused ? .paused(percent ?? 0) : .none
            return
        }
        progress = percent.map { .percent($0) } ?? .unknown
        let number = percent.map { WindowLabels.percent($0) } ?? ""
        let failed = model.rows.counts[nil, .failed]
        let failures: SafeText = failed > 0 ? WindowLabels.failed(failed) : ""
        title = [[number, WindowStatus.subject(model), failures].joined(by: " "), WindowStatus.program(model)].joined(
            by: " - ")
    }

    /// The program and the session that the user has named, which small windows show nowhere else.
    private static func program(_ model: Model) -> SafeText {
        let session = model.hasNamedSession ? model.sessionName ?? "" : ""
        guard !session.isEmpty else { return "netdash" }
        return WindowLabels.program(SafeText(untrusted: String(session.string.prefix(nameLimit))))
    }

    /// The name of the only running task, or the number of running tasks.
    private static func subject(_ model: Model) -> SafeText {
        let meters = model.rates.meters
        if meters.count == 1, let row = meters.keys.first.flatMap({ model.rows[$0] }) {
            return SafeText(untrusted: String(row.name.string.prefix(nameLimit)))
        }
        return meters.isEmpty ? "" : CountLabels.tasks(meters.count)
    }
}

/// The total progress, which some terminals show outside the window.
package enum TaskbarProgress: Sendable, Equatable {
    /// Nothing moves, and nothing waits for the user.
    case none
    case percent(Int)
    /// A transfer of unknown length moves.
    case unknown
    /// Everything that is left is paused.
    case paused(Int)
}
