import SessionSupport

/// Values with credentials.
extension OptionKind where Value == SecretText {
    /// A secret, or a reference to one.
    package static func secret(_ name: String) -> Self {
        OptionKind(OptionStyle(name, secrecy: .everywhere)) { text throws(OptionProblem) in try checked(text) }
    }

    /// A secret that is not empty.
    fileprivate static func checked(_ text: String) throws(OptionProblem) -> SecretText {
        let secret = SecretText(text)
        switch secret {
        case .environment(let name):
            guard !name.isEmpty, !name.contains("=") else {
                throw OptionProblem(OptionUsage.environmentWithoutName)
            }
        case .file(let path):
            guard !path.isEmpty else { throw OptionProblem(OptionUsage.fileWithoutPath) }
        case .command(let command):
            guard command.contains(where: { !$0.isWhitespace }) else {
                throw OptionProblem(OptionUsage.commandMissing)
            }
        case .text(let text):
            guard !text.isEmpty else { throw OptionProblem(OptionUsage.emptySecret) }
        }
        return secret
    }
}

extension OptionKind where Value == CredentialsText {
    /// A name and a password; a secret reference may replace the password, or both.
    package static var credentials: Self {
        OptionKind(OptionStyle("NAME:PASSWORD", secrecy: .behindName)) {
            text throws(OptionProblem) in
            if SecretText(text).isReference { return .reference(try OptionKind<SecretText>.checked(text)) }
            guard let colon = text.firstIndex(of: ":") else {
                throw OptionProblem(OptionUsage.noPassword)
            }
            let password = String(text[text.index(after: colon)...])
            // An empty password is valid.
            let secret = password.isEmpty ? SecretText(password) : try OptionKind<SecretText>.checked(password)
            return .pair(user: String(text[..<colon]), password: secret)
        }
    }
}

/// A header field with a secret value.
package struct SecretField: Sendable, Equatable {
    package let name: String
    package let value: SecretText
}

extension OptionKind where Value == SecretField {
    /// A field's name and its value, which a secret reference may replace.
    package static var secretField: Self {
        OptionKind(OptionStyle("FIELD", secrecy: .behindName)) { text throws(OptionProblem) in
            guard let colon = text.firstIndex(of: ":"), text.startIndex < colon,
                text[..<colon].utf8.allSatisfy(ByteText.isToken)
            else {
                throw OptionProblem(OptionUsage.secretField)
            }
            let value = text[text.index(after: colon)...].drop { $0 == " " }
            return SecretField(
                name: String(text[..<colon]), value: try OptionKind<SecretText>.checked(String(value)))
        }
    }
}

extension OptionKind where Value == String {
    /// The name of a field that may be left out of a request.
    package static var fieldName: Self {
        OptionKind(OptionStyle("NAME")) { text throws(OptionProblem) in
            guard !text.isEmpty, text.utf8.allSatisfy(ByteText.isToken) else {
                throw OptionProblem(OptionUsage.fieldName)
            }
            let needed = ["Host", "Content-Length", "Transfer-Encoding"].first { ByteText.isSame($0, text) }
            if let needed { throw OptionProblem(OptionUsage.neededField(needed)) }
            return text
        }
    }
}

extension OptionKind where Value == RequestSigning {
    /// Amazon's request signature: up to four words.
    package static var signing: Self {
        OptionKind(OptionStyle("PROVIDER:...")) { text throws(OptionProblem) in
            let words = text.split(separator: ":", omittingEmptySubsequences: false).map { String($0) }
            let isPlain = words.allSatisfy { word in
                !word.isEmpty && word.utf8.allSatisfy { ByteText.isLetter($0) || ByteText.isDigit($0) || $0 == 0x2D }
            }
            guard isPlain, words.count <= 4 else {
                throw OptionProblem(OptionUsage.signing)
            }
            return RequestSigning(
                provider: words[0], vendor: words.count > 1 ? words[1] : "amz",
                region: words.count > 2 ? words[2] : nil,
                service: words.count > 3 ? words[3] : nil)
        }
    }
}

/// Where cookies are read from and written to.
package enum CookieSource: Sendable, Equatable {
    /// `name=value`, sent unchanged.
    case pair(String)
    case file(String)
    /// No cookie at first; the ones of responses are kept and sent.
    case responses
    /// The file that the cookies are written to at the end.
    case jar(String)
    /// The cookies of Firefox in a profile, named or by the path of its folder; nil for the last used one.
    case firefox(profile: String?)
}

extension OptionKind where Value == CookieSource {
    /// A cookie, or a file of them; as in curl, an empty text only lets cookies of responses be kept.
    package static var cookie: Self {
        OptionKind(
            OptionStyle(
                "NAME=VALUE|FILE",
                mask: { text, _ in text.contains("=") ? text.prefix { $0 != "=" } + "=" + Redaction.mask : text },
                prefix: { $0.isEmpty || $0.contains("=") ? nil : "" })
        ) { text throws(OptionProblem) in
            guard !text.isEmpty else { return .responses }
            return text.contains("=") ? .pair(text) : .file(text)
        }
    }

    /// A browser, and a profile of it.
    package static var browser: Self {
        let start = "firefox:"
        return OptionKind(
            OptionStyle("BROWSER", prefix: { $0.hasPrefix(start) && $0.contains("/") ? start : nil })
        ) { text throws(OptionProblem) in
            if text == "firefox" { return .firefox(profile: nil) }
            guard text.hasPrefix(start), text.count > start.count else { throw OptionProblem(OptionUsage.browser) }
            return .firefox(profile: String(text.dropFirst(start.count)))
        }
    }

    /// The file that the cookies are written to at the end.
    package static var cookieJar: Self {
        OptionKind(OptionStyle("FILE", operand: .file)) { text throws(OptionProblem) in
            guard !text.isEmpty else { throw OptionProblem(OptionUsage.empty("FILE")) }
            return .jar(text)
        }
    }
}
