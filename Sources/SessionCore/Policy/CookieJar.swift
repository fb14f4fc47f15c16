import SessionSupport

/// Cookies in memory, sent back by the rules of RFC 6265, and their files in Netscape's format.
///
/// A cookie goes back to the host that set it, and with a `Domain` to the hosts of that domain, unless it is a public
/// suffix such as `co.uk` or `github.io`. A file states the hosts of its cookies. Safe from any thread.
///
/// ```swift
/// var configuration = SessionConfiguration.default
/// configuration.options = RequestOptions()
/// configuration.options?.cookies = CookieJar()
/// let manager = SessionManager(configuration: configuration)
/// ```
public final class CookieJar: CookieStore {
    struct Cookie: Sendable, Equatable {
        var name: String
        var value: String
        /// Lower case, without a leading dot.
        var host: String
        /// True if subdomains get it too.
        var includesSubdomains = false
        var path = "/"
        var isSecure = false
        var isHTTPOnly = false
        /// Seconds since 1970; nil for a cookie that ends with the session.
        var expiry: Int64?
    }

    /// Beyond this, the host's oldest cookie is dropped.
    private static let limitPerHost = 50
    /// The limit of all hosts together; beyond it, the oldest cookie is dropped.
    private static let limit = 3_000
    /// Bytes of a cookie's name and value together, and of its path.
    private static let byteLimit = 4096
    /// Cookies that one response may set; curl's limit.
    private static let limitPerAnswer = 50
    /// Bytes of a request's Cookie field; curl's limit, because servers refuse a longer one.
    private static let fieldLimit = 8_190

    private let now: @Sendable () -> Int64
    private let cookies = Locked<[Cookie]>([])

    /// Creates an empty jar; the clock returns seconds since 1970.
    package init(now: @escaping @Sendable () -> Int64) {
        self.now = now
        CookieScope.prepare()
    }

    // MARK: - Requests and responses

    /// Returns the cookies for a request, longest paths first; nil for none.
    public func field(for url: String) -> String? {
        let isEmpty = cookies.withLock { $0.isEmpty }
        guard !isEmpty, let resource = try? ParsedURL(url) else { return nil }
        let time = now()
        let fitting = cookies.withLock { all in
            all.filter { $0.fits(resource) && $0.expiry.map { $0 > time } ?? true }
        }
        guard !fitting.isEmpty else { return nil }
        let order = fitting.enumerated().sorted {
            ($1.element.path.utf8.count, $0.offset) < ($0.element.path.utf8.count, $1.offset)
        }
        var field = ""
        for (_, cookie) in order {
            let pair = cookie.name + "=" + cookie.value
            guard field.utf8.count + pair.utf8.count + 2 <= Self.fieldLimit else { continue }
            field += field.isEmpty ? pair : "; " + pair
        }
        return field.isEmpty ? nil : field
    }

    /// Stores, replaces and removes cookies as a response demands.
    public func store(_ fields: [String], from url: String) {
        guard !fields.isEmpty, let resource = try? ParsedURL(url) else { return }
        let time = now()
        for field in fields.prefix(Self.limitPerAnswer) {
            guard let cookie = Cookie(field: field, from: resource, now: time),
                resource.isTrustworthy || !hidesSecure(cookie)
            else { continue }
            keep(cookie, now: time)
        }
    }

    /// Returns whether a plain server's cookie would replace a secure one, or be sent next to it, at some host.
    private func hidesSecure(_ cookie: Cookie) -> Bool {
        cookies.withLock { all in
            all.contains { known in
                known.isSecure && known.name == cookie.name && known.fits(path: cookie.path)
                    && (Cookie.isHost(known.host, within: cookie.host)
                        || Cookie.isHost(cookie.host, within: known.host))
            }
        }
    }

