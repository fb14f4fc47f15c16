/// Who answers: scheme, host and port.
///
/// Credentials never leave the origin they were given for.
struct Origin: Sendable, Hashable, CustomStringConvertible {
    let scheme: String
    let host: String
    let port: Int

    init(scheme: String, host: String, port: Int) {
        self.scheme = scheme
        self.host = host
        self.port = port
    }

    /// The origin of an absolute URL.
    ///
    /// Throws `invalidURL` or `unsupportedScheme`.
    init(_ url: String) throws(SessionError) {
        self = try ParsedURL(url).origin
    }

    var description: String { "\(scheme)://\(host):\(port)" }
}
