import SessionSupport

/// The style of an option's value: the word for it, how it is masked, and where it contains a path.
package struct OptionStyle: Sendable {
    /// What a shell completes for a value.
    package enum Operand: Sendable, Equatable {
        /// A switch without a value.
        case none
        case text
        case file
        case folder
        /// A text, or a file after an `@`.
        case fileBehindAt
    }

    /// Where a value contains a secret, or a reference to one.
    package enum Secrecy: Sendable, Equatable {
        case none
        case everywhere
        /// After a name and a colon, or everywhere.
        case behindName
    }

    /// The word for the value; nil for a switch.
    package var valueName: String?
    package var operand = Operand.text
    package var secrecy = Secrecy.none
    /// Masks a text that is only partly secret.
    private var mask: (@Sendable (String, Redaction.UserInfo) -> String)?
    /// The text before a path; nil without a path.
    private var prefix: (@Sendable (String) -> String?)?

    init(
        _ valueName: String?, operand: Operand = .text, secrecy: Secrecy = .none,
        mask: (@Sendable (String, Redaction.UserInfo) -> String)? = nil, prefix: (@Sendable (String) -> String?)? = nil
    ) {
        (self.valueName, self.operand, self.secrecy) = (valueName, operand, secrecy)
        (self.mask, self.prefix) = (mask, prefix)
    }

    /// The printable text; a secret reference is not masked.
    func shown(_ text: String, _ userInfo: Redaction.UserInfo) -> String {
        switch secrecy {
        case .none: return mask?(text, userInfo) ?? text
        case .everywhere: return SecretText(text).isReference ? text : Redaction.mask
        case .behindName:
            if SecretText(text).isReference { return text }
            guard let colon = text.firstIndex(of: ":") else { return Redaction.mask }
            let password = String(text[text.index(after: colon)...].drop { $0 == " " })
            return text[...colon] + (SecretText(password).isReference ? password : Redaction.mask)
        }
    }

    /// The name of the variable that has a secret, and the text before the reference; nil without a reference.
    func environmentReference(_ text: String) -> (prefix: String, name: String)? {
        let mark = SecretText.environmentPrefix
        if secrecy != .none, text.hasPrefix(mark) { return ("", String(text.dropFirst(mark.count))) }
        guard secrecy == .behindName else { return nil }
        let user = text.prefix { $0 != ":" } + ":"
        guard text.hasPrefix(user + mark) else { return nil }
        return (String(user), String(text.dropFirst(user.count + mark.count)))
    }

    /// The text before a path; nil without a path.
    func pathPrefix(_ text: String) -> String? {
        switch secrecy {
        case .everywhere: return SecretText.filePrefix
        // The password alone may be in a file, or both.
        case .behindName:
            return text.hasPrefix(SecretText.filePrefix)
                ? SecretText.filePrefix : text.prefix { $0 != ":" } + ":" + SecretText.filePrefix
        case .none: break
        }
        if let prefix { return prefix(text) }
        return operand == .file || operand == .folder ? "" : nil
    }
}

/// A text that may be a secret: literal, or a reference that is read when a request is made.
package enum SecretText: Sendable, Equatable {
    case text(String)
    case environment(String)
    case file(String)
    /// The first line of a shell command's output.
    case command(String)

    static let environmentPrefix = "@env:"
    static let filePrefix = "@file:"
    static let commandPrefix = "@cmd:"

    package init(_ text: String) {
        if text.hasPrefix(Self.environmentPrefix) {
            self = .environment(String(text.dropFirst(Self.environmentPrefix.count)))
        } else if text.hasPrefix(Self.filePrefix) {
            self = .file(String(text.dropFirst(Self.filePrefix.count)))
        } else if text.hasPrefix(Self.commandPrefix) {
            self = .command(String(text.dropFirst(Self.commandPrefix.count)))
        } else {
            self = .text(text)
        }
    }

    /// Whether it is a reference.
    package var isReference: Bool { if case .text = self { false } else { true } }
}

/// A name and a password, as an option gives them.
package enum CredentialsText: Sendable, Equatable {
    case pair(user: String, password: SecretText)
    /// The reference contains both, separated by a colon.
    case reference(SecretText)
}
