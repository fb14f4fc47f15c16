/// What the server saw of one request, and what it sent for it.
public struct RecordedRequest: Sendable, Equatable {
    /// How the exchange stands.
    public enum Outcome: Sendable, Equatable {
        /// The answer is not finished.
        case running
        /// The answer was sent as ordered.
        case answered
        /// The server broke off because a fault was ordered.
        case cut
        /// The client went away or broke the protocol, or the server was stopped.
        case broken
    }

    /// Counts from 0 in the order the heads arrived.
    public let index: Int
    /// Counts from 0; requests on one connection share it.
    public let connectionID: Int
    /// The method as written.
    public let method: String
    /// The request target as written.
    public let target: String
    /// The target's path, as written, without the query.
    public let path: String
    /// What follows the first question mark.
    public let query: String?
    /// The fields in the order they came.
    public let headers: HeaderList
    /// How many requests were unanswered when this one arrived, itself counted.
    public let simultaneousCount: Int
    /// Bytes of the body that arrived, without chunk framing.
    public internal(set) var bodyByteCount: Int64 = 0
    /// The first bytes of the body, as many as the configuration keeps.
    public internal(set) var bodyPrefix: [UInt8] = []
    /// The checksum of the whole body; compare with ``BodyChecksum/init(of:)-(DeterministicContent)``.
    public internal(set) var bodyChecksum = BodyChecksum()
    /// Whether the body arrived to its end.
    public internal(set) var bodyIsComplete = false
    /// The status that was sent; nil before the head is out and for answers that are no HTTP.
    public internal(set) var status: Int?
    /// Bytes of the response body given to the kernel, without chunk framing.
    public internal(set) var responseBodyBytesSent: Int64 = 0
    /// How the exchange stands.
    public internal(set) var outcome: Outcome = .running

    init(index: Int, connectionID: Int, simultaneousCount: Int, head: RequestHead) {
        self.index = index
        self.connectionID = connectionID
        self.simultaneousCount = simultaneousCount
        method = head.method
        target = head.target
        path = head.path
        query = head.query
        headers = head.headers
    }

    /// The value of a header field; several lines are joined with ", ".
    public func header(_ name: String) -> String? { headers[name] }
}

extension RecordedRequest {
    /// Counts body bytes that arrived.
    mutating func receive(_ bytes: UnsafeRawBufferPointer, keeping limit: Int) {
        let room = limit - bodyPrefix.count
        if room > 0 { bodyPrefix.append(contentsOf: bytes.prefix(room)) }
        bodyChecksum.update(bytes)
        bodyByteCount += Int64(bytes.count)
    }
}
