/// What there is to say about one transfer, as lines; where they go is decided elsewhere.
struct DetailsContent {
    let model: Model
    let row: RowSnapshot

    private var details: RowDetails { row.details ?? RowDetails() }

    /// The four lines of the small pane, the most telling first.
    var brief: [DetailLine] {
        var lines = [DetailLine(text: row.method + " " + row.url)]
        if let error = row.error, row.state == .failed || row.state == .retrying {
            lines.append(DetailLine(text: error, role: .error))
        }
        let facts = [
            row.statusCode.map { SafeText($0) } ?? "", row.protocolName, details.tls, details.peer, amount(of: " of "),
            resumedAt,
        ].joined(by: " · ")
        if !facts.isEmpty { lines.append(DetailLine(text: facts)) }
        let timing = [timingSummary, ranges, details.validator].joined(by: " · ")
        if !timing.isEmpty { lines.append(DetailLine(text: timing)) }
        if let path = row.path { lines.append(DetailLine(text: "→ " + path)) }
        return lines
    }

    /// The lines of a part of the details.
    func lines(of tab: DetailsTab) -> [DetailLine] {
        switch tab {
        case .overview: overview
        case .headers: headers
        case .timing: timing
        case .connection: connection
        case .resume: resume
        case .log: details.log.isEmpty ? [DetailLine(text: "Nothing yet", role: .dim)] : log
        case .body: body
        }
    }

    private var overview: [DetailLine] {
        var lines = [DetailLine(text: row.method + " " + row.url)]
        if let error = row.error {
            lines.append(DetailLine(label: row.state == .failed ? "Failed" : "Trouble", text: error, role: .error))
            lines.append(DetailLine(label: "Next", text: nextStep, role: .dim))
        }
        let status = [details.statusLine.isEmpty ? statusCode : details.statusLine, details.contentType]
        lines.append(DetailLine(label: "State", text: state))
        append("Status", status.joined(by: " · "), to: &lines)
        append("File", row.path ?? "", to: &lines)
        append("Progress", [amount(of: " of "), average, duration].joined(by: " · "), to: &lines)
        append("Resume", [ranges, details.validator, resumedAt].joined(by: " · "), to: &lines)
        append("Peer", [details.peer, details.httpVersion, details.tls, reuse].joined(by: " · "), to: &lines)
        append("Verify", details.checksum, to: &lines)
        append("Retries", SafeText(row.failedAttempts) + " of " + SafeText(row.attemptLimit), to: &lines)
        for (index, line) in details.log.suffix(3).enumerated() {
            lines.append(DetailLine(label: index == 0 ? "Log" : "", text: line.time + " " + line.text, role: .plain))
        }
        return lines
    }

    private var headers: [DetailLine] {
        var lines = [DetailLine(text: "Request", role: .title)]
        lines += details.requestHeaders.map { DetailLine(text: $0.name + ": " + $0.value) }
        lines += [DetailLine(text: ""), DetailLine(text: "Response", role: .title)]
        if !details.statusLine.isEmpty { lines.append(DetailLine(text: details.statusLine)) }
        lines += details.responseHeaders.map { DetailLine(text: $0.name + ": " + $0.value) }
        return lines
    }

    /// Each step with a bar as long as its part of the whole.
    var timing: [DetailLine] {
        let steps = spans
        guard let longest = steps.map(\.milliseconds).max(), longest > 0 else {
            return [DetailLine(text: "No request was answered yet", role: .dim)]
        }
        return [DetailLine(text: "Phase timing (ms)", role: .title)]
            + steps.map { step in
                let eighths = max(1, step.milliseconds * 192 / longest)
                let bar = SafeText("█") * (eighths / 8) + Glyphs.eighths[eighths % 8]
                let number = SafeText(step.milliseconds)
                let space = SafeText(" ") * max(6 - number.string.count, 1)
                return DetailLine(label: step.name, text: space + number + " " + bar)
            }
    }

    private var connection: [DetailLine] {
        var lines: [DetailLine] = []
        append("Peer", details.peer, to: &lines)
        append("Protocol", details.httpVersion, to: &lines)
        append("TLS", details.tls, to: &lines)
        append("Reused", row.details == nil ? "" : details.reusedConnection ? "yes" : "no", to: &lines)
        append("Redirects", row.details == nil ? "" : SafeText(details.redirects), to: &lines)
        return lines.isEmpty ? [DetailLine(text: "Not connected yet", role: .dim)] : lines
    }

