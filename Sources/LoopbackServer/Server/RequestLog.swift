/// What the server remembers of its requests: all of them up to a limit, then at least the newest that many.
struct RequestLog: Sendable {
    private(set) var requests: [RecordedRequest] = []
    /// How many there were since the start or the last clearing, remembered or not.
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
        // Dropping half at once keeps the cost for each request constant.
        if requests.count >= 2 * limit { requests.removeFirst(limit) }
        requests.append(request)
        return request
    }

    /// Replaces what is recorded of a request.
    ///
    /// Its last update is the only one with another outcome than running.
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
