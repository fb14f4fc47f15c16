import SessionSupport

/// The length of a request body (RFC 9112, 6.3).
enum RequestFraming: Sendable, Equatable {
    case none
    case length(Int64)
    case chunked

    /// Decides from the head; refuses anything ambiguous.
    init(_ head: RequestHead) throws(RequestHeadParser.Refusal) {
        let lengths = head.headers.values("Content-Length")
        if let coding = head.headers["Transfer-Encoding"] {
            guard lengths.isEmpty, head.minorVersion >= 1 else {
                throw RequestHeadParser.Refusal(status: 400, reason: "a transfer coding out of place")
            }
            guard ByteText.isSame(coding, "chunked") else {
                throw RequestHeadParser.Refusal(status: 501, reason: "chunked is the only transfer coding here")
            }
            self = .chunked
            return
        }
        guard let first = lengths.first else {
            self = .none
            return
        }
        guard lengths.count == 1, let length = ByteText.decimal(first) else {
            throw RequestHeadParser.Refusal(status: 400, reason: "not a valid Content-Length")
        }
        self = length == 0 ? .none : .length(length)
    }
}