    private func keep(_ cookie: Cookie, now: Int64) {
        guard cookie.name.utf8.count + cookie.value.utf8.count <= Self.byteLimit,
            cookie.path.utf8.count <= Self.byteLimit
        else { return }
        cookies.withLock { all in
            all.removeAll { $0.isReplaced(by: cookie) }
            if let expiry = cookie.expiry, expiry <= now { return }
            if all.count(where: { $0.host == cookie.host }) >= Self.limitPerHost,
                let oldest = all.firstIndex(where: { $0.host == cookie.host })
            {
                all.remove(at: oldest)
            }
            if all.count >= Self.limit { all.removeFirst() }
            all.append(cookie)
        }
    }

    // MARK: - Files

    /// The counts of a cookie file's lines.
    package struct FileContents: Sendable, Equatable {
        package var cookies = 0
        /// Lines that are neither cookies nor comments.
        package var unreadableLines = 0
    }

    /// Adds the cookies of a file: one per line, with seven parts separated by tabs.
    ///
    /// A `Set-Cookie` field names no host, so it is not read.
    @discardableResult
    package func add(file text: String) -> FileContents {
        let time = now()
        var contents = FileContents()
        for line in text.split(whereSeparator: \.isNewline) where !Cookie.isComment(line) {
            guard let cookie = Cookie(line: line) else {
                contents.unreadableLines += 1
                continue
            }
            contents.cookies += 1
            keep(cookie, now: time)
        }
        return contents
    }

    /// The text of a cookie file, including cookies that end with the session, in curl's format.
    package var file: String {
        let time = now()
        let kept = cookies.withLock { all in all.filter { $0.expiry.map { $0 > time } ?? true } }
        let head = [CookieFileLines.form, CookieFileLines.warning, ""]
        return (head + kept.map(\.line)).map { $0 + "\n" }.joined()
    }
}

extension CookieJar.Cookie {
    /// Reads a `Set-Cookie` field; nil for an invalid one, or one that its sender must not set.
    init?(field: String, from resource: ParsedURL, now: Int64) {
        let parts = field.split(separator: ";", omittingEmptySubsequences: false)
        guard let first = parts.first, let equals = first.firstIndex(of: "=") else { return nil }
        self.init(
            name: ByteText.trimmed(first[..<equals]), value: ByteText.trimmed(first[first.index(after: equals)...]),
            host: resource.host)
        guard !name.isEmpty, Self.isPlain(name), Self.isPlain(value) else { return nil }
        path = Self.folder(of: resource.path)
        var age: Int64?
        var domain = ""
        for part in parts.dropFirst() {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let value = pair.count > 1 ? ByteText.trimmed(pair[1]) : ""
            switch ByteText.lowercased(ByteText.trimmed(pair[0])) {
            case "path": path = value.hasPrefix("/") && Self.isPlain(value) ? value : Self.folder(of: resource.path)
            case "secure": isSecure = true
            case "httponly": isHTTPOnly = true
            case "max-age": age = Self.age(value) ?? age
            case "expires": expiry = HTTPDate.cookieSeconds(value) ?? expiry
            case "domain": domain = value
            default: break
            }
        }
        if let age { expiry = age <= 0 ? 0 : now + min(age, 400 * 86_400) }
        guard !isSecure || resource.isTrustworthy, hasItsPrefix(domain: domain),
            let scope = CookieScope(domain: domain, setBy: resource.host)
        else { return nil }
        if case .domain(let name) = scope { (host, includesSubdomains) = (name, true) }
    }

    /// Returns whether the cookie keeps the promise of its name's prefix, `__Host-` or `__Secure-`.
    private func hasItsPrefix(domain: String) -> Bool {
        if name.hasPrefix("__Host-") { return isSecure && path == "/" && domain.isEmpty }
        return isSecure || !name.hasPrefix("__Secure-")
    }

