import Support

/// A name and a password for what one server offered.
struct HTTPCredentials: Sendable, Equatable {
    var offer: AuthenticationOffer
    var user: String
    var password: String

    /// The value of the `Authorization` field for a request; nil where these credentials cannot be written down.
    ///
    /// - Parameter count: how often they were used, this time included.
    func field(for request: TransferRequest, count: Int) -> String? {
        if DigestAuthorization.canAnswer(offer) {
            guard let url = try? ParsedURL(request.url) else { return nil }
            let target = url.path + (url.query.map { "?" + $0 } ?? "")
            let clientNonce =
                String(UInt64.random(in: 0...(.max)), radix: 16)
                + String(UInt64.random(in: 0...(.max)), radix: 16)
            let field = DigestAuthorization.field(
                self, method: request.method, target: target, count: count, clientNonce: clientNonce)
            return field.flatMap { (try? HeaderValidator.validate(name: "Authorization", value: $0)) == nil ? nil : $0 }
        }
        // A colon in the name would move part of it into the password (RFC 7617, 2).
        guard !user.utf8.contains(UInt8(ascii: ":")) else { return nil }
        return "Basic " + Base64.encode(Array("\(user):\(password)".utf8))
    }
}
