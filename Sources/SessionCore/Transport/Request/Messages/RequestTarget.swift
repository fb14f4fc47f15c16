/// The server a branch or a probe talks to, where it differs from the one of its transfer's request or may come to
/// differ.
///
/// A class, so that the attempts of nearly all transfers carry only an empty reference.
final class RequestTarget: Sendable {
    let request: TransferRequest
    /// Whether it goes to another origin than the transfer's first request, which gets no private fields.
    let hasLeftOrigin: Bool
    /// The server whose slots its connection takes, and the route to it; see ``RequestRoute/key``.
    let host: String
    /// The server's name for messages.
    let displayHost: String
    let isEncrypted: Bool

    /// - Parameters:
    ///   - original: the request that the transfer was made for.
    ///   - hasLeftOrigin: whether the request was redirected to another origin; nil to compare the two.
    init(
        _ request: TransferRequest, original: TransferRequest, _ options: RequestOptions?, hasLeftOrigin: Bool? = nil
    ) {
        let hosts = options?.transport.secureHosts
        var request = request
        request.url = hosts?.secured(request.url) ?? request.url
        let origin = try? Origin(request.url)
        self.request = request
        let first = hosts?.secured(original.url) ?? original.url
        self.hasLeftOrigin = hasLeftOrigin ?? (origin == nil || origin != (try? Origin(first)))
        host = RequestRoute(to: request.url, options: options).key
        displayHost = origin?.host ?? Origin.serverName(of: request.url)
        isEncrypted = origin?.scheme == "https"
    }
}
