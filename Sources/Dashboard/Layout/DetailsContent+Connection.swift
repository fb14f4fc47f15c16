import SessionSupport

/// The exchanged messages, the connection, and the resumable parts.
extension DetailsContent {
    var headers: [DetailLine] {
        var lines = [DetailLine(text: DetailsLabels.request, role: .title), DetailLine(text: details.requestLine)]
        lines.append(DetailLine(text: DetailsLabels.host(row.host)))
        lines += details.requestHeaders.map(line) + requestBody
        for answer in details.earlierAnswers {
            lines += [DetailLine(text: ""), DetailLine(text: DetailsLabels.earlierResponse, role: .title)]
            lines += [
                DetailLine(text: answer.statusLine), DetailLine(text: DetailsLabels.from(answer.url), role: .dim),
            ]
            lines += answer.headers.map(line)
        }
        lines += [
            DetailLine(text: ""),
            DetailLine(text: isEarlierAnswer ? DetailsLabels.responseBefore : DetailsLabels.response, role: .title),
        ]
        if details.statusLine.isEmpty {
            lines.append(DetailLine(text: DetailsLabels.noResponse, role: .dim))
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
        let title = [DetailLine(text: ""), DetailLine(text: DetailsLabels.requestBody(body.summary), role: .title)]
        if details.requestBodyIsSecret, !model.details.revealsSecrets {
            return title + [DetailLine(text: DetailsLabels.secret(model.keys.key(of: .secrets)))]
        }
        let left = body.lines.count - Self.requestBodyLimit
        let rest = left > 0 ? [DetailLine(text: DetailsLabels.moreLines(left), role: .dim)] : []
        return title + body.lines.prefix(Self.requestBodyLimit).map { DetailLine(text: $0) } + rest
    }

    /// Whether the response is an earlier run's, because this one has none yet.
    private var isEarlierAnswer: Bool { row.statusCode == nil && !row.state.isFinal && !details.statusLine.isEmpty }

    private func line(of header: RowDetails.Header) -> DetailLine {
        let isHidden = header.isSecret && !model.details.revealsSecrets
        return DetailLine(
            text: DetailsLabels.header(
                header.name, isHidden ? DetailsLabels.secret(model.keys.key(of: .secrets)) : header.value))
    }

    var connection: [DetailLine] {
        var lines = segmentLines + sourceLines
        append(DetailsLabels.peer, details.peer, to: &lines)
        append(DetailsLabels.local, details.localAddress, to: &lines)
        append(DetailsLabels.hostName, row.host, to: &lines)
        append(DetailsLabels.version, details.httpVersion, to: &lines)
        append(
            DetailsLabels.tls,
            details.tls.isEmpty ? (isEncrypted ? DetailsLabels.yes : DetailsLabels.plainHTTP) : details.tls,
            to: &lines)
        for field in details.security { append(field.label, field.text, to: &lines) }
        if details.peer.isEmpty {
            lines.append(DetailLine(label: DetailsLabels.state, text: DetailsLabels.notConnected, role: .dim))
            return lines
        }
        append(
            DetailsLabels.reused, details.reusedConnection ? DetailsLabels.yes : DetailsLabels.no, to: &lines)
        append(DetailsLabels.redirects, SafeText(details.redirects), to: &lines)
        for answer in details.earlierAnswers {
            lines.append(
                DetailLine(
                    label: DetailsLabels.before, text: DetailsLabels.status(answer.statusLine, from: answer.url)))
        }
        return lines
    }

    private var isEncrypted: Bool { URLScan(row.url.string).isEncrypted }

    var resume: [DetailLine] {
        let isOver = row.state == .done && row.kind == .download
        var lines = [DetailLine(label: DetailsLabels.resumable, text: isOver ? DetailsLabels.notNeeded : possible)]
        if !isOver, !hasNoResponse { append(DetailsLabels.reason, details.resumeReason, to: &lines) }
        if !isOver { append(DetailsLabels.secrets, details.secrets, to: &lines) }
        if row.kind == .upload { return lines + uploadResume }
        append(
            DetailsLabels.ranges,
            details.acceptsRanges.map { $0 ? DetailsLabels.accepted : DetailsLabels.notAccepted } ?? "", to: &lines)
        append(DetailsLabels.validator, details.validator, to: &lines)
        if !isOver { append(DetailsLabels.kept, SizeText.long(row.moved, units: model.units), to: &lines) }
        append(DetailsLabels.resumed, resumedAt, to: &lines)
        append(DetailsLabels.verify, details.checksum, to: &lines)
        return lines
    }

    /// Whether nothing is known yet about the server of a download.
    private var hasNoResponse: Bool {
        row.kind == .download && row.moved == 0 && row.statusCode == nil && details.statusLine.isEmpty
    }

    private var possible: SafeText {
        guard !hasNoResponse else { return DetailsLabels.unknownBeforeResponse }
        return switch row.continuation {
        case .yes: DetailsLabels.yes
        case .unknown: row.state.isFinal ? DetailsLabels.unknown : DetailsLabels.unknownWhilePaused
        case .no: DetailsLabels.notResumable
        }
    }

    /// The bytes that have arrived, the offset that the server names, and whether the body can be sent again.
    private var uploadResume: [DetailLine] {
        let sent = SizeText.long(row.moved, units: model.units)
        let arrived = row.expected.map { DetailsLabels.part(sent, of: SizeText.long($0, units: model.units)) } ?? sent
        let offset = confirmedOffset.map { DetailsLabels.confirmed(SizeText.long($0, units: model.units)) }
        let fields: [(SafeText, SafeText)] = [
            (DetailsLabels.arrived, arrived), (DetailsLabels.offset, offset ?? DetailsLabels.noOffset),
            (DetailsLabels.body, details.uploadSource), (DetailsLabels.sendAgain, details.uploadRepetition),
        ]
        return fields.filter { !$0.1.isEmpty }.map { DetailLine(label: $0.0, text: $0.1) }
    }

    /// The offset in the latest response with an `Upload-Offset`, interim responses included.
    private var confirmedOffset: Int64? {
        let answers = details.earlierAnswers.map(\.headers) + [details.responseHeaders]
        let offsets = answers.joined().filter { ByteText.isSame($0.name.string, "upload-offset") }
        return offsets.last.flatMap { Int64($0.value.string) }.flatMap { $0 >= 0 ? $0 : nil }
    }
}
