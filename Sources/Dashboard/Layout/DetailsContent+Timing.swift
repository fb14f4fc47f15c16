/// The times of a transfer: its wait, the steps of its latest attempt, and the attempts before it.
extension DetailsContent {
    /// The cells of the longest step name and a blank.
    private static let stepCells = 8

    /// A measured span of time, as a line with a bar.
    private typealias Span = (name: SafeText, milliseconds: Int)

    /// The steps of the latest attempt, then all attempts if there was more than one.
    var timing: [DetailLine] { phases + attempts }

    /// Each step with a bar as long as its share of the total.
    package var phases: [DetailLine] {
        let steps = spans
        guard !steps.isEmpty else { return [DetailLine(text: DetailsLabels.noTiming, role: .dim)] + total }
        return [DetailLine(text: DetailsLabels.phases, role: .title)] + bars(steps) + total
    }

    private func bars(_ spans: [Span]) -> [DetailLine] {
        let longest = max(spans.map(\.milliseconds).max() ?? 1, 1)
        return spans.map { span in
            let eighths = max(1, span.milliseconds * 192 / longest)
            let bar = SafeText("█") * (eighths / 8) + Glyphs.eighths[eighths % 8]
            return DetailLine(
                label: span.name, text: number(span.milliseconds) + " " + bar, labelCells: Self.stepCells)
        }
    }

    private func number(_ milliseconds: Int) -> SafeText {
        let number = SafeText(milliseconds)
        return SafeText(" ") * max(6 - number.string.count, 1) + number
    }

    /// The attempt's duration so far.
    private var total: [DetailLine] {
        attemptDuration.map { [DetailLine(label: DetailsLabels.total, text: number($0), labelCells: Self.stepCells)] }
            ?? []
    }

    /// The attempt's duration so far, in milliseconds; nil if unknown.
    ///
    /// The known time of a running attempt dates from its first byte, a paused one's from the pause.
    var attemptDuration: Int? {
        guard row.state == .running, let start = details.attemptStartedAt else { return details.total }
        // How long it went on without its service is unknown, and its bytes stand still.
        guard !model.isServiceAway else { return nil }
        return max(details.total ?? 0, Int(max(model.shownNow - start, 0)))
    }

    private var attempts: [DetailLine] {
        guard !details.earlierAttempts.isEmpty else { return [] }
        let all = details.earlierAttempts + (attemptDuration.map { [$0] } ?? [])
        return [DetailLine(text: ""), DetailLine(text: DetailsLabels.attempts, role: .title)]
            + bars(all.enumerated().map { (DetailsLabels.attempt($0 + 1), $1) })
    }

    /// The wait for a slot, then the steps in order.
    private var spans: [Span] {
        let steps: [(SafeText, Int?)] = [
            (DetailsLabels.dns, details.nameLookup), (DetailsLabels.connect, details.connect),
            (DetailsLabels.secure, details.secureConnect), (DetailsLabels.sending, details.requestSent),
            (DetailsLabels.wait, details.firstByte),
            (DetailsLabels.receiving, details.firstByte == nil ? nil : attemptDuration),
        ]
        var previous = 0
        let queue: [Span] = details.queued.map { waited -> [Span] in [(DetailsLabels.queue, waited)] } ?? []
        return queue
            + steps.compactMap { name, end in
                guard let end, end >= previous else { return nil }
                defer { previous = end }
                return (name, end - previous)
            }
    }

    /// The steps before the body in one line, each with its own time as the tab shows it.
    var timingSummary: SafeText {
        let shown = [DetailsLabels.dns, DetailsLabels.connect, DetailsLabels.secure, DetailsLabels.wait]
        let steps = spans.filter { shown.contains($0.name) }.map { DetailsLabels.step($0.name, $0.milliseconds) }
        return steps.isEmpty ? "" : DetailsLabels.milliseconds(steps.joined(by: " · "))
    }
}
