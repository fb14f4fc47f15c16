import SessionSupport

/// An interceptor that shows a token with each request, and has it renewed once for all calls whose token a server has
/// refused with 401.
///
/// A call that gets a 401 for an old token while a new one is there already goes on with that; while the token is being
/// renewed, it waits. Refusals are counted by token, whatever else has a call sent again: a token that is refused as soon
/// as it was renewed, or for a second time, ends the call with the 401. A request that brought its own `Authorization` is
/// left alone, and so are requests that the closure sends itself. A class, because all calls share the token.
///
/// ```swift
/// manager.interceptors.append(TokenInterceptor(hosts: ["api.example.org"]) { refused in refused == nil ? "first" : "next" })
/// ```
public final class TokenInterceptor: RequestInterceptor {
    private struct State: Sendable {
        var token: String?
        /// The latest tokens, so that a refusal of one of them is known as such.
        var known: [String] = []
        var isRenewing = false
        var waiters: [Int: CheckedContinuation<String, any Error>] = [:]
        var lastWaiter = 0

        mutating func set(_ token: String) {
            self.token = token
            guard !known.contains(token) else { return }
            known = known.suffix(TokenInterceptor.memory - 1) + [token]
        }
    }

    /// So many tokens are known at most; a call does not outlive more.
    private static let memory = 16
    /// The interceptors whose closure the current Swift task runs in.
    @TaskLocal private static var renewing: [ObjectIdentifier] = []

    private let state = Locked(State())
    private let hosts: Set<String>?
    /// Makes a new token in the place of one that was refused; nil for the first.
    private let refresh: @Sendable (String?) async throws -> String

    /// An interceptor with a token, or with none until one is needed.
    ///
    /// - Parameter token: the token as it is known; nil for none.
    /// - Parameter hosts: the hosts that are shown the token; nil for every one. A request to any other is left alone.
    /// - Parameter refresh: makes a new token; what it throws ends every call that waits for it. It goes on when a call
    ///   that waits is cancelled, because the next call needs the token.
    public init(
        token: String? = nil, hosts: Set<String>? = nil, refresh: @escaping @Sendable (String?) async throws -> String
    ) {
        self.hosts = hosts.map { Set($0.map { ByteText.lowercased($0) }) }
        self.refresh = refresh
        if let token { state.withLock { $0.set(token) } }
    }

    /// The token as it is now.
    public var token: String? { state.withLock { $0.token } }

    /// Sets the field `Authorization` of a request that has none of its own.
    public func adapt(_ request: TransferRequest, attempt: Int) async throws -> TransferRequest {
        guard isFor(request), request.headers["Authorization"] == nil else { return request }
        var token = self.token
        if token == nil { token = try await renewed(nil) }
        var request = request
        if let token { request.headers["Authorization"] = "Bearer " + token }
        return request
    }

    /// Goes on with a newer token, or renews one that was refused for the first time.
    public func decide(about failure: FailedRequest) async -> RetryDecision {
        guard let refused = refusedToken(of: failure), failure.request.body.isReplayable else { return .undecided }
        let refusals = failure.earlier.map(refusedToken)
        // How many tokens in a row have been refused before this one.
        let inARow = refusals.reversed().prefix { $0 != nil }.count
        if let current = token, current != refused { return inARow <= 1 ? .retry() : .undecided }
        guard inARow == 0, !refusals.contains(refused) else { return .undecided }
        do {
            _ = try await renewed(refused)
            return .retry()
        } catch {
            return .fail(error)
        }
    }

    private func isFor(_ request: TransferRequest) -> Bool {
        guard !Self.renewing.contains(ObjectIdentifier(self)) else { return false }
        guard let hosts else { return true }
        guard let host = URLScan(request.url).host else { return false }
        return hosts.contains(ByteText.lowercased(request.url[host]))
    }

    /// The token of this interceptor that a server has refused; nil for any other failure, and for a field that was not
    /// set here.
    private func refusedToken(of failure: FailedRequest) -> String? {
        guard let head = failure.head, head.statusCode == 401, isFor(failure.request),
            failure.original.headers["Authorization"] == nil, Self.isOneServer(head.url, failure.request.url),
            let field = failure.request.headers["Authorization"], field.hasPrefix("Bearer ")
        else { return nil }
        let token = String(field.dropFirst("Bearer ".count))
        return state.withLock { $0.known.contains(token) } ? token : nil
    }

    /// Whether two URLs have one scheme, host and port: a redirect to another server takes no token along.
    private static func isOneServer(_ left: String, _ right: String) -> Bool {
        func server(_ url: String) -> [String] {
            let scan = URLScan(url)
            let port = scan.port.map { String(url[$0]) } ?? ""
            let standard = scan.isEncrypted ? "443" : "80"
            return [scan.scheme, scan.host].map { $0.map { ByteText.lowercased(url[$0]) } ?? "" }
                + [port.isEmpty ? standard : port]
        }
        return server(left) == server(right)
    }

    // MARK: Renewing

    /// What a call that needs another token than a refused one does.
    private enum Step {
        case use(String)
        case renew
        case wait
        case end
    }

    /// A token in the place of one that was refused: the one that another call has made meanwhile, or a new one.
    ///
    /// It ends when the call is cancelled; the renewal goes on.
    private func renewed(_ refused: String?) async throws -> String {
        let number = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                switch enter(number, continuation, refused) {
                case .use(let token): continuation.resume(returning: token)
                case .end: continuation.resume(throwing: CancellationError())
                case .renew: renew(refused)
                case .wait: break
                }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: number) }?.resume(throwing: CancellationError())
        }
    }

    private func enter(
        _ number: Int, _ continuation: CheckedContinuation<String, any Error>, _ refused: String?
    ) -> Step {
        state.withLock { state in
            if let current = state.token, current != refused { return .use(current) }
            // Under the lock: a cancellation that comes later finds the waiter.
            guard !Task.isCancelled else { return .end }
            state.waiters[number] = continuation
            defer { state.isRenewing = true }
            return state.isRenewing ? .wait : .renew
        }
    }

    /// Has a new token made, in a Swift task of its own, because the call that began it may end before.
    private func renew(_ refused: String?) {
        Task {
            let renewing = Self.renewing + [ObjectIdentifier(self)]
            do {
                let token = try await Self.$renewing.withValue(renewing) { try await refresh(refused) }
                end(.success(token))
            } catch {
                end(.failure(error))
            }
        }
    }

    private func end(_ result: Result<String, any Error>) {
        let waiters = state.withLock { state in
            state.isRenewing = false
            if case .success(let token) = result { state.set(token) }
            defer { state.waiters = [:] }
            return state.waiters
        }
        for waiter in waiters.values { waiter.resume(with: result) }
    }
}
