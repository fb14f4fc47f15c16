import SessionSupport

/// How the value of an option looks: the word for it, what may be shown of it, and where a path is in it.
package struct OptionStyle: Sendable {
    /// What a value is to a shell that completes it.
    package enum Operand: Sendable, Equatable {
        /// No value: it is on or off.
        case none
        case text
        case file
        case folder
        /// A text, or a file behind an `@`.
        case fileBehindAt
    }

    /// Where a value has a secret, or the place of one.
    package enum Secrecy: Sendable, Equatable {
        case none
        case everywhere
        /// Behind a name and a colon, or everywhere.
        case behindName
    }

    /// The word that stands for the value; nil for an option that is on or off.
    package var valueName: String?
    package var operand = Operand.text
    package var secrecy = Secrecy.none
    /// What may be shown of a text that is no secret altogether.
    private var mask: (@Sendable (String, Redaction.UserInfo) -> String)?
    /// What stands in front of a path in a text; nil where there is no path.
    private var prefix: (@Sendable (String) -> String?)?

    init(
        _ valueName: String?, operand: Operand = .text, secrecy: Secrecy = .none,
        mask: (@Sendable (String, Redaction.UserInfo) -> String)? = nil, prefix: (@Sendable (String) -> String?)? = nil
    ) {
        (self.valueName, self.operand, self.secrecy) = (valueName, operand, secrecy)
        (self.mask, self.prefix) = (mask, prefix)
    }

    /// What may be shown of a text; the place of a secret is none.
    func shown(_ text: String, _ userInfo: Redaction.UserInfo) -> String {
        switch secrecy {
        case .none: return mask?(text, userInfo) ?? text
        case .everywhere: return SecretText(text).isPlace ? text : Redaction.mask
        case .behindName:
            if SecretText(text).isPlace { return text }
            guard let colon = text.firstIndex(of: ":") else { return Redaction.mask }
            let password = String(text[text.index(after: colon)...])
            return text[...colon] + (SecretText(password).isPlace ? password : Redaction.mask)
        }
    }

    /// What stands in front of a path in a text; nil where there is no path.
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

/// A text that may be a secret: the text itself, or the place where it is read when a request is made.
package enum SecretText: Sendable, Equatable {
    case text(String)
    case environment(String)
    case file(String)

    private static let environmentPrefix = "@env:"
    static let filePrefix = "@file:"

    package init(_ text: String) {
        if text.hasPrefix(Self.environmentPrefix) {
            self = .environment(String(text.dropFirst(Self.environmentPrefix.count)))
        } else if text.hasPrefix(Self.filePrefix) {
            self = .file(String(text.dropFirst(Self.filePrefix.count)))
        } else {
            self = .text(text)
        }
    }

    /// Whether it names a place.
    package var isPlace: Bool { if case .text = self { false } else { true } }
}

/// A name and a password, as an option gives them.
package enum CredentialsText: Sendable, Equatable {
    case pair(user: String, password: SecretText)
    /// Both are read where it says, with a colon between them.
    case place(SecretText)
}
