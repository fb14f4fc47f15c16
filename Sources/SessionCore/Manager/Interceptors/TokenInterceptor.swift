import SessionSupport

/// An interceptor that adds a token to each request and renews it once for all calls whose token a server refused with
/// 401.
///
/// A call that gets a 401 for an old token uses the newer one if there is one; during a renewal it waits. Refusals are
/// counted by token, whatever else repeats a call: a token refused right after its renewal, or a second time, ends the
/// call with the 401. A request with its own `Authorization` is not changed, and neither are requests the closure sends
/// itself. A class because all calls share the token.
///
/// ```swift
/// manager.interceptors.append(TokenInterceptor(hosts: ["api.example.org"]) { refused in refused == nil ? "first" : "next" })
/// ```
public final class TokenInterceptor: RequestInterceptor {
    private struct State: Sendable {
        var token: String?
        /// The latest tokens, so that a refusal of one of them is recognized.
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

    /// The limit of known tokens; no call outlives more.
    private static let memory = 16
    /// The interceptors whose closure the current Swift task runs in.
    @TaskLocal private static var renewing: [ObjectIdentifier] = []

    private let state = Locked(State())
    private let hosts: Set<String>?
    /// Makes a new token to replace a refused one; nil for the first.
    private let refresh: @Sendable (String?) async throws -> String

    /// An interceptor with a token, or with none until one is needed.
    ///
    /// - Parameter token: the known token; nil for none.
    /// - Parameter hosts: the hosts that get the token; nil for all. Requests to other hosts are not changed.
    /// - Parameter refresh: makes a new token; its error ends every call that waits for it. It continues when a waiting
    ///   call is cancelled, because the next call needs the token.
    public init(
        token: String? = nil, hosts: Set<String>? = nil, refresh: @escaping @Sendable (String?) async throws -> String
    ) {
        self.hosts = hosts.map { Set($0.map { HostName.normalised($0) ?? ByteText.lowercased($0) }) }
        self.refresh = refresh
        if let token { state.withLock { $0.set(token) } }
    }

    /// The current token.
    public var token: String? { state.withLock { $0.token } }

    /// Sets the `Authorization` field of a request that has none.
    public func adapt(_ request: TransferRequest, attempt: Int) async throws -> TransferRequest {
        guard isFor(request), request.headers["Authorization"] == nil else { return request }
        var token = self.token
        if token == nil { token = try await renewed(nil) }
        var request = request
        if let token { request.headers["Authorization"] = "Bearer " + token }
        return request
    }

    /// Repeats the request with a newer token, or renews a token that was refused for the first time.
    public func decide(about failure: FailedRequest) async -> RetryDecision {
        guard let refused = refusedToken(of: failure), failure.request.body.isReplayable else { return .undecided }
        let refusals = failure.earlier.map(refusedToken)
        // This counts the consecutive token refusals right before this one.
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
        guard let host = URLScan(request.url).host, let name = HostName.normalised(request.url[host]) else {
            return false
        }
        return hosts.contains(name)
    }

    /// The token of this interceptor that a server refused; nil for any other failure or for a field set elsewhere.
    private func refusedToken(of failure: FailedRequest) -> String? {
        guard let head = failure.head, head.statusCode == 401, isFor(failure.request),
            failure.original.headers["Authorization"] == nil, Self.isOneServer(head.url, failure.request.url),
            let field = failure.request.headers["Authorization"], field.hasPrefix("Bearer ")
        else { return nil }
        let token = String(field.dropFirst("Bearer ".count))
        return state.withLock { $0.known.contains(token) } ? token : nil
    }

    /// Whether two URLs share scheme, host and port: a redirect to another server takes no token along.
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

    /// The next step of a call whose token was refused.
    private enum Step {
        case use(String)
        case renew
        case wait
        case end
    }

    /// Returns a replacement for a refused token: the one another call has made, or a new one.
    ///
    /// Ends when the call is cancelled; the renewal continues.
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
            // This runs under the lock, so a later cancellation finds the waiter.
            guard !Task.isCancelled else { return .end }
            state.waiters[number] = continuation
            defer { state.isRenewing = true }
            return state.isRenewing ? .wait : .renew
        }
    }

    /// Renews the token in a separate Swift task, because the call that started it may end first.
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
