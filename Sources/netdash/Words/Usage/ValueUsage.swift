/// Errors in the value of an option, a setting or a line of a list, in words that follow the name.
enum ValueUsage {
    static let emptyCommand = "empty; expected a shell command"
    static let emptyPath = "empty; expected a path"
    static let noOpenCommand = "empty; expected a command such as xdg-open"
    static let notUTF8 = "the path has bytes that are not UTF-8; rename the file, or choose another name"
    static let nul = "contains a NUL byte"
    static let bodyWithoutFile = "@ needs a file; write @FILE, or @- for standard input"
    static let headerWithoutColon = "header without a colon; write 'Name: value'"

    static let noProfile = "empty; expected the name of a profile"
    static let emptyGlob = "empty pattern; write one such as *.iso, several between commas"

    static func empty(_ word: String, forNo kind: String) -> String { "empty; for no \(kind) write \(word)" }

    static func twice(_ word: String) -> String { "\"\(word)\" is listed twice" }

    static func notNumber(_ text: String, from low: Int, to high: Int) -> String {
        "\"\(text)\" is not a whole number from \(low) to \(high)"
    }

    static func notSeconds(_ text: String) -> String { "\"\(text)\" is not a number of seconds from 0.1 to 86400" }

    static func rate(_ text: String, problem: String) -> String { "\"\(text)\" \(problem)" }

    static func order(_ text: String, columns: String) -> String {
        "invalid sort order \"\(text)\"; use one of \(columns), and reversed after it for the opposite"
    }

    static func role(_ word: String, hint: String) -> String { "unknown role \"\(word)\"; \(hint)" }
    static let seeRoles = "see netdash-config(5)"

    static func style(_ text: String) -> String {
        "invalid look \"\(text)\"; write a colour such as red or default, and bold, dim, reverse or underline"
    }

    static func view(_ text: String) -> String {
        "invalid view \"\(text)\"; write a name, then | and tab, states, sort, group, and at the end filter"
    }

    static func session(_ text: String) -> String {
        "invalid session name \"\(text)\"; use 1 to 64 letters, digits, -, _ and ., the first one no dot"
    }

    static func headerName(_ name: String) -> String { "invalid header name \"\(name)\"; write 'Name: value'" }

    static func headerValue(_ name: String) -> String {
        "the value of \"\(name)\" contains a line break or control character"
    }

    static func method(_ text: String) -> String { "invalid method \"\(text)\"; use a word such as GET, POST or PUT" }

    static func checksum(_ text: String) -> String { "\"\(text)\" is not ALGO=HEX, such as sha-256=9f86d0…" }

    static func hash(_ name: String, known: String) -> String { "unknown hash \"\(name)\"; use one of \(known)" }

    static func digest(_ text: String, _ algorithm: String, digits: Int) -> String {
        "invalid digest \"\(text)\"; \(algorithm) has \(digits) hexadecimal digits"
    }
}
