import SessionSupport

/// The one in whose name a request is sent, as far as it is known before, the server it reaches by which trust, and the
/// codings it asks for: managers that share a cache may differ in all of it.
///
/// A stored response is taken by senders that reach the same server by the same route and trust. The one that got it
/// uses it while it is fresh. Others are to it what the users of a shared cache are: they ask about it, where HTTP lets a
/// shared cache ask. What a server says to one sender alone, such as a cookie, is not stored at all.
///
/// Stored with a response as a field of its head, because a store knows nothing but heads and bodies.
struct CacheSender: Equatable {
    /// The field of a stored head; none for a body as it was sent, to a sender without credentials and cookies, by the
    /// server of its URL that the system trusts.
    static let field = "SessionCore-Cache"
    /// The fields of a response that are for its receiver alone.
    private static let personalFields = [
        "Set-Cookie", "Set-Cookie2", "Authentication-Info", "Proxy-Authentication-Info",
    ]

    /// The words of the field, each with a value behind a colon.
    private enum Word {
        static let owner = "by:"
        /// More than cookies went with the request: a password, a token, a certificate.
        static let secret = "with:"
        static let server = "at:"
        static let coding = "as:"
        /// The response has brought cookies, to a jar or to none.
        static let cookies = "set:"
    }

    private static let decoded = "decoded"

    /// A hash with the process's random key, so that a stored response confirms no guess of a password; nil for a sender
    /// without credentials and cookies.
    private let hash: String?
    /// Whether a name, a password or a token of its own goes with the request.
    private let hasCredentials: Bool
    /// Whether something goes with the request that makes it one sender's, beside cookies.
    private let hasSecret: Bool
    /// What is done about the codings of bodies: they are undone, or asked for by the session; nil for neither.
    private let coding: String?
    /// The cookies that are kept for the URL; nil for none.
    let cookies: String?
    private let hasCookies: Bool
    private let hasJar: Bool
    /// A hash of the route to the server and the trust in it; nil for the server that the URL names and the system trusts.
    private let server: String?

    /// - Parameters:
    ///   - certificate: the client certificate that a closure has given for the server; nil for none.
    ///   - trust: how the manager trusts servers, see ``TrustSettings/cacheKey(for:asks:)``; nil for the system's trust.
    ///   - earlier: the sender at the start, whose cookies count; nil for the ones that are kept now.
    init(
        of request: TransferRequest, _ configuration: SessionConfiguration, certificate: String?, trust: String? = nil,
        earlier: CacheSender? = nil
    ) {
        let session = configuration.options ?? RequestOptions()
        let options = request.options?.completed(by: session) ?? session
        let credentials = options.credentials ?? RequestCredentials(url: request.url)
        // A redirect may lead to a server that has some.
        let others = options.hostCredentials
        hasCredentials = credentials != nil || others != nil || configuration.additionalHeaders["Authorization"] != nil
        coding = Self.coding(options, configuration)
        let kept = earlier.map(\.cookies) ?? options.cookies?.field(for: request.url)
        cookies = kept
        hasCookies = kept != nil || configuration.additionalHeaders["Cookie"] != nil
        hasJar = options.cookies != nil
        server = Self.server(of: request.url, options, trust)
        let fields = (Array(request.headers) + Array(configuration.additionalHeaders))
            .filter { Redaction.hidesField($0.name) }
        hasSecret =
            credentials != nil || others != nil || options.clientCertificate != nil || certificate != nil
            || fields.contains { !ByteText.isSame($0.name, "Cookie") }
        var parts: [String?] = [
            credentials?.user, credentials?.password, options.clientCertificate.map { "\($0.certificate)" },
            certificate, kept, others.map { "\($0.hashValue)" },
        ]
        for field in fields { parts += [field.name, field.value] }
        hash = parts.allSatisfy { $0 == nil } ? nil : String(UInt(bitPattern: parts.hashValue), radix: 16)
    }

    private static func coding(_ options: RequestOptions, _ configuration: SessionConfiguration) -> String? {
        guard !options.withheldFields.contains(where: { ByteText.isSame($0, "Accept-Encoding") }) else { return nil }
        let asked = configuration.additionalHeaders.values(named: "Accept-Encoding")
        guard asked.isEmpty else { return StableHash.hexadecimal(asked.joined(separator: ",")) }
        return configuration.decodesBodies ? decoded : nil
    }

