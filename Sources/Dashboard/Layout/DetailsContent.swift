/// The details of one transfer as lines, without their positions on the screen.
package struct DetailsContent {
    let model: Model
    let row: RowSnapshot

    package init(model: Model, row: RowSnapshot) {
        (self.model, self.row) = (model, row)
    }

    /// The facts beyond the row; empty until the bridge has answered.
    var details: RowDetails {
        model.details.watchedID == row.id ? model.details.rowDetails ?? RowDetails() : RowDetails()
    }

    /// The four lines of the small pane, the most informative first.
    package var brief: [DetailLine] {
        var lines = [DetailLine(text: row.method + " " + row.url, isURL: true)]
        if let error = row.error, row.state == .failed || row.state == .retrying || row.state == .paused {
            // The cause gets a line alone: its end, which says why, must not be cut to make room for the attempts.
            let isHigh = model.layout.details.count >= 4
            lines += isHigh ? wrapped("", error, role: .error, beside: 2) : [DetailLine(text: error, role: .error)]
            lines.append(DetailLine(text: [tried, nextStep].joined(by: " · ")))
        }
        if row.figures.opening == .afterOthers, let reason = row.error { lines.append(DetailLine(text: reason)) }
        if row.state == .pausing, row.inFlight > 0 { lines.append(DetailLine(text: state)) }
        let parts = [
            row.statusCode.map { SafeText($0) } ?? "",
            details.httpVersion.isEmpty ? RowStates.version(row.protocolName) : details.httpVersion,
            details.tls, details.peer, amount,
            resumedAt,
        ].joined(by: " · ")
        if !parts.isEmpty { lines.append(DetailLine(text: parts)) }
        let timing = [timingSummary, ranges, details.validator].joined(by: " · ")
        if !timing.isEmpty { lines.append(DetailLine(text: timing)) }
        if let path = row.path { lines.append(DetailLine(text: location(path))) }
        return lines
    }

    private func location(_ path: SafeText) -> SafeText {
        switch row.kind {
        case .upload: DetailsLabels.from(path)
        case .data, .download: DetailsLabels.to(path)
        }
    }

    package func lines(of tab: DetailsTab) -> DetailLineList {
        switch tab {
        case .overview: DetailLineList(overview)
        case .headers: DetailLineList(headers)
        case .timing: DetailLineList(timing)
        case .connection: DetailLineList(connection)
        case .resume: DetailLineList(resume)
        case .log:
            DetailLineList(details.log.isEmpty ? [DetailLine(text: DetailsLines.nothingLogged, role: .dim)] : log)
        case .graph: DetailLineList(graph)
        case .body: body
        }
    }

    /// The cells of labels and margins.
    private static let besideText = 13
    /// The minimum window width for two parts of the details side by side below the list.
    package static let widthOfTwoParts = 140

    /// A line, continued on as many more as its words need, so that events and advice can be read to the end.
    private func wrapped(
        _ label: SafeText, _ text: SafeText, role: Role = .plain, beside: Int = besideText
    ) -> [DetailLine] {
        let columns = model.size.columns
        let isShared = model.details.fullScreenID == nil && columns >= Self.widthOfTwoParts
        let limit = max((isShared && !label.isEmpty ? columns / 2 : columns) - beside, 8)
        var parts: [SafeText] = []
        for word in text.string.split(separator: " ") {
            let word = SafeText(untrusted: String(word))
            if let last = parts.last, CellWidth.cells(of: last) + 1 + CellWidth.cells(of: word) <= limit {
                parts[parts.count - 1] = last + " " + word
            } else {
                parts.append(word)
            }
        }
        return parts.enumerated().map { DetailLine(label: $0 == 0 ? label : "", text: $1, role: role) }
    }

    private var overview: [DetailLine] {
        var lines = [DetailLine(text: row.method + " " + row.url, isURL: true)]
        if let error = row.error, row.figures.opening != .afterOthers {
            lines += wrapped(row.state == .failed ? DetailsLabels.failed : DetailsLabels.error, error, role: .error)
            append(DetailsLabels.tried, tried, to: &lines)
            lines += wrapped(DetailsLabels.next, nextStep)
        }
        lines += wrapped(DetailsLabels.state, state)
        append(DetailsLabels.status, status, to: &lines)
        append(DetailsLabels.file, [row.path ?? "", model.unsettledName(of: row)].joined(by: " · "), to: &lines)
        // A response without a body has no progress, only a duration.
        let hasMoved = !amount.isEmpty
        append(
            hasMoved ? DetailsLabels.progress : DetailsLabels.took, [amount, average, duration].joined(by: " · "),
            to: &lines)
        append(DetailsLabels.resume, [ranges, details.validator, resumedAt].joined(by: " · "), to: &lines)
        append(
            DetailsLabels.peer, [details.peer, details.httpVersion, details.tls, reuse].joined(by: " · "), to: &lines)
        append(DetailsLabels.limit, ownLimit, to: &lines)
        append(DetailsLabels.verify, details.checksum, to: &lines)
        append(DetailsLabels.repeats, repetition, to: &lines)
        append(DetailsLabels.latency, latency, to: &lines)
        append(
            DetailsLabels.retries, [retries, DetailsLabels.priority(row.priorityWord)].joined(by: " · "), to: &lines)
        for (index, line) in details.log.suffix(3).enumerated() {
            lines.append(
                DetailLine(label: index == 0 ? DetailsLabels.log : "", text: line.time + " " + line.text, role: .plain))
        }
        return lines
    }

    private var ownLimit: SafeText {
        guard let rates = details.rates else { return "" }
        func words(_ own: OwnRate?) -> SafeText {
            guard let own else { return LimitLabels.global }
            return own.rate.map { DetailsLabels.perSecond(SizeText.short($0, units: model.units)) } ?? DetailsLabels.off
        }
        return LimitLabels.rates(words(rates.download), words(rates.upload))
    }

    /// The line over the task's graph, which the view draws itself because a picture has no searchable lines.
    private var graph: [DetailLine] {
        guard model.rates.history(of: row.id) == nil else { return [] }
        let text: SafeText =
            row.state.isFinal || row.state.isPaused
            ? DetailsLines.noRecentSpeed : DetailsLines.noSpeed
        return [DetailLine(text: text, role: .dim)]
    }

    private var log: [DetailLine] { details.log.map { DetailLine(text: $0.time + " " + $0.text) } }

    private var body: DetailLineList {
        guard !details.body.lines.isEmpty else {
            return DetailLineList([DetailLine(text: missingBody, role: .dim)])
        }
        let summary = DetailLine(text: details.body.summary, role: .title)
        guard let json = model.details.json, model.details.watchedID == row.id else {
            return DetailLineList([summary] + details.body.lines.map { DetailLine(text: $0) })
        }
        return DetailLineList(over: jsonSummary(json), json: json, showsCursor: model.details.fullScreenID == row.id)
    }

    /// The number of lines over a JSON body's first one.
    static let linesOverJSON = 1

    /// The body's kind and size, the part shown, and the keys.
    private func jsonSummary(_ json: JSONView) -> DetailLine {
        if let problem = json.problem { return DetailLine(text: problem, role: .error) }
        let path = json.path.map { SafeText(untrusted: $0.text) } ?? .empty
        let keys = [
            DetailsHints.foldJSON(model.keys.key(of: .fold)), DetailsHints.jsonPath(model.keys.key(of: .jsonPath)),
        ]
        return DetailLine(text: ([path, details.body.summary] + keys).joined(by: " · "), role: .title)
    }

    private var missingBody: SafeText {
        if row.kind == .download {
            let key = model.keys.key(of: .view)
            return row.state == .done ? DetailsLines.fileInPager(key) : DetailsLines.noFile(key)
        }
        let again = model.keys.key(of: .resume)
        if details.bodyWasDropped { return DetailsLines.bodyDropped(again) }
        guard row.state.isFinal else { return DetailsLines.noBodyYet }
        guard row.statusCode != nil else { return DetailsLines.noResponseBody }
        if row.kind == .data, let path = row.path { return DetailsLines.bodySaved(path) }
        return row.received > 0 ? DetailsLines.bodyNotKept(again) : DetailsLines.emptyBody
    }

    // MARK: Parts

    func append(_ label: SafeText, _ text: SafeText, to lines: inout [DetailLine]) {
        if !text.isEmpty { lines.append(DetailLine(label: label, text: text)) }
    }

    private var state: SafeText {
        switch row.state {
        case .running where model.isServiceAway, .retrying where model.isServiceAway,
            .pausing where model.isServiceAway, .verifying where model.isServiceAway, .saving where model.isServiceAway:
            RowStates.serviceAway
        case .retrying:
            model.waitingWords(host: row.host, route: row.route, state: row.state)
                ?? (nextTime.map { DetailsLines.retrying($0) } ?? DetailsLines.retrying)
        case .queued where row.figures.opening == .afterOthers: row.error ?? row.state.word
        case .queued where row.figures.hoursWord != nil, .paused where row.figures.hoursWord != nil:
            row.figures.hoursWord.map { QueueLines.runs(row.state.word, $0) } ?? row.state.word
        case .queued: model.waitingWords(host: row.host, route: row.route, state: row.state) ?? row.state.word
        case .pausing where row.inFlight > 0:
            DetailsLines.pausing(SizeText.long(Int64(row.inFlight), units: model.units))
        case .paused where row.figures.isUndecided: DetailsLines.undecided
        case .paused where row.keepsConnectionOpen: DetailsLines.pausedUnsure
        case .running where model.awaitedWords(row.figures) != nil: model.awaitedWords(row.figures) ?? row.state.word
        case .running, .pausing, .paused, .verifying, .saving, .failed, .done, .cancelled: row.state.word
        }
    }

    /// The attempts so far, in words.
    private var tried: SafeText {
        switch row.state {
        case .failed where row.cause == .predecessor: return ""
        case .failed:
            let count = attemptCount
            if let code = row.statusCode, (400..<500).contains(code), ![408, 425, 429].contains(code), count <= 1 {
                return DetailsLines.notRetried
            }
            return DetailsLines.attempts(count)
        case .retrying where row.failedAttempts > 0: return DetailsLines.attempts(Int(row.failedAttempts))
        case .retrying: return ""
        case .running, .queued, .pausing, .paused, .verifying, .saving, .done, .cancelled: return ""
        }
    }

    /// All attempts of a failed task: one that received bytes is no consecutive failure, but it was an attempt.
    private var attemptCount: Int { max(Int(row.failedAttempts), details.earlierAttempts.count + 1) }

    /// Excludes a failed task's last attempt, because no retry followed it.
    ///
    /// The limit bounds consecutive failures, so it is left out where other attempts came between them.
    private var retries: SafeText {
        guard row.state == .failed else { return counted(row.failedAttempts) }
        let count = attemptCount - 1
        return count <= row.failedAttempts - 1 || count == 0 ? counted(Int32(count)) : SafeText(count)
    }

    /// Retries with their limit if it applies: an unreachable server is retried for a time, not a number of times.
    private func counted(_ count: Int32) -> SafeText {
        let isWaitedFor = row.state == .retrying && model.backoffs.server(row.host, route: row.route) != nil
        guard let limit = row.knownRetryLimit, count <= limit, !isWaitedFor else { return SafeText(count) }
        return DetailsLabels.retries(count, of: limit)
    }

    /// The time until the next retry, or what it waits for while another task probes the server; nil for neither.
    private var nextTime: SafeText? {
        if let seconds = model.secondsToRetry(of: row.figures) { return RowStates.retry(in: seconds) }
        return model.backoffs.server(row.host, route: row.route).map { DetailsHints.when($0.name) }
    }

    private var nextStep: SafeText {
        switch row.state {
        case .retrying:
            let retry =
                row.failedAttempts > 0 ? DetailsHints.retry(counted(row.failedAttempts)) : DetailsHints.retry
            return nextTime.map { DetailsHints.at(retry, $0) } ?? retry
        case .failed, .cancelled:
            // A queued job is not edited.
            guard model.rows.totals == nil else { return nextTry }
            // Another attempt would lack the secrets too.
            guard !details.lacksSecrets else {
                let link = DetailsHints.enterLinkAgain(model.keys.key(of: .newURL))
                let secrets = DetailsHints.retypeSecrets(model.keys.key(of: .edit))
                return (row.kind == .download ? [link, secrets] : [secrets]).joined(by: " · ")
            }
            let other: SafeText = hasLostURL ? DetailsHints.newURL(model.keys.key(of: .newURL)) : ""
            return [nextTry, other, whatToEdit].joined(by: " · ")
        case .saving: return DetailsHints.flushing
        case .running, .verifying: return DetailsHints.attemptRunning(row.failedAttempts + 1)
        case .queued: return DetailsHints.queuedForRetry
        case .paused where row.error != nil && row.kind == .upload:
            return DetailsHints.sendAgain(model.keys.key(of: .resume))
        case .paused where row.figures.isUndecided: return DetailsHints.decide(model.keys.key(of: .resume))
        case .pausing, .paused: return DetailsHints.resume(model.keys.key(of: .resume))
        case .done: return DetailsHints.nothingToDo
        }
    }

    /// Whether the URL no longer leads to the file, such as an expired signed URL, and some of its bytes are present.
    private var hasLostURL: Bool {
        row.kind == .download && row.moved > 0 && row.continuation != .no
            && [401, 403, 404, 410].contains(row.statusCode)
    }

    /// The edit before another attempt, with the setting that fixes a failure which an attempt alone would repeat.
    private var whatToEdit: SafeText {
        let option: SafeText? =
            switch (row.statusCode, row.cause) {
            case (401, _): "user=name:password"
            case (407, _): "proxy-user=name:password"
            case (_, .certificate): "cacert=file"
            default: nil
            }
        let key = model.keys.key(of: .edit)
        if row.state == .failed, row.cause == .checksum, details.keepsWrongFile {
            return DetailsHints.editChecksum(key)
        }
        guard row.state == .failed, let option else { return DetailsHints.edit(key) }
        return DetailsHints.edit(key, with: option)
    }

    /// The next attempt's use of the bytes received so far.
    private var nextTry: SafeText {
        let key = model.keys.key(of: .resume)
        guard row.moved > 0, row.kind == .download else { return DetailsHints.retry(key: key) }
        if row.state == .failed, row.cause == .checksum { return DetailsHints.downloadAgain(key) }
        if row.continuation != .no, let code = row.statusCode, (400..<500).contains(code),
            ![408, 416, 425, 429].contains(code)
        {
            return DetailsHints.retryRefused(key)
        }
        return switch row.continuation {
        case .yes: DetailsHints.resume(key)
        case .unknown: DetailsHints.resumeOrRestart(key)
        case .no: DetailsHints.restart(key)
        }
    }

    private var repetition: SafeText {
        let key = model.keys.key(of: .repeatRequest)
        return details.repeatInterval.map {
            row.repetition == .paused ? DetailsLabels.everyPaused($0, key) : DetailsLabels.every($0, key)
        } ?? ""
    }

    /// The latest runs as a curve, with the latest, the minimum and the maximum.
    private var latency: SafeText {
        guard details.latencies.count > 1, let last = details.latencies.last, let most = details.latencies.max(),
            let least = details.latencies.min()
        else { return "" }
        let curve = Glyphs.curve(
            details.latencies.map(Double.init), width: 40, peak: Double(max(most, 1)),
            in: model.options.glyphs ?? .blocks)
        let figures = DetailsLabels.latency(last, least: least, most: most, runs: details.latencies.count)
        return [curve, figures].joined(by: " ")
    }

    private var statusCode: SafeText { row.statusCode.map { SafeText($0) } ?? "" }

    /// Whether the response in the details is the row's: they are requested after the row changes, and keep an earlier
    /// run's response until another arrives.
    var isAnswerCurrent: Bool { !statusCode.isEmpty && details.statusLine.string.hasPrefix(statusCode.string) }

    private var status: SafeText {
        if isAnswerCurrent {
            let coding = details.storedCoding.map(DetailsLabels.savedAs) ?? .empty
            return [details.statusLine, details.contentType, coding].joined(by: " · ")
        }
        guard statusCode.isEmpty, !details.statusLine.isEmpty, !row.state.isFinal else { return statusCode }
        return DetailsLines.noResponseYet(last: details.statusLine)
    }

    private var amount: SafeText {
        let moved = model.rates.shownBytes(of: row.figures)
        guard let expected = row.expected else {
            // Before the first byte there is nothing to show.
            return moved > 0 ? SizeText.short(moved, units: model.units) : ""
        }
        return DetailsLabels.part(
            SizeText.short(moved, units: model.units), of: SizeText.short(expected, units: model.units))
    }

    var resumedAt: SafeText {
        row.resumedAt > 0 ? DetailsLabels.resumedAt(SizeText.short(row.resumedAt, units: model.units)) : ""
    }

    private var ranges: SafeText {
        details.acceptsRanges.map { $0 ? DetailsLabels.rangesWork : DetailsLabels.rangesFail } ?? ""
    }

    private var reuse: SafeText { details.reusedConnection ? DetailsLabels.reusedConnection : "" }

    private var average: SafeText {
        guard let span = row.state.isFinal ? elapsed : attemptDuration, span >= 1000 else { return "" }
        let rate = Double(max(model.rates.shownBytes(of: row.figures) - row.resumedAt, 0)) * 1000 / Double(span)
        return DetailsLabels.average(SizeText.rate(rate, units: model.units))
    }

    private var duration: SafeText {
        elapsed.map { DurationText.elapsed(milliseconds: Int64($0)) } ?? ""
    }

    /// The milliseconds from the start of the run to its end; an attempt's own time belongs to one of its connections.
    private var elapsed: Int? {
        guard let start = row.startedAt, let end = row.endedAt else { return nil }
        return Int(end - start)
    }
}

/// One line of details: an optional label and its text.
package struct DetailLine: Sendable, Equatable {
    package var label: SafeText = .empty
    package var text: SafeText
    package var role: Role = .plain
    /// The label's cells if there is no label column, so that the text after it still aligns.
    package var labelCells = 0
    /// Whether both ends matter, so that it is cut in its middle.
    package var isURL = false
    /// The pieces of the text with roles of their own; empty if the line's role applies to all of it.
    package var pieces: [Piece] = []
    package var isSelected = false

    /// A part of the text with its own role.
    package struct Piece: Sendable, Equatable {
        package var text: SafeText
        package var role: Role
    }

    func has(_ search: TextSearch) -> Bool { search.isFound(in: text) || search.isFound(in: label) }
}
