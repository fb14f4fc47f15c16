public import SessionCore
import SessionSupport

/// A server in the test's own process, which responds to every request without a socket.
///
/// `SessionManager(stubs: server)` sends everything to it. Tasks, closures, progress, serializers, redirects, downloads
/// to files and cancelling work as they do with a network; connections, trust, credentials, resuming and retries do not
/// occur. A class because the test and the managers share it.
///
/// ```swift
/// let server = StubServer()
/// server.answer("/hello", with: .text("hello"))
/// let manager = SessionManager(stubs: server)
/// print(try await manager.data(for: TransferRequest(url: "https://example.org/hello"), as: .string))
/// ```
public final class StubServer: Sendable {
    private struct Rule: Sendable {
        var matches: @Sendable (StubRequest) -> Bool
        /// The last response is repeated.
        var answers: [StubAnswer]
        var make: (@Sendable (StubRequest) throws -> StubAnswer)?
    }

    private let rules = Locked([Rule]())
    private let seen = Locked(Seen())

    private struct Seen: Sendable {
        var requests: [StubRequest] = []
        var listeners: [(count: Int, body: @Sendable () -> Void)] = []
    }

    /// A server without responses.
    public init() {}

    /// Answers a URL: each response once, the last one from then on.
    ///
    /// The latest rule for a request counts.
    ///
    /// `url` is an absolute URL, or a path that begins with a slash, of any host and with any query; a nil `method`
    /// matches all.
    public func answer(_ url: String, method: String? = nil, with answers: StubAnswer...) {
        add(Rule(matches: { $0.fits(method, url) }, answers: answers))
    }

    /// Answers a URL by a closure; its error fails the request.
    ///
    /// Called on the server's queue, for each request, redirected ones too.
    public func answer(
        _ url: String, method: String? = nil, by make: @escaping @Sendable (StubRequest) throws -> StubAnswer
    ) {
        add(Rule(matches: { $0.fits(method, url) }, answers: [], make: make))
    }

    /// The requests so far, in order.
    public var requests: [StubRequest] { seen.withLock { $0.requests } }

    /// Waits until this many requests have arrived, and returns them.
    @discardableResult
    public func requests(count: Int) async -> [StubRequest] {
        await withCheckedContinuation { continuation in
            let isThere = seen.withLock { seen in
                let isThere = seen.requests.count >= count
                if !isThere { seen.listeners.append((count, { continuation.resume() })) }
                return isThere
            }
            if isThere { continuation.resume() }
        }
        return requests
    }

    private func add(_ rule: Rule) { rules.withLock { $0.append(rule) } }

    /// Records a request and returns its response; a failure if no rule matches.
    func take(_ request: StubRequest) -> StubAnswer {
        let rule = rules.withLock { rules -> Rule? in
            guard let index = rules.lastIndex(where: { $0.matches(request) }) else { return nil }
            defer { if rules[index].answers.count > 1 { rules[index].answers.removeFirst() } }
            return rules[index]
        }
        let listeners = seen.withLock { seen in
            seen.requests.append(request)
            let count = seen.requests.count
            defer { seen.listeners.removeAll { $0.count <= count } }
            return seen.listeners.filter { $0.count <= count }
        }
        for listener in listeners { listener.body() }
        do {
            if let answer = try rule?.make?(request) ?? rule?.answers.first { return answer }
        } catch {
            return .failure(error as? SessionError ?? SessionError(.badResponse, "The stub threw \(error.sentence)"))
        }
        let target = "\(request.method) \(Redaction.url(request.url))"
        return .failure(SessionError(.badResponse, "No stub answers \(target)", failingURL: request.url))
    }
}

/// A request received by a stub.
///
/// ```swift
/// server.answer("/echo") { request in .text("\(request.method) \(request.url)") }
/// ```
public struct StubRequest: Sendable, Equatable {
    /// The method.
    public var method: String
    /// The URL.
    public var url: String
    /// The fields, including the session's own.
    public var headers: HeaderFields
    /// The body, read to its end.
    public var body: [UInt8]

    fileprivate func fits(_ method: String?, _ url: String) -> Bool {
        guard method == nil || method == self.method else { return false }
        guard url.hasPrefix("/") else { return url == self.url }
        let path = self.url[URLScan(self.url).path]
        return path == url || path.isEmpty && url == "/"
    }
}

extension SessionManager {
    /// A manager whose requests are answered by stubs, for tests; see ``StubServer``.
    public convenience init(
        configuration: SessionConfiguration = .default, handlers: SessionHandlers = SessionHandlers(), stubs: StubServer
    ) {
        self.init(configuration: configuration, handlers: handlers, engine: { StubEngine(stubs, $0) })
    }
}
