import Glibc

/// What is wrong with a request can be told before a task exists.
enum RequestValidation {
    static func check(_ request: TransferRequest) throws(SessionError) {
        try checkURL(request.url)
        guard !request.method.isEmpty, request.method.utf8.allSatisfy(isTokenByte) else {
            throw SessionError(.invalidRequest, "The method is not valid", failingURL: request.url)
        }
        for field in request.headers { try checkField(field, request.url) }
        if case .file(let path) = request.body { try checkBody(path, request.url) }
    }

    /// Only what makes a URL unusable at once; the engine parses it in full.
    private static func checkURL(_ url: String) throws(SessionError) {
        guard !url.isEmpty else { throw SessionError(.invalidURL, "The URL is empty") }
        guard url.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else {
            throw SessionError(.invalidURL, "The URL holds a space or a control character", failingURL: url)
        }
        guard let colon = url.utf8.firstIndex(of: UInt8(ascii: ":")) else {
            throw SessionError(.invalidURL, "The URL has no scheme", failingURL: url)
        }
        let scheme = url[..<colon].lowercased()
        guard scheme == "http" || scheme == "https" else {
            throw SessionError(.unsupportedScheme, "Only http and https are supported", failingURL: url)
        }
        let rest = url.utf8[colon...].dropFirst()
        let authority = rest.drop { $0 == UInt8(ascii: "/") }.prefix { byte in
            byte != UInt8(ascii: "/") && byte != UInt8(ascii: "?") && byte != UInt8(ascii: "#")
        }
        let at = authority.lastIndex(of: UInt8(ascii: "@"))
        let host = at.map { authority[authority.index(after: $0)...] } ?? authority
        guard rest.starts(with: "//".utf8), let first = host.first, first != UInt8(ascii: ":") else {
            throw SessionError(.invalidURL, "The URL has no host", failingURL: url)
        }
    }

    private static func checkField(_ field: HeaderFields.Field, _ url: String) throws(SessionError) {
        let isValueClean = field.value.utf8.allSatisfy { $0 != 0x0D && $0 != 0x0A && $0 != 0 }
        guard !field.name.isEmpty, field.name.utf8.allSatisfy(isTokenByte), isValueClean else {
            throw SessionError(
                .invalidHeader, "A header field holds a character that is not allowed", failingURL: url)
        }
    }

    private static func checkBody(_ path: String, _ url: String) throws(SessionError) {
        var facts = stat()
        guard stat(path, &facts) == 0, access(path, R_OK) == 0 else {
            let number = errno
            throw SessionError(
                .bodyUnreadable, "The file to send cannot be read: \(String(cString: strerror(number)))",
                failingURL: url, errno: number)
        }
        guard facts.st_mode & S_IFMT != S_IFDIR else {
            throw SessionError(.bodyUnreadable, "The file to send is a folder", failingURL: url, errno: EISDIR)
        }
    }

    /// A token of RFC 9110, 5.6.2.
    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default:
            "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}
