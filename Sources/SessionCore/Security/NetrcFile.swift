import SessionSupport

/// The names and passwords of a `.netrc` file, by machine.
///
/// Only the machine of the URL counts, and `default` for all others; macros are skipped.
package struct NetrcFile: Sendable, Equatable {
    /// One machine's entry in the file.
    struct Entry: Sendable, Equatable {
        /// The host of the entry; nil for every machine.
        var machine: String?
        var login: String?
        var password: String?
    }

    let entries: [Entry]

    /// Parses a file's text; throws ``SessionError/Code/invalidRequest`` with the unreadable word.
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

    /// True if the file has a password, so that other users should not be able to read it.
    package var hasPasswords: Bool { entries.contains { $0.password != nil } }

    /// Returns the name and the password for a host; nil for none.
    ///
    /// Given a name, only that name's password counts.
    package func credentials(
        host: String, user: String? = nil, scheme: RequestCredentials.Scheme = .basic
    ) -> RequestCredentials? {
        let name = HostCredentials.name(of: host)
        let entry = entries.first { entry in
            (entry.machine == nil || entry.machine == name) && (user == nil || entry.login == user)
        }
        guard let entry, let login = entry.login ?? user else { return nil }
        return RequestCredentials(user: login, password: entry.password ?? "", scheme: scheme)
    }

    /// The names and passwords for servers that a redirect leads to from a URL; nil for none.
    ///
    /// Unlike curl, `default` is not for them: it would be for every server that another one has chosen. On the URL's
    /// own host the name in the URL selects the entry, as for the first request.
    package func others(than url: String, user: String?, scheme: RequestCredentials.Scheme) -> HostCredentials? {
        let first = URLScan(url).host.map { HostCredentials.name(of: url[$0]) }
        let logins = entries.compactMap { entry -> (String, HostCredentials.Login)? in
            guard let machine = entry.machine, let login = entry.login, let password = entry.password,
                machine != first || user == nil || login == user
            else { return nil }
            return (machine, HostCredentials.Login(user: login, password: password))
        }
        guard !logins.isEmpty else { return nil }
        return HostCredentials(Dictionary(logins, uniquingKeysWith: { first, _ in first }), scheme: scheme, first: url)
    }

    /// Splits a file into words: quoted words may have blanks, a comment ends with its line, and a macro with the next
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

    /// Reads a quoted word, in which a backslash escapes the next character.
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