    private var resume: [DetailLine] {
        var lines = [DetailLine(label: "Possible", text: row.canResume ? "yes" : "no")]
        append("Because", details.resumeReason, to: &lines)
        append("Ranges", details.acceptsRanges.map { $0 ? "accepted" : "not accepted" } ?? "", to: &lines)
        append("Validator", details.validator, to: &lines)
        append("Kept", SizeText.long(row.moved, units: model.units), to: &lines)
        append("Resumed", resumedAt, to: &lines)
        return lines
    }

    private var log: [DetailLine] { details.log.map { DetailLine(text: $0.time + " " + $0.text) } }

    private var body: [DetailLine] {
        if !details.body.isEmpty { return details.body.map { DetailLine(text: $0) } }
        return [DetailLine(text: row.kind == .data ? "No body yet" : "Bodies are shown of data requests", role: .dim)]
    }

    // MARK: Parts

    private func append(_ label: SafeText, _ text: SafeText, to lines: inout [DetailLine]) {
        if !text.isEmpty { lines.append(DetailLine(label: label, text: text)) }
    }

    private var state: SafeText {
        switch row.state {
        case .retrying: "retrying, " + RowTime(model: model, row: row).text
        case .running, .queued, .paused, .verifying, .failed, .done, .cancelled: RowView.word(of: row.state)
        }
    }

    private var nextStep: SafeText {
        switch row.state {
        case .retrying:
            "retry " + SafeText(row.failedAttempts) + " of " + SafeText(row.attemptLimit) + " "
                + RowTime(model: model, row: row).text
        case .failed, .cancelled: row.canResume ? "r continues from the kept bytes" : "r tries again from the start"
        case .running, .queued, .paused, .verifying, .done: "nothing to do"
        }
    }

    private var statusCode: SafeText { row.statusCode.map { SafeText($0) } ?? "" }

    private func amount(of: SafeText) -> SafeText {
        let moved = model.rates.shownBytes(of: row)
        guard let expected = row.expected else { return SizeText.short(moved, units: model.units) }
        return SizeText.short(moved, units: model.units) + of + SizeText.short(expected, units: model.units)
    }

    private var resumedAt: SafeText {
        row.resumedAt > 0 ? "resumed at " + SizeText.short(row.resumedAt, units: model.units) : ""
    }

    private var ranges: SafeText {
        details.acceptsRanges.map { $0 ? "ranges yes" : "ranges no" } ?? ""
    }

    private var reuse: SafeText { details.reusedConnection ? "reused" : "" }

    private var average: SafeText {
        guard let start = row.startedAt, model.now > start || row.endedAt != nil else { return "" }
        let span = (row.endedAt ?? model.now) - start
        guard span >= 1000 else { return "" }
        let rate = Double(model.rates.shownBytes(of: row) - row.resumedAt) * 1000 / Double(span)
        return "average " + SizeText.rate(rate, units: model.units)
    }

    private var duration: SafeText {
        guard let start = row.startedAt, let end = row.endedAt else { return "" }
        return DurationText.taken(milliseconds: end - start)
    }

    private var spans: [(name: SafeText, milliseconds: Int)] {
        let steps: [(SafeText, Int?)] = [
            ("dns", details.nameLookup), ("connect", details.connect), ("tls", details.secureConnect),
            ("request", details.requestSent), ("wait", details.firstByte), ("body", details.total),
        ]
        var previous = 0
        return steps.compactMap { name, end in
            guard let end, end >= previous, end > 0 else { return nil }
            defer { previous = end }
            return (name, end - previous)
        }
    }

    private var timingSummary: SafeText {
        func part(_ name: SafeText, _ value: Int?) -> SafeText { value.map { name + " " + SafeText($0) } ?? "" }
        let first = part("first byte", details.firstByte)
        return [
            part("dns", details.nameLookup), part("conn", details.connect), part("tls", details.secureConnect),
            first.isEmpty ? "" : first + " ms",
        ].joined(by: " · ")
    }
}
