/// The details of one transfer as lines, without their positions on the screen.
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

    /// The four lines of the small pane, the most informative first.
    package var brief: [DetailLine] {
        var lines = [DetailLine(text: row.method + " " + row.url, isURL: true)]
        if let error = row.error, row.state == .failed || row.state == .retrying || row.state == .paused {
            // The cause gets a line alone: its end, which says why, must not be cut to make room for the attempts.
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

    /// The line over the task's graph, which the view draws itself because a picture has no searchable lines.
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

    /// The number of lines over a JSON body's first one.
    static let linesOverJSON = 1

    /// The body's kind and size, the part shown, and the keys.
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
            // Attempts that received bytes do not count as consecutive failures, but they were attempts.
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

    /// Excludes a failed task's last attempt, because no retry followed it.
    private var retries: SafeText {
        let count = row.state == .failed ? max(row.failedAttempts - 1, 0) : row.failedAttempts
        return counted(count)
    }

    /// Retries with their limit if it applies: an unreachable server is retried for a time, not a number of times.
    private func counted(_ count: Int32) -> SafeText {
        let isWaitedFor = row.state == .retrying && model.held.server(row.host, route: row.route) != nil
        guard count <= row.retryLimit, !isWaitedFor else { return SafeText(count) }
        return SafeText(count) + " of " + SafeText(row.retryLimit)
    }

    /// The time until the next retry after other words, or what it waits for while another task probes the server.
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
            // Another attempt would lack the secrets too.
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

    /// Whether the URL no longer leads to the file, such as an expired signed URL, and some of its bytes are present.
    private var hasLostURL: Bool {
        row.kind == .download && row.moved > 0 && row.continuation != .no
            && [401, 403, 404, 410].contains(row.statusCode)
    }

    /// The setting in the form's More line that fixes a failure which another attempt alone would repeat.
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

    /// What the next attempt does with this one's bytes.
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

    /// The latest runs as a curve, with the latest, the minimum and the maximum.
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

    /// Whether the response in the details is the row's: they are requested after the row changes, and keep an earlier
    /// run's response until another arrives.
    var isAnswerCurrent: Bool { !statusCode.isEmpty && details.statusLine.string.hasPrefix(statusCode.string) }

    private var status: SafeText {
        if isAnswerCurrent { return [details.statusLine, details.contentType].joined(by: " · ") }
        guard statusCode.isEmpty, !details.statusLine.isEmpty, !row.state.isFinal else { return statusCode }
        return "no answer yet · before: " + details.statusLine
    }

    private func amount(of: SafeText) -> SafeText {
        let moved = model.rates.shownBytes(of: row.figures)
        guard let expected = row.expected else {
            // Before the first byte there is nothing to show.
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
