/// The server a branch or a probe talks to, where it is another one than its transfer's request goes to, or may become one.
///
/// A class, so that the attempts of nearly all transfers have no more than an empty reference.
final class RequestTarget: Sendable {
    let request: TransferRequest
    /// Whether it goes to another origin than the transfer was meant for, which gets nothing private.
    let hasLeftOrigin: Bool
    /// The server whose slots its connection takes, and the way to it; see ``RequestRoute/key``.
    let host: String
    /// The server's name for sentences.
    let displayHost: String
    let isEncrypted: Bool

    /// - Parameters:
    ///   - original: the request that the transfer was made for.
    ///   - hasLeftOrigin: whether it was led away from there, where that is known.
    init(
        _ request: TransferRequest, original: TransferRequest, _ options: RequestOptions?, hasLeftOrigin: Bool? = nil
    ) {
        let origin = try? Origin(request.url)
        self.request = request
        self.hasLeftOrigin = hasLeftOrigin ?? (origin == nil || origin != (try? Origin(original.url)))
        host = RequestRoute(to: request.url, options: options).key
        displayHost = origin?.host ?? Origin.serverName(of: request.url)
        isEncrypted = origin?.scheme == "https"
    }
}
