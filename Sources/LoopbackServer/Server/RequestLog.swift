/// What the server remembers of its requests: all of them up to a limit, then at least the newest that many.
struct RequestLog: Sendable {
    private(set) var requests: [RecordedRequest] = []
    /// How many there were since the start or the last clearing, remembered or not.
    private(set) var count = 0
    private var nextIndex = 0
    private let limit: Int

    init(limit: Int) {
        self.limit = max(0, limit)
    }

    mutating func append(_ head: RequestHead, connectionID: Int) -> RecordedRequest {
        let request = RecordedRequest(index: nextIndex, connectionID: connectionID, head: head)
        nextIndex += 1
        count += 1
        guard limit > 0 else { return request }
        // Dropping half at once keeps the cost for each request constant.
        if requests.count >= 2 * limit { requests.removeFirst(limit) }
        requests.append(request)
        return request
    }

    mutating func update(_ request: RecordedRequest) {
        guard let first = requests.first?.index, request.index >= first else { return }
        let position = request.index - first
        if position < requests.count { requests[position] = request }
    }

    mutating func clear() {
        requests.removeAll()
        count = 0
    }
}
