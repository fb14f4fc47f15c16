/// Errors in a URL, in words that follow the argument.
enum URLUsage {
    static let empty = "empty; expected a URL such as https://host/file"
    static let hiddenPort = "invalid port; use 1 to 65535 (in a password write / as %2F, ? as %3F, # as %23)"

    static func word(_ text: String) -> String {
        let next = text.contains(" ") ? "write one such as https://host/file" : "for a host write http://\(text)/"
        return "not a URL; \(next)"
    }

    static func invalid(_ url: String) -> String {
        "invalid URL \"\(url)\"; write http://host/path or https://host/path"
    }

    static func unsupportedScheme(_ scheme: String) -> String { "unsupported scheme \"\(scheme)\"; use http or https" }

    static func noHost(_ url: String) -> String { "no host in \"\(url)\"; write https://host/path" }

    static func openAddress(_ url: String) -> String { "missing ] after the IPv6 address in \"\(url)\"" }

    static func textBehindAddress(_ url: String) -> String { "only :port may follow the IPv6 address in \"\(url)\"" }

    static func hostCharacters(_ host: String) -> String { "invalid character in host \"\(host)\"" }

    static func port(_ port: String) -> String { "invalid port \"\(port)\"; use 1 to 65535" }

    static func space(in url: String) -> String { "\"\(url)\" contains a space; write %20" }

    static func character(_ character: String, in url: String) -> String {
        "\"\(url)\" contains \(character); remove it or percent-encode it"
    }

    static let tab = "a tab"
    static let lineBreak = "a line break"
    static let notUTF8 = "bytes that are not UTF-8"
    static let control = "a control character"
}
