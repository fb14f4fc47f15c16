import Dashboard
import TransferService

/// The answers to typed commands: words instead of symbols, one fact after the other, most important first.
enum InteractiveText {
    static func line(of row: RowSnapshot) -> SafeText {
        var parts: [SafeText] = [SafeText(row.id), SafeText(untrusted: row.kind.rawValue)] + state(row)
        if row.state != .done, row.moved > 0 || row.expected != nil { parts.append(progress(row)) }
        return InteractiveLines.row(parts.joined(by: ", "), row.url)
    }

    /// Describes a task: its line of the list, then a line for each known fact.
    static func details(of row: RowSnapshot) -> [SafeText] {
        var lines = [line(of: row)]
        var parts = [
            row.error.map { InteractiveLines.error($0) }, row.path.map { InteractiveLines.file($0) },
            row.statusCode.map { InteractiveLines.response($0) },
        ].compactMap(\.self)
        if !row.state.isFinal {
            let prospect =
                switch row.continuation {
                case .yes: InteractiveLines.resumes
                case .unknown: InteractiveLines.mayRestart
                case .no: InteractiveLines.restarts
                }
            parts.append(prospect)
        }
        lines += parts.map { "  " + $0 }
        return lines
    }

    /// The number of tasks in each state, and the bytes of all of them.
    static func status(of rows: [RowSnapshot]) -> SafeText {
        guard !rows.isEmpty else { return InteractiveLines.noTasks }
        let moved = rows.reduce(Int64(0)) { $0 + $1.moved }
        return InteractiveLines.status(counts(of: rows), SizeText.long(moved))
    }

    /// For example `1 running, 2 done`.
    static func counts(of rows: [RowSnapshot]) -> SafeText {
        let counts = RowState.allCases.compactMap { state -> SafeText? in
            let count = rows.count { $0.state == state }
            return count > 0 ? InteractiveLines.count(count, word(state)) : nil
        }
        return counts.joined(by: ", ")
    }

    /// The body of a task's response below a heading, or why it has none.
    static func body(of row: RowSnapshot, _ details: RowDetails) -> [SafeText] {
        if !details.body.lines.isEmpty {
            return [InteractiveLines.body(row.id, details.body.summary)] + details.body.lines
                + [InteractiveLines.endOfBody]
        }
        if details.bodyWasDropped { return [InteractiveLines.bodyDropped(row.id)] }
        if row.kind == .download { return [InteractiveLines.bodyIsFile(row.id)] }
        if row.kind == .data, let path = row.path { return [InteractiveLines.bodyIn(row.id, path)] }
        return [row.state.isFinal ? InteractiveLines.noBody(row.id) : InteractiveLines.noBodyYet(row.id)]
    }

    /// The rate limits in force for all tasks together.
    static func limits(_ plan: RatePlan) -> SafeText {
        InteractiveLines.limits(SafeText(untrusted: plan.download.words), SafeText(untrusted: plan.upload.words))
    }

    static func limits(_ rates: TaskRates?) -> SafeText {
        guard let rates, rates != TaskRates() else { return InteractiveLines.commonLimits }
        func words(_ own: OwnRate?) -> SafeText {
            guard let own else { return InteractiveLines.commonLimit }
            return own.rate.map { InteractiveLines.atMost(SafeText(untrusted: RateSchedule.words(of: $0))) }
                ?? InteractiveLines.noLimit
        }
        return [InteractiveLines.download(words(rates.download)), InteractiveLines.upload(words(rates.upload))]
            .joined(by: ", ")
    }

    // MARK: - Words

    private static func progress(_ row: RowSnapshot) -> SafeText {
        guard let expected = row.expected else { return SizeText.long(row.moved) }
        let amount = InteractiveLines.progress(SizeText.long(row.moved), of: SizeText.long(expected))
        return PercentText.percent(row.moved, of: expected).map { [$0, amount].joined(by: ", ") } ?? amount
    }

    /// The state, and the reason for it where it has one.
    private static func state(_ row: RowSnapshot) -> [SafeText] {
        if row.state == .failed, let status = row.statusCode, status >= 400,
            [nil, .http, .authenticationRequired].contains(row.cause)
        {
            return [InteractiveLines.failed(word(row.state), with: status)]
        }
        return [word(row.state)] + (row.figures.reasonWord.map { [$0] } ?? [])
    }

    private static func word(_ state: RowState) -> SafeText {
        switch state {
        case .running: InteractiveStates.running
        case .retrying: InteractiveStates.retrying
        case .queued: InteractiveStates.queued
        case .pausing: InteractiveStates.pausing
        case .paused: InteractiveStates.paused
        case .verifying: InteractiveStates.verifying
        case .saving: InteractiveStates.saving
        case .failed: InteractiveStates.failed
        case .done: InteractiveStates.done
        case .cancelled: InteractiveStates.cancelled
        }
    }
}
