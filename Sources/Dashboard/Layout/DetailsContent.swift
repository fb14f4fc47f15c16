/// The details of one transfer, as lines; their places are decided elsewhere.
package struct DetailsContent {
    let model: Model
    let row: RowSnapshot

    package init(model: Model, row: RowSnapshot) {
        (self.model, self.row) = (model, row)
    }

    /// The facts beyond the row; empty until the bridge has answered.
    var details: RowDetails {
        model.details.watchedID == row.id ? model.details.facts ?? RowDetails() : RowDetails()
    }

    /// The four lines of the small pane, the most telling first.
    package var brief: [DetailLine] {
        var lines = [DetailLine(text: row.method + " " + row.url, isURL: true)]
        if let error = row.error, row.state == .failed || row.state == .retrying || row.state == .paused {
            // The cause stands alone: its end, which says why, must not be cut for what was tried.
            let isHigh = model.layout.details.count >= 4
            lines += isHigh ? wrapped("", error, role: .error, beside: 2) : [DetailLine(text: error, role: .error)]
            lines.append(DetailLine(text: [tried, nextStep].joined(by: " · ")))
        }
        if row.state == .pausing, row.inFlight > 0 { lines.append(DetailLine(text: state)) }
        let facts = [
            row.statusCode.map { SafeText($0) } ?? "",
            details.httpVersion.isEmpty ? row.protocolName : details.httpVersion,
            details.tls, details.peer, amount,
            resumedAt,
        ].joined(by: " · ")
        if !facts.isEmpty { lines.append(DetailLine(text: facts)) }
        let timing = [timingSummary, ranges, details.validator].joined(by: " · ")
        if !timing.isEmpty { lines.append(DetailLine(text: timing)) }
        if let path = row.path { lines.append(DetailLine(text: place(path))) }
        return lines
    }

    private func place(_ path: SafeText) -> SafeText {
        switch row.kind {
        case .upload: DetailsLabels.from(path)
        case .data, .download: DetailsLabels.to(path)
        }
    }

    /// The lines of a part of the details.
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

    /// The cells that labels take, and those at the sides.
    private static let besideText = 13
    /// The least width of a window that shows two parts of the details beside each other below the list.
    package static let widthOfTwoParts = 140

    /// A line, and as many more as its words need: what has happened and what to do is read to the end.
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
        if let error = row.error {
            lines += wrapped(row.state == .failed ? DetailsLabels.failed : DetailsLabels.error, error, role: .error)
            append(DetailsLabels.tried, tried, to: &lines)
            lines += wrapped(DetailsLabels.next, nextStep)
        }
        lines.append(DetailLine(label: DetailsLabels.state, text: state))
        append(DetailsLabels.status, status, to: &lines)
        append(DetailsLabels.file, row.path ?? "", to: &lines)
        append(DetailsLabels.progress, [amount, average, duration].joined(by: " · "), to: &lines)
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
        return LimitLabels.facts(words(rates.download), words(rates.upload))
    }

    /// The line over the task's graph, which the view draws itself: a picture has no lines to look for.
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

    /// Lines over the first one of a JSON body.
    static let linesOverJSON = 1

    /// The body's kind and size, what of it is shown, and the keys.
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
        case .retrying:
            model.waitingWords(host: row.host, route: row.route, isQueued: false)
                ?? (nextTime.map { DetailsLines.retrying($0) } ?? DetailsLines.retrying)
        case .queued: model.waitingWords(host: row.host, route: row.route) ?? row.state.word
        case .pausing where row.inFlight > 0:
            DetailsLines.pausing(SizeText.long(Int64(row.inFlight), units: model.units))
        case .paused where row.isHeldOpen: DetailsLines.pausedUnsure
        case .running where model.awaitedWords(row.figures) != nil: model.awaitedWords(row.figures) ?? row.state.word
        case .running, .pausing, .paused, .verifying, .saving, .failed, .done, .cancelled: row.state.word
        }
    }

    /// The attempts so far, in words.
    private var tried: SafeText {
        switch row.state {
        case .failed:
            // Those that brought something are no failures in a row, and were tries all the same.
            let count = max(Int(row.failedAttempts), details.earlierAttempts.count + 1)
            if let code = row.statusCode, (400..<500).contains(code), ![408, 425, 429].contains(code), count <= 1 {
                return DetailsLines.notRetried
            }
            return DetailsLines.attempts(count)
        case .retrying where row.failedAttempts > 0: return DetailsLines.attempts(Int(row.failedAttempts))
        case .retrying: return ""
        case .running, .queued, .pausing, .paused, .verifying, .saving, .done, .cancelled: return ""
        }
    }

    /// The attempt that ended a task was followed by none.
    private var retries: SafeText {
        let count = row.state == .failed ? max(row.failedAttempts - 1, 0) : row.failedAttempts
        return counted(count)
    }

    /// Retries beside their limit, where it bounds them: a server that is away is asked again for a time, not so often.
    private func counted(_ count: Int32) -> SafeText {
        let isWaitedFor = row.state == .retrying && model.held.server(row.host, route: row.route) != nil
        guard count <= row.retryLimit, !isWaitedFor else { return SafeText(count) }
        return DetailsLabels.retries(count, of: row.retryLimit)
    }

    /// The time until the next try, or what it waits for while another task asks the server; nil for neither.
    private var nextTime: SafeText? {
        let time = model.timeText(of: row.figures)
        guard time == "-" else { return time }
        return model.held.server(row.host, route: row.route).map { DetailsHints.when($0.name) }
    }

    private var nextStep: SafeText {
        switch row.state {
        case .retrying:
            let retry =
                row.failedAttempts > 0 ? DetailsHints.retry(counted(row.failedAttempts)) : DetailsHints.retry
            return nextTime.map { DetailsHints.at(retry, $0) } ?? retry
        case .failed, .cancelled:
            // Another try would lack it too.
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
        case .pausing, .paused: return DetailsHints.resume(model.keys.key(of: .resume))
        case .done: return DetailsHints.nothingToDo
        }
    }

    /// Whether the URL does not lead to the file any more, as when it was signed for a time, and there are bytes of it.
    private var hasLostURL: Bool {
        row.kind == .download && row.moved > 0 && row.continuation != .no
            && [401, 403, 404, 410].contains(row.statusCode)
    }

    /// The edit before another try, with what the form's line takes against a failure that a try alone meets again.
    private var whatToEdit: SafeText {
        let option: SafeText? =
            switch (row.statusCode, row.cause) {
            case (401, _): "user=name:password"
            case (407, _): "proxy-user=name:password"
            case (_, .certificate): "cacert=file"
            default: nil
            }
        let key = model.keys.key(of: .edit)
        if row.state == .failed, row.cause == .checksum { return DetailsHints.editChecksum(key) }
        guard row.state == .failed, let option else { return DetailsHints.edit(key) }
        return DetailsHints.edit(key, with: option)
    }

    /// What the next try does with the bytes of this one.
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

    /// The latest runs as a curve, with the latest, the least and the most.
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

    /// Whether the answer that the details tell of is the row's: they are asked for after the row has changed, and keep
    /// the answer of an earlier run until there is another.
    var isAnswerCurrent: Bool { !statusCode.isEmpty && details.statusLine.string.hasPrefix(statusCode.string) }

    private var status: SafeText {
        if isAnswerCurrent { return [details.statusLine, details.contentType].joined(by: " · ") }
        guard statusCode.isEmpty, !details.statusLine.isEmpty, !row.state.isFinal else { return statusCode }
        return DetailsLines.noResponseYet(last: details.statusLine)
    }

    private var amount: SafeText {
        let moved = model.rates.shownBytes(of: row.figures)
        guard let expected = row.expected else {
            // Before the first byte there is nothing to say.
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

    /// The average speed of the latest attempt.
    private var average: SafeText {
        guard let span = whole, span >= 1000 else { return "" }
        let rate = Double(max(model.rates.shownBytes(of: row.figures) - row.resumedAt, 0)) * 1000 / Double(span)
        return DetailsLabels.average(SizeText.rate(rate, units: model.units))
    }

    private var duration: SafeText {
        guard let start = row.startedAt, let end = row.endedAt else { return "" }
        return DurationText.elapsed(milliseconds: end - start)
    }
}

/// One line of details: a label, if it has one, and what it says.
package struct DetailLine: Sendable, Equatable {
    package var label: SafeText = .empty
    package var text: SafeText
    package var role: Role = .plain
    /// Cells for the label where there is no column for labels, so that what follows stands in a column all the same.
    package var labelCells = 0
    /// Whether both its ends matter, so that it is cut in its middle.
    package var isURL = false
    /// The pieces of the text that have roles of their own; none where all of it has that of the line.
    package var pieces: [Piece] = []
    /// Whether keys act on it.
    package var isSelected = false

    /// A part of the text.
    package struct Piece: Sendable, Equatable {
        package var text: SafeText
        package var role: Role
    }

    /// Whether what is looked for stands in it.
    func has(_ search: TextSearch) -> Bool { search.isFound(in: text) || search.isFound(in: label) }
}
