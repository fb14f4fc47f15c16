/// What is wrong with a request can be told before a task exists.
enum RequestValidation {
    static func check(_ request: TransferRequest) throws(SessionError) {
        try checkURL(request.url)
        do throws(SessionError) {
            try HeaderValidator.validate(method: request.method)
            try HeaderValidator.validate(request.headers)
            // Opened and closed again: what cannot be opened now is the caller's mistake, not the network's.
            if case .file(let path) = request.body { _ = try FileBodySource(path: path) }
        } catch {
            var error = error
            error.failingURL = request.url
            throw error
        }
    }

    /// Only what makes a URL unusable at once; the engine parses it in full, which costs more than creating a task should.
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
        let authority = rest.dropFirst(2).prefix { byte in
            byte != UInt8(ascii: "/") && byte != UInt8(ascii: "?") && byte != UInt8(ascii: "#")
        }
        let at = authority.lastIndex(of: UInt8(ascii: "@"))
        let host = at.map { authority[authority.index(after: $0)...] } ?? authority
        guard rest.starts(with: "//".utf8), let first = host.first, first != UInt8(ascii: ":") else {
            throw SessionError(.invalidURL, "The URL has no host", failingURL: url)
        }
    }
}
