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
            lines.append(DetailLine(text: [nextStep, tried].joined(by: " · ")))
        }
        if row.state == .pausing, row.inFlight > 0 { lines.append(DetailLine(text: state)) }
        let facts = [
            row.statusCode.map { SafeText($0) } ?? "", row.protocolName, details.tls, details.peer, amount(of: " of "),
            resumedAt,
        ].joined(by: " · ")
        if !facts.isEmpty { lines.append(DetailLine(text: facts)) }
        let timing = [timingSummary, ranges, details.validator].joined(by: " · ")
        if !timing.isEmpty { lines.append(DetailLine(text: timing)) }
        if let path = row.path { lines.append(DetailLine(text: arrow + path)) }
        return lines
    }

    private var arrow: SafeText {
        switch row.kind {
        case .upload: "from "
        case .data, .download: "→ "
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
        case .log: DetailLineList(details.log.isEmpty ? [DetailLine(text: "Nothing yet", role: .dim)] : log)
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
            lines += wrapped(row.state == .failed ? "Failed" : "Trouble", error, role: .error)
            append("So far", tried, to: &lines)
            lines += wrapped("Next", nextStep)
        }
        lines.append(DetailLine(label: "State", text: state))
        append("Status", status, to: &lines)
        append("File", row.path ?? "", to: &lines)
        append("Progress", [amount(of: " of "), average, duration].joined(by: " · "), to: &lines)
        append("Resume", [ranges, details.validator, resumedAt].joined(by: " · "), to: &lines)
        append("Peer", [details.peer, details.httpVersion, details.tls, reuse].joined(by: " · "), to: &lines)
        append("Limit", ownLimit, to: &lines)
        append("Verify", details.checksum, to: &lines)
        append("Repeat", repetition, to: &lines)
        append("Latency", latency, to: &lines)
        append("Retries", retries + " · priority " + row.priorityWord, to: &lines)
        for (index, line) in details.log.suffix(3).enumerated() {
            lines.append(DetailLine(label: index == 0 ? "Log" : "", text: line.time + " " + line.text, role: .plain))
        }
        return lines
    }

    private var ownLimit: SafeText {
        guard let rates = details.rates else { return "" }
        func words(_ own: OwnRate?) -> SafeText {
            guard let own else { return "as the others" }
            return own.rate.map { SizeText.short($0, units: model.units) + "/s" } ?? "off"
        }
        return "down " + words(rates.download) + " · up " + words(rates.upload)
    }

    /// The line over the task's graph, which the view draws itself: a picture has no lines to look for.
    private var graph: [DetailLine] {
        guard model.rates.history(of: row.id) == nil else { return [] }
        let text: SafeText =
            row.state.isFinal || row.state.isPaused
            ? "No speed of this task was measured lately" : "No speed of this task has been measured yet"
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
        let keys = model.keys.key(of: .fold) + " folds · " + model.keys.key(of: .jsonPath) + " path"
        return DetailLine(text: [path, details.body.summary, keys].joined(by: " · "), role: .title)
    }

    private var missingBody: SafeText {
        if row.kind == .download {
            let place: SafeText = row.state == .done ? "" : "No file yet: when it is complete, "
            return place + model.keys.key(of: .view) + " shows it in your pager"
        }
        let again = "; " + model.keys.key(of: .resume) + " sends the request again"
        if details.bodyWasDropped { return "The body was discarded to make room for newer ones" + again }
        guard row.state.isFinal else { return "No body yet" }
        guard row.statusCode != nil else { return "There was no answer, and so no body" }
        if row.kind == .data, let path = row.path { return "The body is in " + path }
        return row.received > 0 ? "The body was not kept" + again : "The answer has no body"
    }

    // MARK: Parts

    func append(_ label: SafeText, _ text: SafeText, to lines: inout [DetailLine]) {
        if !text.isEmpty { lines.append(DetailLine(label: label, text: text)) }
    }

    private var state: SafeText {
        switch row.state {
        case .retrying:
            model.waitingWords(host: row.host, route: row.route, isQueued: false) ?? "retrying" + nextTime(", ")
        case .queued: model.waitingWords(host: row.host, route: row.route) ?? row.state.word
        case .pausing where row.inFlight > 0:
            "pausing: " + SizeText.long(Int64(row.inFlight), units: model.units) + " are still on their way"
        case .paused where row.isHeldOpen: "paused; not known whether a new connection could go on"
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
                return "tried once: such an answer is not tried again by itself"
            }
            return count <= 1 ? "tried once" : "tried " + SafeText(count) + " times"
        case .retrying where row.failedAttempts > 0: return "attempt " + SafeText(row.failedAttempts) + " failed"
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
        return SafeText(count) + " of " + SafeText(row.retryLimit)
    }

    /// The time until the next try behind other words, or what it waits for while another task asks the server.
    private func nextTime(_ separator: SafeText) -> SafeText {
        let time = model.timeText(of: row.figures)
        guard time == "-" else { return separator + time }
        return model.held.server(row.host, route: row.route).map { " when " + $0.name + " answers" } ?? ""
    }

    private var nextStep: SafeText {
        switch row.state {
        case .retrying:
            let count = row.failedAttempts > 0 ? " " + counted(row.failedAttempts) : ""
            return "retry" + count + nextTime(" ")
        case .failed, .cancelled:
            // Another try would lack it too.
            guard !details.lacksSecrets else {
                let link = model.keys.key(of: .newURL) + " takes the link again · "
                return (row.kind == .download ? link : "") + model.keys.key(of: .edit)
                    + " writes out what was not saved"
            }
            let other: SafeText = hasLostURL ? model.keys.key(of: .newURL) + " from another URL · " : ""
            return model.keys.key(of: .resume) + nextTry + " · " + other + model.keys.key(of: .edit)
                + " edits it first" + whatToEdit
        case .saving: return "gets its name when the disk has it"
        case .running, .verifying: return "attempt " + SafeText(row.failedAttempts + 1) + " is under way"
        case .queued: return "tries again when it is its turn"
        case .paused where row.error != nil && row.kind == .upload:
            return model.keys.key(of: .resume) + " sends it again"
        case .pausing, .paused: return model.keys.key(of: .resume) + " goes on"
        case .done: return "nothing to do"
        }
    }

    /// Whether the URL does not lead to the file any more, as when it was signed for a time, and there are bytes of it.
    private var hasLostURL: Bool {
        row.kind == .download && row.moved > 0 && row.continuation != .no
            && [401, 403, 404, 410].contains(row.statusCode)
    }

    /// What the form's line More takes against a failure that another try alone meets again.
    private var whatToEdit: SafeText {
        let option: SafeText? =
            switch (row.statusCode, row.cause) {
            case (401, _): "user=name:password"
            case (407, _): "proxy-user=name:password"
            case (_, .certificate): "cacert=file"
            default: nil
            }
        if row.state == .failed, row.cause == .checksum {
            return ", as the checksum: the file that came is kept and compared with it"
        }
        guard row.state == .failed, let option else { return "" }
        return ", as with " + option + " under More"
    }

    /// What the next try does with the bytes of this one.
    private var nextTry: SafeText {
        guard row.moved > 0, row.kind == .download else { return " tries again" }
        if row.state == .failed, row.cause == .checksum { return " fetches all of it again" }
        if row.continuation != .no, let code = row.statusCode, (400..<500).contains(code),
            ![408, 416, 425, 429].contains(code)
        {
            return " asks again, though the server has refused it"
        }
        return switch row.continuation {
        case .yes: " continues from the kept bytes"
        case .unknown: " asks for the rest, or starts again where the server sends all of it"
        case .no: " starts again"
        }
    }

    private var repetition: SafeText {
        details.repeatInterval.map {
            "every " + SafeText($0) + " s" + (row.repetition == .paused ? ", paused" : "") + " ("
                + model.keys.key(of: .repeatRequest) + " changes that)"
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
        let figures = SafeText(last) + " ms, " + SafeText(least) + " to " + SafeText(most)
        return curve + " " + figures + ", " + SafeText(details.latencies.count) + " runs"
    }

    private var statusCode: SafeText { row.statusCode.map { SafeText($0) } ?? "" }

    /// Whether the answer that the details tell of is the row's: they are asked for after the row has changed, and keep
    /// the answer of an earlier run until there is another.
    var isAnswerCurrent: Bool { !statusCode.isEmpty && details.statusLine.string.hasPrefix(statusCode.string) }

    private var status: SafeText {
        if isAnswerCurrent { return [details.statusLine, details.contentType].joined(by: " · ") }
        guard statusCode.isEmpty, !details.statusLine.isEmpty, !row.state.isFinal else { return statusCode }
        return "no answer yet · before: " + details.statusLine
    }

    private func amount(of: SafeText) -> SafeText {
        let moved = model.rates.shownBytes(of: row.figures)
        guard let expected = row.expected else {
            // Before the first byte there is nothing to say.
            return moved > 0 ? SizeText.short(moved, units: model.units) : ""
        }
        return SizeText.short(moved, units: model.units) + of + SizeText.short(expected, units: model.units)
    }

    var resumedAt: SafeText {
        row.resumedAt > 0 ? "resumed at " + SizeText.short(row.resumedAt, units: model.units) : ""
    }

    private var ranges: SafeText {
        details.acceptsRanges.map { $0 ? "ranges yes" : "ranges no" } ?? ""
    }

    private var reuse: SafeText { details.reusedConnection ? "reused" : "" }

    /// The average speed of the latest attempt.
    private var average: SafeText {
        guard let span = whole, span >= 1000 else { return "" }
        let rate = Double(max(model.rates.shownBytes(of: row.figures) - row.resumedAt, 0)) * 1000 / Double(span)
        return "average " + SizeText.rate(rate, units: model.units)
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
