import SessionSupport

/// Cookies in memory, sent back as RFC 6265 says, and their files in the form that Netscape began.
///
/// A cookie goes back to the host that set it, and with a `Domain` to the hosts of that domain, unless it is a public suffix
/// such as `co.uk` or `github.io`. One of a file belongs where the file says. Safe from any thread.
///
/// ```swift
/// var configuration = SessionConfiguration.default
/// configuration.options = RequestOptions()
/// configuration.options?.cookies = CookieJar()
/// let manager = SessionManager(configuration: configuration)
/// ```
public final class CookieJar: CookieStore {
    /// One cookie.
    struct Cookie: Sendable, Equatable {
        var name: String
        var value: String
        /// Small letters, without the dot in front.
        var host: String
        /// Whether hosts below it get it too.
        var includesSubdomains = false
        var path = "/"
        var isSecure = false
        var isHTTPOnly = false
        /// Seconds since 1970; nil for one that ends with the session.
        var expiry: Int64?
    }

    /// Cookies of one host that are kept; older ones go first.
    private static let limitPerHost = 50
    /// Cookies that are kept in all; the oldest go first.
    private static let limit = 3_000
    /// Bytes of a cookie's name and value together, and of its path.
    private static let byteLimit = 4096
    /// Cookies that one answer may set, as many as with curl.
    private static let limitPerAnswer = 50
    /// Bytes of the field that a request gets, as many as with curl; a server refuses one that is longer.
    private static let fieldLimit = 8_190

    private let now: @Sendable () -> Int64
    private let cookies = Locked<[Cookie]>([])

    /// An empty jar; the clock gives seconds since 1970.
    package init(now: @escaping @Sendable () -> Int64) {
        self.now = now
        CookieScope.prepare()
    }

    // MARK: - Requests and answers