    /// Returns a hash of what leads to another server than the one that a URL names, and of what makes its certificate
    /// believed; nil without any.
    private static func server(of url: String, _ options: RequestOptions, _ trust: String?) -> String? {
        // A Unix socket needs no proxy.
        let proxies = options.unixSocket == nil ? options.proxies : nil
        var parts: [String?] = [
            options.unixSocket, options.transport.nameService, options.interface,
            options.addressFamily.map { "\($0)" }, proxies?.endpoint(for: url),
        ]
        if URLScan(url).isEncrypted {
            parts += [
                options.authorities?.file, options.authorities?.folder, trust,
                options.keyPins.isEmpty ? nil : options.keyPins.joined(separator: ";"),
                options.acceptsAnyCertificate ? "any" : nil,
            ]
        }
        parts += options.connections.map { "\($0)" }
        guard parts.contains(where: { $0 != nil }) else { return nil }
        return StableHash.hexadecimal(parts.map { $0 ?? "" }.joined(separator: "\n"))
    }

    /// Returns whether a stored response is of the server that this sender reaches, believed for the same reasons, and
    /// its body as the sender's task would deliver it: coded or not.
    func takes(_ head: ResponseHead) -> Bool {
        guard Self.word(Word.server, of: head) == server else { return false }
        return !BodyLength.isEncoded(head) || Self.word(Word.coding, of: head) == coding
    }

    /// Returns whether a stored response was got in the same name.
    ///
    /// One that has brought cookies to a jar was got by a sender that is another one since.
    func owns(_ head: ResponseHead) -> Bool {
        let cookies = Self.word(Word.cookies, of: head)
        return Self.word(Word.owner, of: head) == hash && (cookies == nil || cookies == Self.noJar && !hasJar)
    }

    /// Returns the fields that ask about a stored response; nil where this sender may not use it even if its server
    /// confirms it.
    func conditions(_ head: ResponseHead) -> HeaderFields? {
        if owns(head) { return CacheRules.conditions(head, isOwn: true) }
        guard CacheRules.isForOthers(head, gotWithSecret: Self.word(Word.secret, of: head) != nil) else { return nil }
        return CacheRules.conditions(head, isOwn: false)
    }

    private static let noJar = "none"

    private static func word(_ name: String, of head: ResponseHead) -> String? {
        let words = head.headers[field]?.split(separator: " ") ?? []
        return words.first { $0.hasPrefix(name) }.map { String($0.dropFirst(name.count)) }
    }

    /// Returns the head to store; nil if the request was sent with an answer to a challenge, or with cookies that came
    /// meanwhile: by a sender that is not known the next time.
    ///
    /// - Parameter bringsCookies: whether the response has set cookies, even if the head says so no longer.
    func marked(_ head: ResponseHead, sent: HeaderFields, bringsCookies: Bool = false) -> ResponseHead? {
        guard hasCredentials || sent["Authorization"] == nil, hasCookies == (sent["Cookie"] != nil) else { return nil }
        var words: [String] = []
        if let hash { words.append(Word.owner + hash) }
        if hasSecret { words.append(Word.secret + "secret") }
        if let server { words.append(Word.server + server) }
        if let coding, BodyLength.isEncoded(head) { words.append(Word.coding + coding) }
        if bringsCookies || head.headers["Set-Cookie"] != nil {
            words.append(Word.cookies + (hasJar ? "jar" : Self.noJar))
        }
        var head = Self.impersonal(head)
        head.headers[Self.field] = words.isEmpty ? nil : words.joined(separator: " ")
        return head
    }

    /// Returns a stored response without the field.
    static func unmarked(_ response: CachedResponse) -> CachedResponse {
        var response = response
        // Foundation stores what it gets.
        response.head = impersonal(response.head)
        response.head.headers.removeAll(named: field)
        return response
    }

    private static func impersonal(_ head: ResponseHead) -> ResponseHead {
        var head = head
        for name in personalFields { head.headers.removeAll(named: name) }
        return head
    }
}
