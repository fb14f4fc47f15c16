/// The server's record of one request and of its response.
public struct RecordedRequest: Sendable, Equatable {
    /// The state of the exchange.
    public enum Outcome: Sendable, Equatable {
        /// The response is not finished.
        case running
        /// The response was sent as scripted.
        case answered
        /// The server cut the connection for a scripted fault.
        case cut
        /// The client disconnected or broke the protocol, or the server was stopped.
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
    /// The text after the first question mark.
    public let query: String?
    /// The fields in the order they arrived.
    public let headers: HeaderList
    /// How many requests were unanswered when this one arrived, including itself.
    public let simultaneousCount: Int
    /// Bytes of the body that arrived, without chunk framing.
    public internal(set) var bodyByteCount: Int64 = 0
    /// The first bytes of the body, as many as the configuration keeps.
    public internal(set) var bodyPrefix: [UInt8] = []
    /// The checksum of the complete body; compare with ``BodyChecksum/init(of:)-(DeterministicContent)``.
    public internal(set) var bodyChecksum = BodyChecksum()
    /// Whether the complete body arrived.
    public internal(set) var bodyIsComplete = false
    /// The status that was sent; nil before the head is sent and for responses that are no HTTP.
    public internal(set) var status: Int?
    /// Bytes of the response body passed to the kernel, without chunk framing.
    public internal(set) var responseBodyBytesSent: Int64 = 0
    /// The state of the exchange.
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
    mutating func receive(_ bytes: UnsafeRawBufferPointer, keeping limit: Int) {
        let room = limit - bodyPrefix.count
        if room > 0 { bodyPrefix.append(contentsOf: bytes.prefix(room)) }
        bodyChecksum.update(bytes)
        bodyByteCount += Int64(bytes.count)
    }
}

extension Sequence<RecordedRequest> {
    /// Returns whether at most that many requests were open at once for their client, and so many at some moment.
    ///
    /// The server counts a request until it notices that its client is through with it, which is later by a moment
    /// in which the client may have sent the next one.
    public func peaked(at count: Int) -> Bool {
        let most = map(\.simultaneousCount).max() ?? 0
        return most == count || most == count + 1
    }
}
