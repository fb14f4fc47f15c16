/// Whom an attempt asks that is no attempt of its transfer's own request: a mirror.
///
/// A class, so that the attempts of nearly all transfers have no more than an empty reference.
final class RequestAim: Sendable {
    let request: TransferRequest
    /// Whether it goes to another origin than the transfer was meant for, which gets nothing private.
    let hasLeftOrigin: Bool
    /// The origin whose slots its connection takes: scheme, host and port.
    let host: String
    /// The server's name for sentences.
    let displayHost: String
    let isEncrypted: Bool

    /// - Parameter original: the request that the transfer was made for.
    init(_ request: TransferRequest, original: TransferRequest) {
        let origin = try? Origin(request.url)
        self.request = request
        hasLeftOrigin = origin == nil || origin != (try? Origin(original.url))
        host = origin.map { "\($0)" } ?? request.url
        displayHost = origin?.host ?? request.url
        isEncrypted = origin?.scheme == "https"
    }
}
