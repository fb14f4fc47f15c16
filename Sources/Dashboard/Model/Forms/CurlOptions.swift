import SessionSupport

/// The options of requests in the words of curl.
package enum CurlOptions {
    /// The names in curl of options that have others here; the first one is written.
    private static let names: [JobOption: [String]] = [
        .proxy: ["--proxy", "-x"], .proxyUser: ["--proxy-user", "-U"], .certificate: ["--cert", "-E"],
        .pin: ["--pinnedpubkey"], .insecure: ["--insecure", "-k"], .user: ["--user", "-u"],
        .bearer: ["--oauth2-bearer"], .netrc: ["--netrc", "-n"], .cookieJar: ["--cookie-jar", "-c"],
        .cookie: ["--cookie", "-b"], .ipv4: ["--ipv4", "-4"], .ipv6: ["--ipv6", "-6"],
        .maximumTime: ["--max-time", "-m"], .leastSpeed: ["--speed-limit", "-Y"],
        .leastSpeedTime: ["--speed-time", "-y"],
        .remoteTime: ["--remote-time", "-R"],
        .form: ["--form", "-F"], .jsonBody: ["--json"], .userAgent: ["--user-agent", "-A"],
        .referer: ["--referer", "-e"],
        // Curl waits for an answer as long as it takes, repeats nothing by itself and gives each file one connection.
        .answerTimeout: [], .resend: [],
        .connections: [], .minimumSegment: [], .mirror: [], .length: [],
    ]

    private static let byName: [String: JobOption] = {
        var result: [String: JobOption] = [:]
        for option in JobOption.allCases {
            for name in names[option] ?? ["--" + option.rawValue] { result[name] = option }
        }
        return result
    }()

    /// The option that a word of curl stands for; nil for another one.
    static func option(named word: String) -> JobOption? { byName[word] }

    /// The name that curl has for an option.
    static func name(of option: JobOption) -> String { names[option]?.first ?? "--" + option.rawValue }

    /// The words of a curl command for options, as a shell reads them.
    package static func words(of options: [JobOption.Value]) -> [String] {
        options.flatMap { value -> [String] in
            guard names[value.option]?.isEmpty != true else { return [] }
            let name = name(of: value.option)
            return value.option.operand == .none ? [name] : [name, word(value)]
        }
    }

    /// A value as a word; the place of a secret becomes what a shell reads there.
    private static func word(_ value: JobOption.Value) -> String {
        guard value.option.isSecret else { return quoted(value.text) }
        if let place = SecretPlace(value.text) { return expansion(of: place) }
        guard value.option != .bearer, value.option != .keyPassword, let colon = value.text.firstIndex(of: ":"),
            let place = SecretPlace(String(value.text[value.text.index(after: colon)...]))
        else { return quoted(value.text) }
        return quoted(String(value.text[...colon])) + expansion(of: place)
    }

    private static func expansion(of place: SecretPlace) -> String {
        switch place {
        case .environment(let name): "\"${\(name)}\""
        case .file(let path): "\"$(cat \(quoted(path)))\""
        }
    }

    /// A word in quotes, which a shell leaves as it is.
    package static func quoted(_ text: String) -> String {
        "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}

/// Text as it stands in a form of `application/x-www-form-urlencoded`.
package enum FormText {
    /// The text with everything but letters, digits and `-._~` in percent signs, as curl writes it.
    package static func encoded(_ bytes: some Sequence<UInt8>) -> String {
        var result: [UInt8] = []
        for byte in bytes {
            if ByteText.isLetter(byte) || ByteText.isDigit(byte) || "-._~".utf8.contains(byte) {
                result.append(byte)
            } else {
                result.append(UInt8(ascii: "%"))
                result += ByteText.hexadecimal(CollectionOfOne(byte)).uppercased().utf8
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
