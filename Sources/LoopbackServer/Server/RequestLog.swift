/// Records the server's requests: all of them up to a limit, then at least that many of the newest.
struct RequestLog: Sendable {
    private(set) var requests: [RecordedRequest] = []
    /// The number since the start or the last clearing, recorded or not.
    private(set) var count = 0
    private var nextIndex = 0
    private var running = 0
    private let limit: Int

    init(limit: Int) {
        self.limit = max(0, limit)
    }

    mutating func append(_ head: RequestHead, connectionID: Int) -> RecordedRequest {
        running += 1
        let request = RecordedRequest(
            index: nextIndex, connectionID: connectionID, simultaneousCount: running, head: head)
        nextIndex += 1
        count += 1
        guard limit > 0 else { return request }
        // Dropping half at once keeps the cost per request constant.
        if requests.count >= 2 * limit { requests.removeFirst(limit) }
        requests.append(request)
        return request
    }

    /// Replaces the record of a request.
    ///
    /// Only its last update has another outcome than running.
    mutating func update(_ request: RecordedRequest) {
        if request.outcome != .running { running -= 1 }
        guard let first = requests.first?.index, request.index >= first else { return }
        let position = request.index - first
        if position < requests.count { requests[position] = request }
    }

    mutating func clear() {
        requests.removeAll()
        count = 0
    }
}
