import Dashboard
import SessionSupport

/// Checks and completes typed URLs.
///
/// The text itself is never rewritten.
enum URLText {
    /// Sets a job's URL to a typed one.
    static func set(_ text: String, of job: inout Job, label: String) throws(UsageError) {
        job.url = try checked(text, label: label)
        if job.url.utf8.count != text.utf8.count { job.guessesScheme = true }
    }

    /// Returns whether a text is a bare word, like commands and methods, instead of a URL; the host `localhost` is a
    /// URL.
    static func isWord(_ text: String) -> Bool {
        !text.isEmpty && text != "localhost" && !text.contains { ".:/[{?".contains($0) }
    }

    /// Sets a job's URL to an operand of the command line; throws for a bare word.
    static func setOperand(_ text: String, of job: inout Job) throws(UsageError) {
        let text = withoutHandler(text)
        guard !isWord(text) else { throw UsageError(argument: text, URLUsage.word(text)) }
        try set(text, of: &job, label: "URL")
    }

    /// The URL behind `netdash:`, with which a desktop hands links to the program.
    private static func withoutHandler(_ text: String) -> String {
        let scheme = "netdash:"
        let rest = text.dropFirst(scheme.count)
        guard text.lowercased().hasPrefix(scheme), rest.contains("://") else { return text }
        return String(rest)
    }

    /// The URL with a scheme; throws its problem.
    ///
    /// `label` names the argument in the message.
    static func checked(_ text: String, label: String) throws(UsageError) -> String {
        guard !text.isEmpty else {
            throw UsageError(argument: label, URLUsage.empty)
        }
        if isPlain(text) { return text }
        if let bad = text.unicodeScalars.first(where: { isForbidden($0) }) {
            throw UsageError(argument: label, problem(of: bad, in: redacted(text)))
        }
        let complete = try withScheme(text, label: label)
        try checkAuthority(of: complete, label: label)
        return complete
    }

    /// Returns whether a URL is so ordinary that it needs no closer check: scheme, host name, optional port, path.
    ///
    /// Nearly all URLs are, and a list may have a hundred thousand of them.
    static func isPlain(_ text: String) -> Bool {
        text.utf8.withContiguousStorageIfAvailable { isPlain($0[...]) } ?? false
    }

    /// The same check for bytes.
    static func isPlain(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        let scheme: StaticString =
            text.count > 4 && text[text.startIndex + 4] == UInt8(ascii: "s") ? "https://" : "http://"
        guard text.count > scheme.utf8CodeUnitCount,
            scheme.withUTF8Buffer({ scheme in zip(scheme, text).allSatisfy(==) })
        else { return false }
        let rest = UnsafeBufferPointer(rebasing: text.dropFirst(scheme.utf8CodeUnitCount))
        let host = rest.prefix { isHostByte($0) }
        var path = rest.dropFirst(host.count)
        if path.first == UInt8(ascii: ":") {
            let port = path.dropFirst().prefix { ByteText.isDigit($0) }
            path = path.dropFirst(port.count + 1)
            guard ByteText.port(bytes: port) != nil else { return false }
        }
        return !host.isEmpty && path.first == UInt8(ascii: "/") && path.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    }

    private static func isHostByte(_ byte: UInt8) -> Bool {
        ByteText.isLetter(byte) || ByteText.isDigit(byte) || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-")
    }

    // MARK: - Helpers

    private static func withScheme(_ text: String, label: String) throws(UsageError) -> String {
        switch TypedURL(text) {
        case .url(let url): return url
        case .otherScheme(let scheme): throw UsageError(argument: label, URLUsage.unsupportedScheme(scheme))
        case .invalid: throw UsageError(argument: label, URLUsage.invalid(redacted(text)))
        }
    }

    private static func checkAuthority(of url: String, label: String) throws(UsageError) {
        guard let problem = URLAuthority.problem(of: url) else { return }
        let sentence =
            switch problem {
            case .noHost: URLUsage.noHost(redacted(url))
            case .openAddress: URLUsage.openAddress(redacted(url))
            case .textBehindAddress: URLUsage.textBehindAddress(redacted(url))
            case .hostCharacters(let host): URLUsage.hostCharacters(host)
            case .port(let port) where port.utf8.allSatisfy(ByteText.isDigit):
                URLUsage.port(port)
            // It may be half of a password.
            case .port: URLUsage.hiddenPort
            }
        throw UsageError(argument: label, sentence)
    }

    private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value <= 0x20 || (0x7F...0x9F).contains(scalar.value) || scalar == "\u{FFFD}"
    }

    private static func problem(of scalar: Unicode.Scalar, in url: String) -> String {
        switch scalar {
        case " ": URLUsage.space(in: url)
        case "\t": URLUsage.character(URLUsage.tab, in: url)
        case "\n", "\r": URLUsage.character(URLUsage.lineBreak, in: url)
        case "\u{FFFD}": URLUsage.character(URLUsage.notUTF8, in: url)
        default: URLUsage.character(URLUsage.control, in: url)
        }
    }

    private static func redacted(_ text: String) -> String { Redaction.url(text) }
}
