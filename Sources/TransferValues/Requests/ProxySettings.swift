import SessionSupport

/// The proxies of requests by the scheme of their URLs, and the hosts that need none.
///
/// ```swift
/// var options = RequestOptions()
/// options.proxies = ProxySettings(try Proxy("http://proxy.example.org:3128"), exceptions: "localhost")
/// ```
public struct ProxySettings: Sendable, Equatable {
    /// The proxy of `http` URLs.
    public var http: Proxy?
    /// The proxy of `https` URLs.
    public var https: Proxy?
    /// Hosts without a proxy, separated by commas or blanks: names, which include their subdomains, addresses, networks
    /// such as `10.0.0.0/8`, patterns such as `*.example.com`, or `*` for all; `:port` after one limits it to that
    /// port.
    public var exceptions: String

    /// Creates settings with proxies by scheme.
    public init(http: Proxy? = nil, https: Proxy? = nil, exceptions: String = "") {
        (self.http, self.https, self.exceptions) = (http, https, exceptions)
    }

    /// Creates settings with one proxy for all requests; nil for none.
    public init(_ proxy: Proxy?, exceptions: String = "") {
        self.init(http: proxy, https: proxy, exceptions: exceptions)
    }

    /// The proxies of an environment, as curl reads it: `http_proxy` in lower case only, `https_proxy`, `all_proxy` and
    /// `no_proxy` in lower or upper case.
    ///
    /// Throws ``SessionError/Code/invalidRequest`` with the name of a variable that contains no proxy.
    public init(environment: [String: String]) throws(SessionError) {
        func value(_ name: String, _ other: String? = nil) -> (name: String, text: String)? {
            for name in [name, other].compactMap(\.self) {
                if let text = environment[name], !text.isEmpty { return (name, text) }
            }
            return nil
        }
        func proxy(_ found: (name: String, text: String)?) throws(SessionError) -> Proxy? {
            guard let found else { return nil }
            do throws(SessionError) {
                return try Proxy(found.text)
            } catch {
                throw SessionError(.invalidRequest, "\(found.name): \(error.message)")
            }
        }
        let all = value("all_proxy", "ALL_PROXY")
        // In a CGI program HTTP_PROXY is the client's header field Proxy, so an attacker could set it.
        http = try proxy(value("http_proxy") ?? all)
        https = try proxy(value("https_proxy", "HTTPS_PROXY") ?? all)
        exceptions = value("no_proxy", "NO_PROXY")?.text ?? ""
    }
}

/// A proxy: its address, its protocol and its credentials.
///
/// ```swift
/// let proxy = try Proxy("socks5://127.0.0.1:1080")
/// print(proxy)
/// ```
public struct Proxy: Sendable, Equatable {
    /// The protocol of a proxy.
    package enum Scheme: String, Sendable, CaseIterable {
        /// HTTP; requests for `https` URLs use a tunnel.
        case http
        /// HTTP over TLS.
        case https
        /// SOCKS 4 and 5; this side resolves host names.
        case socks4, socks5
        /// SOCKS 4a and 5; the proxy resolves host names.
        case socks4a, socks5h
    }

    package var scheme: Scheme
    /// Its host or address, IPv6 in brackets.
    package var host: String
    package var port: Int
    /// The user name for the proxy itself.
    package var user: String?
    /// The password for the proxy itself.
    package var password: String?

    /// Parses a text such as `socks5h://me:secret@proxy.example:1080`; the default is HTTP, on port 1080, or 443 with
    /// `https`.
    ///
    /// Throws ``SessionError/Code/invalidRequest`` for anything else.
    public init(_ text: String) throws(SessionError) {
        let url = text.contains("://") ? text : "http://" + text
        let scan = URLScan(url)
        let name = scan.scheme.map { ByteText.lowercased(url[$0]) } ?? ""
        guard let scheme = Scheme(rawValue: name == "socks" ? "socks4" : name) else {
            let known = Scheme.allCases.map(\.rawValue).joined(separator: ", ")
            throw SessionError(.invalidRequest, RequestValueErrors.proxyScheme(name, known: known))
        }
        guard let hostRange = scan.host, !hostRange.isEmpty, ["", "/"].contains(url[scan.path]),
            scan.query == nil, scan.fragment == nil,
            url[hostRange].utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "%") })
        else { throw SessionError(.invalidRequest, RequestValueErrors.proxyForm) }
        var port = scheme == .https ? 443 : 1080
        if let digits = scan.port.map({ url[$0] }), !digits.isEmpty {
            guard let number = ByteText.port(digits) else {
                throw SessionError(.invalidRequest, RequestValueErrors.proxyPort)
            }
            port = number
        }
        (self.scheme, host, self.port) = (scheme, ByteText.lowercased(url[hostRange]), port)
        guard let userInfo = scan.userInfo.map({ url[$0] }) else { return }
        let parts = userInfo.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        user = try Self.decoded(parts[0])
        password = parts.count > 1 ? try Self.decoded(parts[1]) : nil
    }

    /// Decodes percent signs; throws for control characters, which could end a line of a request.
    private static func decoded(_ text: Substring) throws(SessionError) -> String {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2).compactMap { ByteText.hexadecimalValue($0) }
            if byte == UInt8(ascii: "%"), digits.count == 2 {
                bytes.append(UInt8(digits[0]) << 4 | UInt8(digits[1]))
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        guard bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
            throw SessionError(.invalidRequest, RequestValueErrors.proxyUser)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Scheme, host and port, without credentials.
    package var endpoint: String { "\(scheme.rawValue)://\(host):\(port)" }
    /// Whether it reads plain HTTP requests and responds for their servers.
    package var readsRequests: Bool { scheme == .http || scheme == .https }
    /// Whether it resolves host names itself.
    package var resolvesNames: Bool { scheme != .socks4 && scheme != .socks5 }
}

extension Proxy: CustomStringConvertible, CustomReflectable {
    /// The proxy without its credentials.
    public var description: String { endpoint }

    /// Nothing beside the description.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
