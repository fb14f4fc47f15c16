import SessionSupport

extension LoopbackServer {
    /// Every request so far, in the order the heads arrived; of very many, the newest.
    public var requests: [RecordedRequest] {
        core.log.withLock(\.requests)
    }

    /// The requests for one path.
    public func requests(for path: String) -> [RecordedRequest] {
        requests.filter { $0.path == path }
    }

    /// How many requests there were, also those no longer remembered.
    public var requestCount: Int {
        core.log.withLock(\.count)
    }

    /// Forgets the requests so far.
    ///
    /// Indices go on from where they were.
    public func clearRequests() {
        core.log.change { $0.clear() }
    }

    /// Waits until the heads of that many requests have arrived.
    ///
    /// False when the time was over first.
    public func waitForRequests(count: Int, timeoutMilliseconds: Int64 = 10_000) -> Bool {
        core.log.wait(timeoutMilliseconds: timeoutMilliseconds) { $0.count >= count }
    }

    /// Waits until that many requests have come to an end, whatever the end.
    ///
    /// False when the time was over first.
    public func waitForFinishedRequests(count: Int, timeoutMilliseconds: Int64 = 10_000) -> Bool {
        wait(timeoutMilliseconds: timeoutMilliseconds) { requests in
            requests.reduce(0) { $1.outcome == .running ? $0 : $0 + 1 } >= count
        }
    }

    /// Waits until the requests fulfil a condition; it is asked again after every change, under the log's lock.
    public func wait(timeoutMilliseconds: Int64 = 10_000, until condition: ([RecordedRequest]) -> Bool) -> Bool {
        core.log.wait(timeoutMilliseconds: timeoutMilliseconds) { condition($0.requests) }
    }
}
