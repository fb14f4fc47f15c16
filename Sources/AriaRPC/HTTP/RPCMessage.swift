import SessionSupport

/// A request of HTTP, as far as the interface looks at it.
package struct RPCRequest: Sendable {
    package var method: String
    /// The path without a query.
    package var path: String
    /// The members of the query, decoded.
    package var query: [String: String]
    /// The fields with names in lower case.
    package var fields: [String: String]
    package var body: [UInt8]

    package init(
        method: String, path: String, query: [String: String] = [:], fields: [String: String] = [:], body: [UInt8] = []
    ) {
        (self.method, self.path, self.query, self.fields, self.body) = (method, path, query, fields, body)
    }
}

extension RPCRequest {
    /// Whether its client reads an answer in gzip's form.
    var acceptsGzip: Bool {
        (fields["accept-encoding"] ?? "").split(separator: ",").contains { coding in
            let parts = coding.split(separator: ";")
            guard let name = parts.first, ByteText.isSame(ByteText.trimmed(name), "gzip") else { return false }
            // A weight of zero refuses it.
            let weights = parts.dropFirst().map { $0.split(separator: "=").map { ByteText.trimmed($0) } }
            let weight = weights.first { $0.count == 2 && ByteText.isSame($0[0], "q") }
            return weight.flatMap { Double($0[1]) } != 0
        }
    }
}

/// What a connection does with a request.
package struct RPCReply: Sendable, Equatable {
    package struct Field: Sendable, Equatable {
        package var name: String
        package var value: String

        init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }
    }

    /// A WebSocket that takes the place of the response.
    package struct Upgrade: Sendable, Equatable {
        /// The value of Sec-WebSocket-Accept.
        package var accept: String
        /// Whether the request had the token.
        package var isTrusted: Bool
    }

    package var status: Int
    package var fields: [Field] = []
    package var body: [UInt8] = []
    /// Whether the response waits, because a token was wrong or missing.
    package var isLate = false
    /// Whether the body may be sent in gzip's form, which is done where that is shorter.
    package var mayBeCompressed = false
    package var upgrade: Upgrade?

    /// A connection ends with an error: its client may have sent more than one request.
    package var closes: Bool { status >= 400 }

    init(status: Int) { self.status = status }

    /// A sentence as the whole body.
    init(status: Int, _ sentence: String) {
        self.status = status
        fields = [Field("Content-Type", "text/plain; charset=utf-8")]
        body = Array((sentence + "\n").utf8)
    }

    /// A request whose body is longer than ``AriaHTTP/bodyLimit``.
    package static let tooLarge = RPCReply(status: 413, AriaErrors.tooLarge)
}

extension RPCReply {
    /// The response to a WebSocket beyond the limit.
    package static let busy = RPCReply(status: 503)
}

extension RPCReply.Field {
    /// The answer depends on what its client reads, so that no cache gives it to another one.
    static let variesByCoding = RPCReply.Field("Vary", "Accept-Encoding")
    package static let gzip = RPCReply.Field("Content-Encoding", "gzip")
    package static let upgrade = RPCReply.Field("Upgrade", "websocket")
    package static let close = RPCReply.Field("Connection", "close")
    package static func accept(_ key: String) -> RPCReply.Field { RPCReply.Field("Sec-WebSocket-Accept", key) }
}
