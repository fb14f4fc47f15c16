import CCurl
import SessionSupport

/// The parts of an absolute http or https URL, as libcurl reads it.
///
/// For comparing, naming and checking only: the request uses the text that the user gave.
struct ParsedURL: Sendable, Equatable {
    var scheme: String
    /// Lower case, no trailing dot, international names in their ASCII form; IPv6 in brackets, with its zone.
    var host: String
    /// The scheme's default if the text has none.
    var port: Int
    /// The path with its leading slash.
    var path: String
    var query: String?
    var fragment: String?
    /// Percent-encoded, like the password.
    var user: String?
    var password: String?

    /// Bytes of the longest accepted URL.
    static let byteLimit = 64 << 10

    var origin: Origin { Origin(scheme: scheme, host: host, port: port) }
    /// Path and query, as they are requested of the server.
    var target: String { path + (query.map { "?" + $0 } ?? "") }
    var hasUserinfo: Bool { user != nil || password != nil }

    /// True for a connection that is encrypted or stays on this machine, where no third party can read or change it.
    var isTrustworthy: Bool {
        scheme == "https" || host == "localhost" || host.hasSuffix(".localhost") || host == "[::1]"
            || host.hasPrefix("127.") && host.split(separator: ".").count == 4
                && host.utf8.allSatisfy { ByteText.isDigit($0) || $0 == UInt8(ascii: ".") }
    }

    /// Parses an absolute URL.
    ///
    /// Throws `invalidURL` or `unsupportedScheme`.
    init(_ text: String) throws(SessionError) {
        try Self.checkText(text)
        guard let handle = URLHandle() else { throw SessionError(.internal, EngineErrors.noURLMemory) }
        let result = handle.set(CURLUPART_URL, URLParser.escaped(text), flags: Int32(CURLU_NON_SUPPORT_SCHEME))
        guard result == CURLUE_OK else { throw Self.failure(result, text) }
        try self.init(handle, text: text)
    }

    /// Reads the contents of a handle.
    init(_ handle: borrowing URLHandle, text: String) throws(SessionError) {
        guard let scheme = handle.get(CURLUPART_SCHEME).map(ByteText.lowercased(_:)) else {
            throw Self.invalid(URLReasons.noScheme, text)
        }
        guard scheme == "http" || scheme == "https" else {
            throw SessionError(
                .unsupportedScheme, URLErrors.otherScheme(scheme, Redaction.url(text)), failingURL: text)
        }
        guard let given = handle.get(CURLUPART_HOST) else { throw Self.invalid(URLReasons.noHost, text) }
        guard var host = handle.asciiForm(ofHost: given).map(ByteText.lowercased(_:)) else {
            throw Self.invalidHost(text)
        }
        // The same address in another zone is another machine (RFC 6874).
        if let zone = handle.get(CURLUPART_ZONEID), host.hasSuffix("]") { host = host.dropLast() + "%25" + zone + "]" }
        if host.hasSuffix(".") { host.removeLast() }
        guard !host.isEmpty else { throw Self.invalid(URLReasons.noHost, text) }
        guard let port = handle.get(CURLUPART_PORT, flags: Int32(CURLU_DEFAULT_PORT)).flatMap({ Int($0) }), port > 0
        else { throw Self.invalid(URLReasons.port, text) }
        self.scheme = scheme
        self.host = host
        self.port = port
        path = handle.get(CURLUPART_PATH) ?? "/"
        query = handle.get(CURLUPART_QUERY)
        fragment = handle.get(CURLUPART_FRAGMENT)
        user = handle.get(CURLUPART_USER)
        password = handle.get(CURLUPART_PASSWORD)
    }

    /// Refuses text that must not reach libcurl: too long, or with control characters, which could inject a header.
    static func checkText(_ text: String) throws(SessionError) {
        let bytes = text.utf8Span.span
        guard bytes.count <= byteLimit else {
            throw SessionError(.invalidURL, URLErrors.tooLong(byteLimit))
        }
        for index in bytes.indices where bytes[index] < 0x20 || bytes[index] == 0x7F {
            throw SessionError(.invalidURL, URLErrors.controlCharacter, failingURL: text)
        }
    }

    static func failure(_ code: CURLUcode, _ text: String) -> SessionError {
        invalid(code == CURLUE_BAD_PORT_NUMBER ? URLReasons.port : String(cString: curl_url_strerror(code)), text)
    }

    static func invalidHost(_ text: String) -> SessionError {
        invalid(URLReasons.hostName, text)
    }

    private static func invalid(_ reason: String, _ text: String) -> SessionError {
        SessionError(.invalidURL, URLErrors.invalid(Redaction.url(text), reason), failingURL: text)
    }
}