    /// The cookies for a request, those of longer paths first.
    public func field(for url: String) -> String? {
        let isEmpty = cookies.withLock { $0.isEmpty }
        guard !isEmpty, let place = try? ParsedURL(url) else { return nil }
        let time = now()
        let fitting = cookies.withLock { all in
            all.filter { $0.fits(place) && $0.expiry.map { $0 > time } ?? true }
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

    /// Keeps, replaces and removes cookies as an answer says.
    public func store(_ fields: [String], from url: String) {
        guard !fields.isEmpty, let place = try? ParsedURL(url) else { return }
        let time = now()
        for field in fields.prefix(Self.limitPerAnswer) {
            guard let cookie = Cookie(field: field, from: place, now: time),
                place.isTrustworthy || !hidesSecure(cookie)
            else { continue }
            keep(cookie, now: time)
        }
    }

    /// Whether a cookie of a plain server would take the place of a secure one, or be sent beside it, at some host.
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

    /// What a file of cookies has.
    package struct FileContents: Sendable, Equatable {
        /// The lines that are cookies.
        package var cookies = 0
        /// The lines that are neither cookies nor comments.
        package var unreadableLines = 0
    }

    /// Adds the cookies of a file: a line each, seven parts between tabs.
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

    /// The text of a file that has the cookies, those included that end with the session, as curl writes them.
    package var file: String {
        let time = now()
        let kept = cookies.withLock { all in all.filter { $0.expiry.map { $0 > time } ?? true } }
        let head = [CookieFileLines.form, CookieFileLines.warning, ""]
        return (head + kept.map(\.line)).map { $0 + "\n" }.joined()
    }
}

extension CookieJar.Cookie {
    /// The cookie of a `Set-Cookie` field; nil for one that is none, or that its sender must not set.
    init?(field: String, from place: ParsedURL, now: Int64) {
        let parts = field.split(separator: ";", omittingEmptySubsequences: false)
        guard let first = parts.first, let equals = first.firstIndex(of: "=") else { return nil }
        self.init(
            name: ByteText.trimmed(first[..<equals]), value: ByteText.trimmed(first[first.index(after: equals)...]),
            host: place.host)
        guard !name.isEmpty, Self.isPlain(name), Self.isPlain(value) else { return nil }
        path = Self.folder(of: place.path)
        var age: Int64?
        var domain = ""
        for part in parts.dropFirst() {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let value = pair.count > 1 ? ByteText.trimmed(pair[1]) : ""
            switch ByteText.lowercased(ByteText.trimmed(pair[0])) {
            case "path": path = value.hasPrefix("/") && Self.isPlain(value) ? value : Self.folder(of: place.path)
            case "secure": isSecure = true
            case "httponly": isHTTPOnly = true
            case "max-age": age = Self.age(value) ?? age
            case "expires": expiry = HTTPDate.cookieSeconds(value) ?? expiry
            case "domain": domain = value
            default: break
            }
        }
        if let age { expiry = age <= 0 ? 0 : now + min(age, 400 * 86_400) }
        guard !isSecure || place.isTrustworthy, hasItsPrefix(domain: domain),
            let scope = CookieScope(domain: domain, setBy: place.host)
        else { return nil }
        if case .domain(let name) = scope { (host, includesSubdomains) = (name, true) }
    }

    /// Whether it has what the beginning of its name promises.
    private func hasItsPrefix(domain: String) -> Bool {
        if name.hasPrefix("__Host-") { return isSecure && path == "/" && domain.isEmpty }
        return isSecure || !name.hasPrefix("__Secure-")
    }

    /// The cookie of a file's line; nil for a comment and for what is none.
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

    /// Stands in front of a line whose cookie scripts do not see; any other `#` begins a comment.
    private static let hiddenMark = "#HttpOnly_"

    /// Whether a line of a file says nothing of a cookie.
    static func isComment(_ line: Substring) -> Bool {
        ByteText.trimmed(line).isEmpty || line.hasPrefix("#") && !line.hasPrefix(hiddenMark)
    }

    /// The seconds that a file gives, without a fraction; nil for what is no number.
    ///
    /// Some programs write -1 for a cookie that ends with the session, which is 0 here.
    private static func expiry(ofFile text: Substring) -> Int64? {
        let isNegative = text.hasPrefix("-")
        let parts = text.dropFirst(isNegative ? 1 : 0).split(
            separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard !parts[0].isEmpty, parts.allSatisfy({ $0.utf8.allSatisfy(ByteText.isDigit) }) else { return nil }
        return isNegative ? 0 : ByteText.decimal(parts[0]) ?? .max
    }

    /// The seconds of a `Max-Age`; a number below 0 ends the cookie at once, and what is no number is ignored (RFC 6265,
    /// 5.2.2).
    private static func age(_ value: String) -> Int64? {
        let digits = value.hasPrefix("-") ? value.dropFirst() : value[...]
        guard !digits.isEmpty, digits.utf8.allSatisfy(ByteText.isDigit) else { return nil }
        return value.hasPrefix("-") ? 0 : ByteText.decimal(digits) ?? .max
    }

    /// The line of a file.
    var line: String {
        let words = [
            (isHTTPOnly ? "#HttpOnly_" : "") + (includesSubdomains ? "." : "") + host,
            includesSubdomains ? "TRUE" : "FALSE", path, isSecure ? "TRUE" : "FALSE", String(expiry ?? 0), name, value,
        ]
        return words.joined(separator: "\t")
    }

    /// Whether a request for a place gets it.
    func fits(_ place: ParsedURL) -> Bool {
        let isItsHost = includesSubdomains ? Self.isHost(place.host, within: host) : place.host == host
        return isItsHost && (!isSecure || place.isTrustworthy) && fits(path: place.path)
    }

    /// Whether requests for a path get it.
    func fits(path other: String) -> Bool {
        guard other.hasPrefix(path) else { return false }
        let rest = other.dropFirst(path.count)
        return rest.isEmpty || path.hasSuffix("/") || rest.hasPrefix("/")
    }

    /// Whether a name is a domain, or a host in it.
    static func isHost(_ name: String, within domain: String) -> Bool {
        name == domain || name.hasSuffix(domain) && name.dropLast(domain.count).hasSuffix(".")
    }

    /// Whether another one takes its place: one for a host and one for the domain of that name stand beside each other, as in
    /// browsers.
    func isReplaced(by other: Self) -> Bool {
        name == other.name && host == other.host && path == other.path && includesSubdomains == other.includesSubdomains
    }

    /// Whether a text can stand in a field and in a line of a file.
    private static func isPlain(_ text: String) -> Bool { text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } }

    /// The path that holds for a cookie without one (RFC 6265, 5.1.4).
    private static func folder(of path: String) -> String {
        guard path.hasPrefix("/"), let last = path.lastIndex(of: "/"), last > path.startIndex else { return "/" }
        return String(path[..<last])
    }
}
