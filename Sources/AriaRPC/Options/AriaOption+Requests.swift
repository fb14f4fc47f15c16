import SessionSupport
import TransferValues

/// The options of requests.
///
/// Files with cookies and certificates are not among them, as in aria2: clients may not have the service read any file.
extension AriaOption {
    static var ofRequests: [AriaOption] {
        [
            AriaOption(
                "check-certificate", .flag, "true",
                is: .job { (draft, text) throws(OptionProblem) in
                    try draft.set(.insecure, isOn: text == "false")
                }
            ) { $0.options.contains(.insecure) ? "false" : nil },
            AriaOption("content-disposition-default-utf8", .flag, "false"),
            AriaOption(
                "header", .lines,
                is: .job { (draft, text) throws(OptionProblem) in
                    draft.job.headers = try AriaHeader.fields(text, keeping: draft.job.headers)
                }
            ) { AriaHeader.text(of: $0.headers) },
            AriaOption("http-accept-gzip", .flag, "false"),
            AriaOption("http-auth-challenge", .flag, "false"),
            AriaOption(
                "http-no-cache", .flag, "false",
                is: .job { draft, text in
                    guard text == "true" else { return }
                    for field in HeaderFields.noCache where draft.job.headers[field.name] == nil {
                        draft.job.headers.append(name: field.name, value: field.value)
                    }
                }),
            AriaOption("http-passwd", .text, is: .password(.user)),
            AriaOption("http-user", .text, is: .name(.user)),
            AriaOption("no-netrc", .flag, "false"),
            AriaOption("parameterized-uri", .flag, "false"),
            AriaOption(
                "referer", .text,
                is: .job { (draft, text) throws(OptionProblem) in
                    // A star stands for the URL of the download itself.
                    guard let option = JobOption.named("referer") else { return }
                    try draft.set(option, text == "*" ? draft.job.url : text)
                }
            ) { job in JobOption.named("referer").flatMap { job.options.text(of: $0) } },
            AriaOption("use-head", .flag, "false"),
            AriaOption(
                "user-agent", .text,
                is: .job { (draft, text) throws(OptionProblem) in
                    guard let option = JobOption.named("user-agent") else { return }
                    try draft.set(option, text)
                }
            ) { job in JobOption.named("user-agent").flatMap { job.options.text(of: $0) } },
        ]
    }
}

/// Header fields as lines of one text.
enum AriaHeader {
    /// - Parameter known: the fields whose secrets a client got masked; a mask of any other field is left out.
    static func fields(_ text: String, keeping known: HeaderFields = HeaderFields()) throws(OptionProblem)
        -> HeaderFields
    {
        var fields = HeaderFields()
        for line in text.split(separator: "\n") {
            guard let colon = line.firstIndex(of: ":") else { throw OptionProblem(AriaErrors.illegalArgument) }
            let name = String(line[..<colon])
            let value = ByteText.trimmed(line[line.index(after: colon)...])
            guard !name.isEmpty, name.utf8.allSatisfy(ByteText.isToken),
                value.utf8.allSatisfy({ $0 == 0x09 || $0 >= 0x20 && $0 != 0x7F })
            else { throw OptionProblem(AriaErrors.illegalArgument) }
            guard let value = value == Redaction.mask ? known[name] : value else { continue }
            fields.append(name: name, value: value)
        }
        return fields
    }

    /// The fields without their secrets; nil for none.
    static func text(of fields: HeaderFields) -> String? {
        guard !fields.isEmpty else { return nil }
        return fields.map { "\($0.name): \(Redaction.header(name: $0.name, value: $0.value))\n" }.joined()
    }
}
