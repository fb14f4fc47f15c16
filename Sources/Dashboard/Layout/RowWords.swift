extension Model {
    /// The text of a row's time column: time left, taken or at the end while the row moves; else its wait or its time.
    ///
    /// If no other column gives the reason for a failure or stall, this one does, in a word that fits the cells.
    package func timeText(of row: RowFigures, cells: Int = 7, saysWhy: Bool = true) -> SafeText {
        switch row.state {
        case .running where isServiceAway, .retrying where isServiceAway: "-"
        case .running:
            switch list.timeColumn {
            case .eta: remaining(of: row, cells: cells, saysWhy: saysWhy)
            case .elapsed: row.startedAt.map { DurationText.running(milliseconds: shownNow - $0, cells: cells) } ?? "-"
            case .finish: endTime(of: row)
            }
        case .retrying: secondsToRetry(of: row).map { retry(in: $0, cells: cells) } ?? "-"
        case .failed: saysWhy ? failure(of: row, cells: cells) : ended(row, cells: cells)
        case .paused where saysWhy && row.isUndecided: failure(of: row, cells: cells)
        case .done: ended(row, cells: cells)
        case .queued, .pausing, .paused, .verifying, .saving, .cancelled: "-"
        }
    }

    /// Seconds until the next attempt; nil while another task probes the server for all, when its time may be long past.
    func secondsToRetry(of row: RowFigures) -> Int64? {
        guard !isServiceAway else { return nil }
        return row.retryAt.flatMap { $0 > shownNow ? ($0 - shownNow + 999) / 1000 : nil }
    }

    /// The wait for the next attempt, which must not be mistaken for the time left; a narrow column has no title.
    private func retry(in seconds: Int64, cells: Int) -> SafeText {
        cells < 7 ? RowStates.retry(in: seconds) : RowStates.attempt(after: Self.shortTime(seconds))
    }

    /// The word for the failure; a status alone counts only if it is an error's.
    private func failure(of row: RowFigures, cells: Int) -> SafeText {
        let word = (row.cause ?? .http).word(status: row.statusCode, cells: cells)
        return word.isEmpty || row.cause == nil && (row.statusCode ?? 0) < 400 ? "-" : word
    }

    private func remaining(of row: RowFigures, cells: Int, saysWhy: Bool) -> SafeText {
        if let seconds = rates.remainingSeconds(of: row, now: shownNow) {
            return DurationText.remaining(seconds, cells: cells)
        }
        if saysWhy, secondsAwaited(row) != nil { return cells >= 7 ? RowStates.waiting : RowStates.wait }
        guard saysWhy, rates.standstill(of: row.id, now: shownNow) != nil else { return "-" }
        return Cause.stalled.word(status: nil, cells: cells)
    }

    private func endTime(of row: RowFigures) -> SafeText {
        guard let seconds = rates.remainingSeconds(of: row, now: shownNow) else { return "-" }
        return seconds < 86_400 ? clock(at: shownNow + Int64(seconds * 1000)) : RowStates.overADay
    }

    /// The moment at which a row ended, or its duration.
    private func ended(_ row: RowFigures, cells: Int) -> SafeText {
        guard let end = row.endedAt else { return "-" }
        if list.timeColumn == .finish { return clock(at: end) }
        return row.startedAt.map { DurationText.elapsed(milliseconds: end - $0, cells: cells) } ?? "-"
    }

    /// The time of day at a moment of the model's clock; for an earlier day only that it was earlier.
    private func clock(at moment: Int64) -> SafeText {
        guard let offset = dayClock.offset(at: moment) else { return "-" }
        return shownNow - moment < 86_400_000
            ? DurationText.timeOfDay(milliseconds: moment + offset) : RowStates.overADay
    }
}

extension Model {
    /// The word for a row's state; for one that nothing is known of, that its service is away.
    package func plainStateWord(of row: RowFigures) -> SafeText {
        switch row.state {
        case .running, .retrying, .pausing, .verifying, .saving:
            isServiceAway ? RowStates.serviceAway : row.state.word
        case .queued, .paused, .failed, .done, .cancelled: row.state.word
        }
    }

