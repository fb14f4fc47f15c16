import SessionSupport

/// The header fields in the details of a row, with a mark on each secret one.
extension TransferRow {
    /// The request's fields: as sent, else the job's.
    ///
    /// Sent fields have masked secrets; the job's own can be shown on request.
    func requestFields(sent: HeaderFields?) -> [RowDetails.Header] {
        guard let sent, !sent.isEmpty else {
            var own = job.headers
            if let type = BodyContentType.implied(by: job) { own.append(name: "Content-Type", value: type) }
            return fields(own)
        }
        let declared = job.declaredSecrets
        var shown = HeaderFields()
        for field in sent {
            var value = field.value
            if let secret = declared.last(where: { ByteText.isSame($0.name, field.name) }) {
                // What a variable, a file or a command has is not in the job, and never shown.
                value = if case .text(let text) = secret.value { text } else { Redaction.mask }
            } else if value.contains(Redaction.mask) {
                value = job.headers.first { ByteText.isSame($0.name, field.name) }?.value ?? value
            }
            shown.append(name: field.name, value: value)
        }
        return fields(shown)
    }

    /// Fields as the details show them: of a request, or of a response, which may repeat a request's secret.
    func fields(_ fields: HeaderFields) -> [RowDetails.Header] {
        let declared = job.declaredSecrets
        return fields.map { field in
            let isDeclared = field.value != Redaction.mask && declared.contains { ByteText.isSame($0.name, field.name) }
            return RowDetails.Header(
                name: SafeText(untrusted: field.name), value: SafeText(untrusted: field.value),
                isSecret: isDeclared || Redaction.header(name: field.name, value: field.value) != field.value)
        }
    }

    /// A response that another request followed.
    func answer(_ head: ResponseHead) -> EarlierAnswer {
        let words = [head.version.rawValue, String(head.statusCode), head.reasonPhrase].filter { !$0.isEmpty }
        return EarlierAnswer(
            statusLine: SafeText(untrusted: words.joined(separator: " ")),
            url: SafeText(url: head.url), headers: fields(head.headers))
    }
}

extension Job {
    /// The header fields that its user has declared secret.
    var declaredSecrets: [SecretField] { options.contains(.secretHeader) ? options.terms.secretFields : [] }
}
