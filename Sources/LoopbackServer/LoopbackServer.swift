import SessionSupport

/// A small HTTP/1.1 server for this machine: it serves the demo, the tests and the benchmarks, with faults to order.
///
/// It listens on 127.0.0.1 and nowhere else. Every connection has a thread of its own, because a scripted answer may
/// stand still at any byte. All methods may be called from any thread. ``stop()``, or letting go of the server, ends
/// every thread and closes every descriptor; calling it from a handler is a mistake, because it waits for that handler.
public final class LoopbackServer: Sendable {
    /// What a server accepts, and how much it remembers.
    public typealias Configuration = ServerConfiguration

    private struct Gates {
        var named: [String: Gate] = [:]
    }

    let core: ServerCore
    private let gates = Monitor(Gates())

    /// A server that does not listen yet.
    public init(configuration: Configuration = Configuration()) {
        core = ServerCore(configuration: configuration)
    }

    deinit {
        core.stop()
    }

    // MARK: Life

    /// Starts to listen.
    ///
    /// After ``stop()`` it listens on the same port again. Does nothing while running.
    public func start() throws(ServerError) {
        try core.start()
    }

    /// Breaks every connection off and waits until every thread has ended.
    ///
    /// Does nothing while not running.
    public func stop() {
        core.stop()
    }

    /// The port; 0 before the first start with a free port.
    public var port: UInt16 { core.port }

    /// The URL of a path on this server.
    public func url(_ path: String = "/") -> String {
        "http://127.0.0.1:\(port)" + (path.hasPrefix("/") ? path : "/" + path)
    }

    /// How many connections are open.
    public var connectionCount: Int { core.connectionCount }

    /// Ends every connection that is open now, whatever it is doing, and goes on serving new ones.
    public func dropConnections() {
        core.dropConnections()
    }

    // MARK: Behaviour

    /// Sets how a path behaves from the next request on, and starts its sequence anew.
    ///
    /// The path is compared as the client wrote it, without the query. One that ends in `/*` holds for everything below.
    public func setRoute(_ path: String, _ behaviour: Behaviour) {
        core.routes.withLock { $0.set(path, behaviour) }
    }

    /// Sets a closure as the behaviour of a path.
    ///
    /// It runs on the connection's thread, after the body was read.
    public func setRoute(_ path: String, _ handler: @escaping @Sendable (RecordedRequest) -> ScriptedResponse) {
        setRoute(path, .handler(handler))
    }

    /// Forgets a path; it is answered with 404 from then on.
    public func removeRoute(_ path: String) {
        core.routes.withLock { $0.remove(path) }
    }

    /// The gate of a name, made when it is first asked for.
    public func gate(named name: String) throws(ServerError) -> Gate {
        try gates.withLock { gates throws(ServerError) in
            if let gate = gates.named[name] { return gate }
            let gate = try Gate()
            gates.named[name] = gate
            return gate
        }
    }
}

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
