import SessionSupport

/// Names and passwords by machine, as a `.netrc` file has them.
///
/// Only the machine that a URL names counts, and `default` for all others; macros are left out.
package struct NetrcFile: Sendable, Equatable {
    /// What one machine of the file has.
    struct Entry: Sendable, Equatable {
        /// Nil for every machine.
        var machine: String?
        var login: String?
        var password: String?
    }

    let entries: [Entry]

    /// Reads a file's text; throws ``SessionError/Code/invalidRequest`` with the word that cannot be read.
    package init(_ text: String) throws(SessionError) {
        var entries: [Entry] = []
        var words = try Self.words(of: text)[...]
        func value(of word: String) throws(SessionError) -> String {
            guard let next = words.popFirst() else {
                throw SessionError(.invalidRequest, TrustReasons.netrcValue(word))
            }
            return next
        }
        while let word = words.popFirst() {
            switch word {
            case "machine": entries.append(Entry(machine: ByteText.lowercased(try value(of: word))))
            case "default": entries.append(Entry())
            case "login", "password", "account":
                guard !entries.isEmpty else {
                    throw SessionError(.invalidRequest, TrustReasons.netrcOrder(word))
                }
                let text = try value(of: word)
                if word == "login" { entries[entries.count - 1].login = text }
                if word == "password" { entries[entries.count - 1].password = text }
            default:
                throw SessionError(.invalidRequest, TrustReasons.netrcWord)
            }
        }
        self.entries = entries
    }

    /// Whether it has a password, so that nobody else should read it.
    package var hasPasswords: Bool { entries.contains { $0.password != nil } }

    /// The name and the password for a host; nil where the file has none.
    ///
    /// With a name only its password counts.
    package func credentials(
        host: String, user: String? = nil, scheme: RequestCredentials.Scheme = .basic
    ) -> RequestCredentials? {
        // As curl, the file has an IPv6 address without the brackets that a URL needs, and without its zone.
        let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
        let plain = isBracketed ? host.dropFirst().dropLast().prefix { $0 != "%" } : host[...]
        let name = ByteText.lowercased(plain)
        let entry = entries.first { entry in
            (entry.machine == nil || entry.machine == name) && (user == nil || entry.login == user)
        }
        guard let entry, let login = entry.login ?? user else { return nil }
        return RequestCredentials(user: login, password: entry.password ?? "", scheme: scheme)
    }

    /// The words of a file: those in quotes may have blanks, comments go to the end of their line, and a macro to the next
    /// empty line.
    private static func words(of text: String) throws(SessionError) -> [String] {
        var words: [String] = []
        var isInMacro = false
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            if ByteText.trimmed(line).isEmpty { isInMacro = false }
            var rest = isInMacro ? "" : line
            while let first = rest.first {
                if first == "#" { break }
                if first == " " || first == "\t" {
                    rest = rest.dropFirst()
                } else if first == "\"" {
                    words.append(try quoted(&rest))
                } else {
                    let word = rest.prefix { $0 != " " && $0 != "\t" }
                    rest = rest.dropFirst(word.count)
                    if word == "macdef" {
                        isInMacro = true
                        break
                    }
                    words.append(String(word))
                }
            }
        }
        return words
    }

    /// Takes a word in quotes, in which a backslash stands in front of what is meant.
    private static func quoted(_ rest: inout Substring) throws(SessionError) -> String {
        rest = rest.dropFirst()
        var word = ""
        while let next = rest.popFirst() {
            if next == "\"" { return word }
            guard next == "\\", let meant = rest.popFirst() else {
                word.append(next)
                continue
            }
            word.append(meant == "n" ? "\n" : meant == "t" ? "\t" : meant == "r" ? "\r" : meant)
        }
        throw SessionError(.invalidRequest, TrustReasons.netrcQuote)
    }
}
