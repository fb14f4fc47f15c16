import SessionSupport

/// The exchanged messages, the connection, and the resumable parts.
extension DetailsContent {
    var headers: [DetailLine] {
        var lines = [DetailLine(text: "Request", role: .title), DetailLine(text: details.requestLine)]
        lines.append(DetailLine(text: "Host: " + row.host))
        lines += details.requestHeaders.map(line) + requestBody
        for answer in details.earlierAnswers {
            lines += [DetailLine(text: ""), DetailLine(text: "Earlier answer", role: .title)]
            lines += [DetailLine(text: answer.statusLine), DetailLine(text: "from " + answer.url, role: .dim)]
            lines += answer.headers.map(line)
        }
        lines += [
            DetailLine(text: ""),
            DetailLine(text: isEarlierAnswer ? "Response of an earlier run" : "Response", role: .title),
        ]
        if details.statusLine.isEmpty {
            lines.append(DetailLine(text: "No answer yet", role: .dim))
        } else {
            lines.append(DetailLine(text: [details.httpVersion, details.statusLine].joined(by: " ")))
        }
        return lines + details.responseHeaders.map(line)
    }

    /// The number of request body lines shown; the pager shows all of them.
    static let requestBodyLimit = 100

    /// The body that was sent after the header fields, or will be.
    private var requestBody: [DetailLine] {
        let body = details.requestBody
        guard !body.summary.isEmpty else { return [] }
        let title = [DetailLine(text: ""), DetailLine(text: "Body of the request: " + body.summary, role: .title)]
        if details.requestBodyIsSecret, !model.details.revealsSecrets {
            return title + [DetailLine(text: "•••  (" + model.keys.key(of: .secrets) + " shows it)")]
        }
        let left = body.lines.count - Self.requestBodyLimit
        let rest = left > 0 ? [DetailLine(text: "… " + SafeText(left) + " more lines", role: .dim)] : []
        return title + body.lines.prefix(Self.requestBodyLimit).map { DetailLine(text: $0) } + rest
    }

    /// Whether the response is an earlier run's, because this one has none yet.
    private var isEarlierAnswer: Bool { row.statusCode == nil && !row.state.isFinal && !details.statusLine.isEmpty }

    private func line(of header: RowDetails.Header) -> DetailLine {
        let isHidden = header.isSecret && !model.details.revealsSecrets
        return DetailLine(
            text: header.name + ": "
                + (isHidden ? "•••  (" + model.keys.key(of: .secrets) + " shows it)" : header.value))
    }

    var connection: [DetailLine] {
        var lines = segmentLines + sourceLines
        append("Peer", details.peer, to: &lines)
        append("Local", details.localAddress, to: &lines)
        append("Host", row.host, to: &lines)
        append("Protocol", details.httpVersion, to: &lines)
        append("TLS", details.tls.isEmpty ? (isEncrypted ? "yes" : "no: plain http") : details.tls, to: &lines)
        for fact in details.security { append(fact.label, fact.text, to: &lines) }
        if details.peer.isEmpty {
            lines.append(DetailLine(label: "State", text: "not connected yet", role: .dim))
            return lines
        }
        append(
            "Reused", details.reusedConnection ? "yes, the connection was there" : "no, a new connection", to: &lines)
        append("Redirects", SafeText(details.redirects), to: &lines)
        for answer in details.earlierAnswers {
            lines.append(DetailLine(label: "Before", text: answer.statusLine + " from " + answer.url))
        }
        return lines
    }

    private var isEncrypted: Bool { URLScan(row.url.string).isEncrypted }

    var resume: [DetailLine] {
        let isOver = row.state == .done && row.kind == .download
        var lines = [DetailLine(label: "Possible", text: isOver ? "not needed: the file is complete" : possible)]
        if !isOver { append("Because", details.resumeReason, to: &lines) }
        if row.kind == .upload { return lines + uploadResume }
        append("Ranges", details.acceptsRanges.map { $0 ? "accepted" : "not accepted" } ?? "", to: &lines)
        append("Validator", details.validator, to: &lines)
        if !isOver { append("Kept", SizeText.long(row.moved, units: model.units), to: &lines) }
        append("Resumed", resumedAt, to: &lines)
        append("Verify", details.checksum, to: &lines)
        return lines
    }

    private var possible: SafeText {
        switch row.continuation {
        case .yes: "yes"
        case .unknown: row.state.isFinal ? "not known" : "not known: a pause holds the connection"
        case .no: "no"
        }
    }

    /// The bytes that have arrived, the offset that the server names, and whether the body can be sent again.
    private var uploadResume: [DetailLine] {
        let sent = SizeText.long(row.moved, units: model.units)
        let whole = row.expected.map { " of " + SizeText.long($0, units: model.units) } ?? ""
        let offset = confirmedOffset.map { SizeText.long($0, units: model.units) + ", named by the server" }
        let facts: [(SafeText, SafeText)] = [
            ("Arrived", sent + whole), ("Offset", offset ?? "none: the server has named none to go on from"),
            ("Body", details.uploadSource), ("Send again", details.uploadRepetition),
        ]
        return facts.filter { !$0.1.isEmpty }.map { DetailLine(label: $0.0, text: $0.1) }
    }

    /// The offset in the latest response with an `Upload-Offset`, interim responses included.
    private var confirmedOffset: Int64? {
        let answers = details.earlierAnswers.map(\.headers) + [details.responseHeaders]
        let offsets = answers.joined().filter { ByteText.isSame($0.name.string, "upload-offset") }
        return offsets.last.flatMap { Int64($0.value.string) }.flatMap { $0 >= 0 ? $0 : nil }
    }
}