    /// The text of a row's state column: the state, or the reason for a failure, a retry or a stall.
    ///
    /// A row that waits for its turn is queued, whatever its server has answered to others.
    package func stateWord(of row: RowFigures, cells: Int) -> SafeText {
        switch row.state {
        case .running where isServiceAway, .retrying where isServiceAway, .pausing where isServiceAway,
            .verifying where isServiceAway, .saving where isServiceAway:
            return cells >= RowStates.serviceAway.string.utf8.count ? RowStates.serviceAway : RowStates.away
        case .failed:
            let word = row.cause?.word(status: row.statusCode, cells: cells) ?? .empty
            return word.isEmpty ? row.state.word : word
        case .retrying: return waiting(row, cells: cells)
        case .running:
            if let seconds = secondsAwaited(row) { return RowStates.waiting(Self.shortTime(seconds)) }
            return standstill(of: row) ?? row.state.word
        case .queued where row.opening == .afterOthers: return QueueStates.afterOthers
        case .queued where row.hoursWord != nil, .paused where row.hoursWord != nil:
            return row.hoursWord ?? row.state.word
        case .queued where row.priority != 0:
            return row.priority > 0 ? RowStates.queuedSooner(row.priority) : RowStates.queuedLater(row.priority)
        case .paused where row.isUndecided: return row.cause?.word(status: nil, cells: cells) ?? row.state.word
        case .done where row.wasSkipped: return QueueStates.skipped
        case .done where row.kind == .data:
            return row.statusCode.map { RowStates.answered(row.state.word, $0) } ?? row.state.word
        case .queued, .pausing, .paused, .verifying, .saving, .done, .cancelled: return row.state.word
        }
    }

    /// The reason and the number of the attempt, as far as both fit.
    private func waiting(_ row: RowFigures, cells: Int) -> SafeText {
        // An unreachable server is retried beyond the limit.
        let limit = row.knownRetryLimit.flatMap { row.failedAttempts <= $0 ? $0 : nil }
        let count =
            row.failedAttempts <= 0
            ? SafeText.empty
            : limit.map { RowStates.attempt(row.failedAttempts, of: $0) } ?? RowStates.attempt(row.failedAttempts)
        let room = cells - (count.isEmpty ? 0 : count.string.utf8.count + 1)
        let word = row.cause?.word(status: row.statusCode, cells: room) ?? .empty
        return [word.isEmpty ? RowStates.retry : word, count].joined(by: " ")
    }

    private func standstill(of row: RowFigures) -> SafeText? {
        guard let seconds = rates.standstill(of: row.id, now: shownNow) else { return nil }
        return RowStates.stalled(Self.shortTime(seconds))
    }

    private static func shortTime(_ seconds: Int64) -> SafeText {
        seconds < 100 ? RowStates.seconds(seconds) : RowStates.minutes(min(seconds / 60, 99))
    }

    /// Full seconds since a running row's server got the complete request without answering; nil if that is not so or
    /// too short.
    package func secondsAwaited(_ row: RowFigures) -> Int64? {
        guard !isServiceAway, row.state == .running, let since = row.answerAwaitedSince, shownNow - since >= 1000 else {
            return nil
        }
        return (shownNow - since) / 1000
    }

    /// What a row waits for while its server owes a response, in words.
    package func awaitedWords(_ row: RowFigures) -> SafeText? {
        secondsAwaited(row).map { DetailsLines.awaitingResponse($0) }
    }
}

extension RowFigures {
    /// What a row is held by that no slot starts: its hours or other tasks.
    package var heldWord: SafeText? {
        switch state {
        case .queued where opening == .afterOthers: QueueStates.afterOthers
        case .queued, .paused: isUndecided ? nil : hoursWord
        case .running, .retrying, .pausing, .verifying, .saving, .failed, .done, .cancelled: nil
        }
    }

    /// When a row that waits for its hours may run.
    package var hoursWord: SafeText? {
        if let minute = opening.minute {
            return QueueStates.from(DurationText.timeOfDay(milliseconds: Int64(minute) * 60_000))
        }
        return opening.days.map { QueueStates.later($0) }
    }

    /// Why the row has failed, waits or is held, in the words of the state column; nil without a reason.
    package var reasonWord: SafeText? {
        let word = cause?.word(status: statusCode, cells: Self.reasonCells) ?? .empty
        switch state {
        case .failed, .retrying: return word.isEmpty ? nil : word
        case .queued where opening == .afterOthers: return QueueStates.afterOthers
        case .paused where isUndecided: return word.isEmpty ? nil : word
        case .queued, .paused: return hoursWord
        case .running, .pausing, .verifying, .saving, .done, .cancelled: return nil
        }
    }

    /// The cells of the longest word for a cause.
    private static let reasonCells = 11

    var priorityWord: SafeText {
        switch priority {
        case ..<(-1): PriorityStates.lowest
        case -1: PriorityStates.low
        case 0: PriorityStates.normal
        case 1: PriorityStates.high
        default: PriorityStates.highest
        }
    }
}

extension RowFigures {
    /// The number of retries that bounds the row; nil for a server that seems never to have been reached, which is given
    /// up sooner: most often its name or port is wrong.
    var knownRetryLimit: Int32? {
        switch cause {
        case .unknownHost, .connectionRefused, .networkUnreachable: statusCode == nil ? nil : retryLimit
        default: retryLimit
        }
    }
}
