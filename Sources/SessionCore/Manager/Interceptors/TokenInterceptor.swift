import SessionSupport

/// Shows a token with each request, and has it renewed once for all calls whose token a server has refused with 401.
///
/// A call that gets a 401 for an old token while a new one is there already goes on with that; while somebody is renewing
/// it, it waits. A request is repeated once for each token, and a token that was just renewed and is refused again ends
/// the call with the 401. A class, because all calls share the token.
public final class TokenInterceptor: RequestInterceptor {
    /// Makes a new token in the place of one that was refused; nil for the first.
    public typealias Refresh = @Sendable (String?) async throws -> String

    private struct State: Sendable {
        var token: String?
        var refreshing: Task<String, any Error>?
    }

    private let state: Locked<State>
    private let hosts: Set<String>?
    private let refresh: Refresh

    /// An interceptor with a token, or with none until one is needed.
    ///
    /// - Parameter token: the token as it is known; nil for none.
    /// - Parameter hosts: the hosts that are shown the token; nil for every one. A request to any other is left alone.
    /// - Parameter refresh: makes a new token; what it throws ends every call that waits for it.
    public init(token: String? = nil, hosts: Set<String>? = nil, refresh: @escaping Refresh) {
        state = Locked(State(token: token))
        self.hosts = hosts.map { Set($0.map { ByteText.lowercased($0) }) }
        self.refresh = refresh
    }

    /// The token as it is now.
    public var token: String? { state.withLock { $0.token } }

    /// Sets the field `Authorization` of a request that has none of its own.
    public func adapt(_ request: TransferRequest, attempt: Int) async throws -> TransferRequest {
        guard isFor(request), request.headers["Authorization"] == nil else { return request }
        var token = self.token
        if token == nil { token = try await renew(nil) }
        var request = request
        if let token { request.headers["Authorization"] = "Bearer " + token }
        return request
    }

    /// Renews a token that was refused, unless it was the one of the second attempt.
    public func decide(about failure: FailedRequest) async -> RetryDecision {
        guard failure.head?.statusCode == 401, isFor(failure.request),
            failure.request.body.isReplayable,
            let field = failure.request.headers["Authorization"], field.hasPrefix("Bearer ")
        else { return .undecided }
        let refused = String(field.dropFirst("Bearer ".count))
        if let current = token, current != refused {
            return failure.attempt <= 2 ? .retry() : .undecided
        }
        guard failure.attempt == 1 else { return .undecided }
        do {
            _ = try await renew(refused)
            return .retry()
        } catch {
            return .fail(error)
        }
    }

    private func isFor(_ request: TransferRequest) -> Bool {
        guard let hosts else { return true }
        guard let host = URLScan(request.url).host else { return false }
        return hosts.contains(ByteText.lowercased(request.url[host]))
    }

    /// A token in the place of one that was refused: the one that somebody has made meanwhile, or a new one.
    private func renew(_ refused: String?) async throws -> String {
        let refresh = refresh
        let work = state.withLock { state -> Task<String, any Error> in
            if let current = state.token, current != refused { return Task { current } }
            if let running = state.refreshing { return running }
            let work = Task { try await refresh(refused) }
            state.refreshing = work
            return work
        }
        let result = await work.result
        state.withLock { state in
            guard state.refreshing == work else { return }
            state.refreshing = nil
            if case .success(let token) = result { state.token = token }
        }
        return try result.get()
    }
}