    /// Reads a line of a cookie file; nil for a comment or an invalid line.
    init?(line: Substring) {
        var line = line
        let isHTTPOnly = line.hasPrefix(Self.hiddenMark)
        if isHTTPOnly { line = line.dropFirst(Self.hiddenMark.count) }
        guard !line.hasPrefix("#") else { return nil }
        let parts = line.split(separator: "\t", omittingEmptySubsequences: false)
        guard parts.count == 6 || parts.count == 7, let expiry = Self.expiry(ofFile: parts[4]) else { return nil }
        self.init(
            name: String(parts[5]), value: parts.count == 7 ? String(parts[6]) : "",
            host: ByteText.lowercased(parts[0].drop { $0 == "." }))
        includesSubdomains = ByteText.lowercased(parts[1]) == "true"
        path = parts[2].hasPrefix("/") ? String(parts[2]) : "/"
        isSecure = ByteText.lowercased(parts[3]) == "true"
        self.isHTTPOnly = isHTTPOnly
        self.expiry = expiry > 0 ? expiry : nil
        guard !host.isEmpty, !name.isEmpty, Self.isPlain(name), Self.isPlain(value) else { return nil }
    }

    /// Starts a line whose cookie is hidden from scripts; any other `#` starts a comment.
    private static let hiddenMark = "#HttpOnly_"

    /// Returns whether a line is blank or a comment.
    static func isComment(_ line: Substring) -> Bool {
        ByteText.trimmed(line).isEmpty || line.hasPrefix("#") && !line.hasPrefix(hiddenMark)
    }

    /// Reads a file's expiry in seconds, without a fraction; nil if it is not a number.
    ///
    /// Some programs write -1 for a cookie that ends with the session, which is 0 here.
    private static func expiry(ofFile text: Substring) -> Int64? {
        let isNegative = text.hasPrefix("-")
        let parts = text.dropFirst(isNegative ? 1 : 0).split(
            separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard !parts[0].isEmpty, parts.allSatisfy({ $0.utf8.allSatisfy(ByteText.isDigit) }) else { return nil }
        return isNegative ? 0 : ByteText.decimal(parts[0]) ?? .max
    }

    /// Reads the seconds of a `Max-Age`; a negative number expires the cookie at once, and other text is ignored (RFC
    /// 6265, 5.2.2).
    private static func age(_ value: String) -> Int64? {
        let digits = value.hasPrefix("-") ? value.dropFirst() : value[...]
        guard !digits.isEmpty, digits.utf8.allSatisfy(ByteText.isDigit) else { return nil }
        return value.hasPrefix("-") ? 0 : ByteText.decimal(digits) ?? .max
    }

    var line: String {
        let words = [
            (isHTTPOnly ? "#HttpOnly_" : "") + (includesSubdomains ? "." : "") + host,
            includesSubdomains ? "TRUE" : "FALSE", path, isSecure ? "TRUE" : "FALSE", String(expiry ?? 0), name, value,
        ]
        return words.joined(separator: "\t")
    }

    /// Returns whether a request for a URL gets the cookie.
    func fits(_ resource: ParsedURL) -> Bool {
        let isItsHost = includesSubdomains ? Self.isHost(resource.host, within: host) : resource.host == host
        return isItsHost && (!isSecure || resource.isTrustworthy) && fits(path: resource.path)
    }

    /// Returns whether requests for a path get the cookie.
    func fits(path other: String) -> Bool {
        guard other.hasPrefix(path) else { return false }
        let rest = other.dropFirst(path.count)
        return rest.isEmpty || path.hasSuffix("/") || rest.hasPrefix("/")
    }

    /// Returns whether a name is the domain or a host in it.
    static func isHost(_ name: String, within domain: String) -> Bool {
        name == domain || name.hasSuffix(domain) && name.dropLast(domain.count).hasSuffix(".")
    }

    /// Returns whether another cookie replaces this one: cookies for a host and for the domain of that name coexist, as
    /// in browsers.
    func isReplaced(by other: Self) -> Bool {
        name == other.name && host == other.host && path == other.path && includesSubdomains == other.includesSubdomains
    }

    /// Returns whether a text can be part of a header field and of a line of a file.
    private static func isPlain(_ text: String) -> Bool { text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } }

    /// Returns the default path of a cookie without one (RFC 6265, 5.1.4).
    private static func folder(of path: String) -> String {
        guard path.hasPrefix("/"), let last = path.lastIndex(of: "/"), last > path.startIndex else { return "/" }
        return String(path[..<last])
    }
}
