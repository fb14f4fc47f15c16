import SessionSupport

/// The one in whose name a request is sent, as far as it is known before, and whether codings of its response are
/// undone: managers that share a cache may differ in both.
///
/// Stored with a response as a field of its head, because a store knows nothing but heads and bodies.
struct CacheSender {
    /// The field of a stored head; none for a body as it was sent, to a sender without credentials and cookies.
    static let field = "SessionCore-Cache"
    private static let decoded = "decoded"

    /// A hash with the process's random key, so that a stored response confirms no guess of a password; empty for a
    /// sender without credentials and cookies.
    private let hash: String
    /// Whether a name, a password or a token of its own goes with the request.
    private let hasCredentials: Bool
    private let decodes: Bool

    init(of request: TransferRequest, _ configuration: SessionConfiguration) {
        let session = configuration.options ?? RequestOptions()
        let options = request.options?.completed(by: session) ?? session
        let credentials = options.credentials ?? RequestCredentials(url: request.url)
        hasCredentials = credentials != nil || configuration.additionalHeaders["Authorization"] != nil
        decodes = configuration.decodesBodies && configuration.additionalHeaders["Accept-Encoding"] == nil
        var parts = [
            credentials?.user, credentials?.password, options.cookies?.field(for: request.url),
            options.clientCertificate.map { "\($0.certificate)" },
        ]
        for fields in [request.headers, configuration.additionalHeaders] {
            for field in fields where Redaction.hidesField(field.name) { parts += [field.name, field.value] }
        }
        hash = parts.allSatisfy { $0 == nil } ? "" : String(UInt(bitPattern: parts.hashValue), radix: 16)
    }

    /// Returns whether a stored body is as this sender's task would deliver it: coded or not.
    func takes(_ head: ResponseHead) -> Bool {
        !BodyLength.isEncoded(head) || decodes == words(head).contains { $0 == Self.decoded[...] }
    }

    /// Returns whether a stored response was got in the same name.
    func owns(_ head: ResponseHead) -> Bool {
        words(head).filter { $0 != Self.decoded[...] } == (hash.isEmpty ? [] : [hash[...]])
    }

    private func words(_ head: ResponseHead) -> [Substring] {
        head.headers[Self.field]?.split(separator: " ") ?? []
    }

    /// Returns the head to store; nil if the request was sent with an answer to a challenge, by a sender that is not
    /// known the next time.
    func marked(_ head: ResponseHead, sent: HeaderFields) -> ResponseHead? {
        guard hasCredentials || sent["Authorization"] == nil else { return nil }
        var words = hash.isEmpty ? [] : [hash]
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
