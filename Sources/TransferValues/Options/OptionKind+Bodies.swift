import SessionSupport

/// Values that are bodies of requests, or parts of them.
extension OptionKind where Value == FormField {
    /// A field of a form: `name=value`, or `name=@file`.
    package static var field: Self {
        OptionKind(
            OptionStyle("NAME=VALUE", mask: maskedField, prefix: { fieldPrefix($0, signs: ["=@", "=<"]) })
        ) { text throws(OptionProblem) in
            guard let sign = text.firstIndex(of: "="), sign > text.startIndex else {
                throw OptionProblem(OptionUsage.field)
            }
            guard let field = FormField(text) else {
                throw OptionProblem(OptionUsage.fieldOfFile)
            }
            return field
        }
    }
}

/// A percent-encoded form field in curl's syntax: `name=text`, `=text`, `text`, `name@file` and `@file`.
package struct EncodedField: Sendable, Equatable {
    /// The source of its value.
    package enum Content: Sendable, Equatable {
        case text(String)
        case file(String)
    }

    /// The field's name; empty for a value without a name.
    package var name: String
    package var content: Content
    /// Whether the value is percent-encoded; a file that is not loses its line ends, as in `curl -d @FILE`.
    package var isEncoded = true

    init(_ text: String) {
        let name = text.prefix { $0 != "=" && $0 != "@" }
        let rest = text.dropFirst(name.count)
        self.name = rest.isEmpty ? "" : String(name)
        content =
            rest.isEmpty
            ? .text(String(name))
            : rest.hasPrefix("@") ? .file(String(rest.dropFirst())) : .text(String(rest.dropFirst()))
    }

    /// A part that is sent as it is: a text, or a file after an `@`.
    fileprivate init(data text: String) {
        (name, isEncoded) = ("", false)
        content = text.hasPrefix("@") ? .file(String(text.dropFirst())) : .text(text)
    }
}

extension OptionKind where Value == EncodedField {
    package static var encodedField: Self {
        OptionKind(
            OptionStyle("NAME=VALUE", mask: maskedField, prefix: { fieldPrefix($0, signs: ["@"]) })
        ) { text throws(OptionProblem) in
            guard !text.isEmpty else { throw OptionProblem(OptionUsage.empty("NAME=VALUE")) }
            return EncodedField(text)
        }
    }

    /// A part of a form as it is, or a file with one.
    package static var dataPart: Self {
        OptionKind(
            OptionStyle(
                "TEXT|@FILE", operand: .fileBehindAt,
                mask: { text, _ in
                    !text.hasPrefix("@") && Redaction.hidesBody(Array(text.utf8)) ? Redaction.mask : text
                }, prefix: { _ in "@" })
        ) { text throws(OptionProblem) in
            guard text != "@" else { throw OptionProblem(OptionUsage.empty("FILE")) }
            return EncodedField(data: text)
        }
    }
}

extension OptionKind where Value == BodySpecification {
    /// A body of JSON, or a file with it.
    package static var json: Self {
        OptionKind(
            OptionStyle(
                "TEXT|@FILE", operand: .fileBehindAt,
                // A secret in any member masks the complete body.
                mask: { text, _ in
                    !text.hasPrefix("@") && Redaction.hidesMember(of: Array(text.utf8)) ? Redaction.mask : text
                }, prefix: { _ in "@" })
        ) { text throws(OptionProblem) in
            guard !text.isEmpty else { throw OptionProblem(OptionUsage.empty("TEXT|@FILE")) }
            return text.hasPrefix("@") ? .file(path: String(text.dropFirst())) : .bytes(Array(text.utf8))
        }
    }
}

/// A field with its value masked if that is a secret.
@Sendable private func maskedField(_ text: String, _ userInfo: Redaction.UserInfo) -> String {
    guard let end = text.firstIndex(where: { $0 == "=" || $0 == "@" }), text[end] == "=",
        Redaction.hidesParameter(String(text[..<end]), value: text[text.index(after: end)...], userInfo: userInfo)
    else { return text }
    return text[...end] + Redaction.mask
}

/// The text before the path of a field; nil for a field without one.
private func fieldPrefix(_ text: String, signs: [String]) -> String? {
    let name = text.prefix { $0 != "=" && $0 != "@" }
    return signs.first { text.dropFirst(name.count).hasPrefix($0) }.map { name + $0 }
}
