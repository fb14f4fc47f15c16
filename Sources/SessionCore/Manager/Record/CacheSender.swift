import SessionSupport

/// The one in whose name a request is sent, as far as it is known before, and whether codings of its response are
/// undone: managers that share a cache may differ in both.
///
/// Stored with a response as a field of its head, because a store knows nothing but heads and bodies.
struct CacheSender: Equatable {
    /// The field of a stored head; none for a body as it was sent, to a sender without credentials and cookies.
    static let field = "SessionCore-Cache"
    private static let decoded = "decoded"
    private static let elsewhere = "at:"

    /// A hash with the process's random key, so that a stored response confirms no guess of a password; empty for a
    /// sender without credentials and cookies.
    private let hash: String
    /// Whether a name, a password or a token of its own goes with the request.
    private let hasCredentials: Bool
    private let decodes: Bool
    /// The cookies that are kept for the URL; nil for none.
    let cookies: String?
    private let hasCookies: Bool
    /// The word for a server that is not the one its URL names; nil for the one it names.
    private let server: String?

    /// - Parameters:
    ///   - certificate: the client certificate that a closure has given for the server; nil for none.
    ///   - earlier: the sender at the start, whose cookies count; nil for the ones that are kept now.
    init(
        of request: TransferRequest, _ configuration: SessionConfiguration, certificate: String?,
        earlier: CacheSender? = nil
    ) {
        let session = configuration.options ?? RequestOptions()
        let options = request.options?.completed(by: session) ?? session
        let credentials = options.credentials ?? RequestCredentials(url: request.url)
        hasCredentials = credentials != nil || configuration.additionalHeaders["Authorization"] != nil
        decodes = configuration.decodesBodies && configuration.additionalHeaders["Accept-Encoding"] == nil
        let kept = earlier.map(\.cookies) ?? options.cookies?.field(for: request.url)
        cookies = kept
        hasCookies = kept != nil || configuration.additionalHeaders["Cookie"] != nil
        server = Self.server(options).map { Self.elsewhere + $0 }
        var parts = [
            credentials?.user, credentials?.password, kept, options.clientCertificate.map { "\($0.certificate)" },
            certificate,
        ]
        for fields in [request.headers, configuration.additionalHeaders] {
            for field in fields where Redaction.hidesField(field.name) { parts += [field.name, field.value] }
        }
        hash = parts.allSatisfy { $0 == nil } ? "" : Self.text(parts.hashValue)
    }

    /// Returns a hash of what leads to another server than the one that a URL names; nil without such options.
    private static func server(_ options: RequestOptions) -> String? {
        let parts = [options.unixSocket, options.transport.nameService] + options.connections.map { "\($0)" }
        return parts.allSatisfy { $0 == nil } ? nil : text(parts.hashValue)
    }

    private static func text(_ hash: Int) -> String { String(UInt(bitPattern: hash), radix: 16) }

    /// Returns whether a stored response is of the server that this sender reaches, and its body as the sender's task
    /// would deliver it: coded or not.
    func takes(_ head: ResponseHead) -> Bool {
        let words = words(head)
        guard words.first(where: { $0.hasPrefix(Self.elsewhere) }) == server.map({ $0[...] }) else { return false }
        return !BodyLength.isEncoded(head) || decodes == words.contains { $0 == Self.decoded[...] }
    }

    /// Returns whether a stored response was got in the same name.
    func owns(_ head: ResponseHead) -> Bool {
        let names = words(head).filter { $0 != Self.decoded[...] && !$0.hasPrefix(Self.elsewhere) }
        return names == (hash.isEmpty ? [] : [hash[...]])
    }

    private func words(_ head: ResponseHead) -> [Substring] {
        head.headers[Self.field]?.split(separator: " ") ?? []
    }

    /// Returns the head to store; nil if the request was sent with an answer to a challenge, or with cookies that came
    /// meanwhile: by a sender that is not known the next time.
    func marked(_ head: ResponseHead, sent: HeaderFields) -> ResponseHead? {
        guard hasCredentials || sent["Authorization"] == nil, hasCookies == (sent["Cookie"] != nil) else { return nil }
        var words = hash.isEmpty ? [] : [hash]
        if let server { words.append(server) }
        if decodes, BodyLength.isEncoded(head) { words.append(Self.decoded) }
        var head = head
        head.headers[Self.field] = words.isEmpty ? nil : words.joined(separator: " ")
        return head
    }

    /// Returns a stored response without the field.
    static func unmarked(_ response: CachedResponse) -> CachedResponse {
        var response = response
        response.head.headers.removeAll(named: field)
        return response
    }
}
