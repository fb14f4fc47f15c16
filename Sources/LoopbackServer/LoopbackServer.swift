import SessionSupport

/// A small HTTP/1.1 server on this machine for the demo, the tests and the benchmarks, with faults on demand.
///
/// It listens only on 127.0.0.1. Every connection has its own thread, because a scripted response may stall at any
/// byte. All methods may be called from any thread. ``stop()``, or releasing the server, ends every thread and closes
/// every descriptor; calling it from a handler is a mistake, because it waits for that handler.
public final class LoopbackServer: Sendable {
    /// The limits of a server.
    public typealias Configuration = ServerConfiguration

    private struct Gates {
        var named: [String: Gate] = [:]
    }

    let core: ServerCore
    private let gates = Monitor(Gates())

    /// Creates a server that does not listen yet.
    public init(configuration: Configuration = Configuration()) {
        core = ServerCore(configuration: configuration)
    }

    deinit {
        core.stop()
    }

    // MARK: Starting and stopping

    /// Starts to listen.
    ///
    /// After ``stop()`` it listens on the same port again, which nothing else gets meanwhile. Does nothing while running.
    public func start() throws(ServerError) {
        try core.start()
    }

    /// Cuts every connection and waits until every thread has ended.
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

    /// The number of open connections.
    public var connectionCount: Int { core.connectionCount }

    /// Ends every open connection, and continues to serve new ones.
    public func dropConnections() {
        core.dropConnections()
    }

    // MARK: Behaviour

    /// Sets the behaviour of a path from the next request on, and restarts its sequence.
    ///
    /// The path is compared as the client wrote it, without the query. One that ends in `/*` applies to everything
    /// below.
    public func setRoute(_ path: String, _ behaviour: Behaviour) {
        core.routes.withLock { $0.set(path, behaviour) }
    }

    /// Sets a closure as the behaviour of a path.
    ///
    /// It runs on the connection's thread, after the body was read.
    public func setRoute(_ path: String, _ handler: @escaping @Sendable (RecordedRequest) -> ScriptedResponse) {
        setRoute(path, .handler(handler))
    }

    /// Removes a path, which then gets status 404.
    public func removeRoute(_ path: String) {
        core.routes.withLock { $0.remove(path) }
    }

    /// The gate of a name, created on its first use.
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

    /// The number of requests, including forgotten ones.
    public var requestCount: Int {
        core.log.withLock(\.count)
    }

    /// Forgets the requests so far.
    ///
    /// Indices continue.
    public func clearRequests() {
        core.log.change { $0.clear() }
    }

    /// Waits until the heads of `count` requests have arrived; returns false on timeout.
    public func waitForRequests(count: Int, timeoutMilliseconds: Int64 = 30_000) -> Bool {
        core.log.wait(timeoutMilliseconds: timeoutMilliseconds) { $0.count >= count }
    }

    /// Waits until `count` requests have ended, whatever the outcome; returns false on timeout.
    public func waitForFinishedRequests(count: Int, timeoutMilliseconds: Int64 = 30_000) -> Bool {
        wait(timeoutMilliseconds: timeoutMilliseconds) { requests in
            requests.reduce(0) { $1.outcome == .running ? $0 : $0 + 1 } >= count
        }
    }

    /// Waits until the requests fulfil a condition, which is evaluated after every change under the log's lock.
    public func wait(timeoutMilliseconds: Int64 = 30_000, until condition: ([RecordedRequest]) -> Bool) -> Bool {
        core.log.wait(timeoutMilliseconds: timeoutMilliseconds) { condition($0.requests) }
    }
}
