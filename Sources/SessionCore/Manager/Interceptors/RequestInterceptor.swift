import Foundation

/// An interceptor of `async` methods: changes requests before they are sent and decides what follows a failure.
///
/// ``SessionManager/interceptors`` apply to every call, ``TaskOptions/interceptors`` to one call, after them. Requests
/// pass them in order; the first interceptor with a decision about a failure wins. Tasks made by a factory and resumed
/// by hand do not pass them. Both methods run in the call's Swift task and may wait.
///
/// ```swift
/// struct Language: RequestInterceptor {
///     func adapt(_ request: TransferRequest, attempt: Int) async throws -> TransferRequest {
///         var request = request
///         request.headers["Accept-Language"] = "nb"
///         return request
///     }
/// }
/// manager.interceptors = [Language()]
/// ```
public protocol RequestInterceptor: Sendable {
    /// Returns the request to send instead; throwing ends the call with that error before anything is sent.
    ///
    /// Called for each attempt, with the request that was given to the call.
    func adapt(_ request: TransferRequest, attempt: Int) async throws -> TransferRequest

    /// Decides what follows a failure.
    func decide(about failure: FailedRequest) async -> RetryDecision
}

extension RequestInterceptor {
    /// Returns the request unchanged.
    public func adapt(_ request: TransferRequest, attempt: Int) async throws -> TransferRequest {
        request
    }

    /// Leaves the decision to the other interceptors.
    public func decide(about failure: FailedRequest) async -> RetryDecision { .undecided }
}

/// The decision of an interceptor about a failure.
///
/// ```swift
/// manager.interceptors = [ClosureInterceptor(decide: { $0.head?.statusCode == 503 ? .retry(afterSeconds: 5) : .undecided })]
/// ```
public enum RetryDecision: Sendable {
    /// Leave it to the next interceptor; if all do, the call ends with the error.
    case undecided
    /// Send the request again after this many seconds.
    case retry(afterSeconds: Double = 0)
    /// End the call with the error without asking further interceptors.
    case giveUp
    /// End the call with another error.
    case fail(any Error)
}

/// A failed attempt of a call.
///
/// ```swift
/// manager.interceptors = [ClosureInterceptor(decide: { $0.attempt < 3 ? .retry() : .giveUp })]
/// ```
public struct FailedRequest: Sendable {
    /// The request as it was sent.
    public var request: TransferRequest
    /// The request that was given to the call, before any interceptor changed it.
    public var original: TransferRequest
    /// The error the call would end with.
    public var error: any Error
    /// The number of attempts so far, including this one.
    public var attempt: Int
    /// The response's head, if one arrived.
    public var head: ResponseHead?
    /// The same call's earlier failed attempts in order, without their bodies.
    ///
    /// An interceptor counts its own repetitions here; ``attempt`` includes repetitions that other interceptors asked
    /// for.
    public var earlier: [FailedRequest]

    /// A failure from its parts; without an original, the request was sent as it was given.
    package init(
        request: TransferRequest, error: any Error, attempt: Int, head: ResponseHead? = nil,
        original: TransferRequest? = nil, earlier: [FailedRequest] = []
    ) {
        (self.request, self.error, self.attempt, self.head) = (request, error, attempt, head)
        (self.original, self.earlier) = (original ?? request, earlier)
    }

    /// The part kept while the call continues.
    var withoutBody: FailedRequest {
        var result = self
        result.earlier = []
        if var failure = error as? ResponseSerializationError {
            (failure.data, failure.object) = (Data(), nil)
            result.error = failure
        }
        return result
    }
}

/// An interceptor of two closures.
///
/// ```swift
/// manager.interceptors.append(ClosureInterceptor(decide: { $0.attempt < 3 ? .retry() : .undecided }))
/// ```
public struct ClosureInterceptor: RequestInterceptor {
    private let adaptRequest: (@Sendable (TransferRequest, Int) async throws -> TransferRequest)?
    private let decideAboutFailure: (@Sendable (FailedRequest) async -> RetryDecision)?

    /// An interceptor from a closure that changes requests and one that decides about failures; nil leaves it to
    /// others.
    public init(
        adapt: (@Sendable (TransferRequest, Int) async throws -> TransferRequest)? = nil,
        decide: (@Sendable (FailedRequest) async -> RetryDecision)? = nil
    ) {
        (adaptRequest, decideAboutFailure) = (adapt, decide)
    }

    /// Returns the first closure's result.
    public func adapt(_ request: TransferRequest, attempt: Int) async throws -> TransferRequest {
        guard let adaptRequest else { return request }
        return try await adaptRequest(request, attempt)
    }

    /// Returns the second closure's result.
    public func decide(about failure: FailedRequest) async -> RetryDecision {
        guard let decideAboutFailure else { return .undecided }
        return await decideAboutFailure(failure)
    }
}

/// An interceptor that resends requests that failed for a reason that may pass.
///
/// The engine's own retries (``SessionConfiguration/maximumRetries``) come first and happen within one attempt; this
/// one is for calls that want other numbers.
///
/// ```swift
/// manager.interceptors.append(RequestRetrier(maximumRetries: 3, firstDelay: 0.5))
/// ```
public struct RequestRetrier: RequestInterceptor {
    /// The maximum number of repetitions: 0 is none, 1 is one more attempt.
    public var maximumRetries: Int
    /// Seconds before the first repetition; each further one waits twice as long.
    public var firstDelay: Double
    /// The longest wait in seconds, whatever a server asks for.
    public var longestDelay: Double
    /// The status codes that ask the client to come back later.
    public var statusCodes: Set<Int>
    /// Whether requests that are not idempotent are repeated, although the server may already have carried them out.
    public var repeatsUnsafeRequests: Bool

    /// A retrier; `maximumRetries` counts repetitions, not attempts.
    public init(
        maximumRetries: Int = 2, firstDelay: Double = 0.5, longestDelay: Double = 30,
        statusCodes: Set<Int> = [408, 425, 429, 500, 502, 503, 504], repeatsUnsafeRequests: Bool = false
    ) {
        (self.maximumRetries, self.firstDelay, self.longestDelay) = (
            maximumRetries, firstDelay, longestDelay
        )
        (self.statusCodes, self.repeatsUnsafeRequests) = (statusCodes, repeatsUnsafeRequests)
    }

    /// Repeats an attempt that may succeed later, after the backoff or the `Retry-After` delay if that is longer.
    ///
    /// Only failures of this kind count: a request resent with a new token has not been retried yet.
    public func decide(about failure: FailedRequest) async -> RetryDecision {
        let failures = failure.attempt - failure.earlier.count { !isTransient($0) }
        guard failures <= maximumRetries, isTransient(failure),
            repeatsUnsafeRequests || failure.request.isIdempotent, failure.request.body.isReplayable
        else { return .undecided }
        var delay = firstDelay
        for _ in 1..<max(failures, 1) where delay < longestDelay { delay *= 2 }
        let asked = failure.head.flatMap { RetryAfter.milliseconds($0, now: Int64(Date().timeIntervalSince1970)) } ?? 0
        return .retry(afterSeconds: min(max(delay, Double(asked) / 1000), longestDelay))
    }

    private func isTransient(_ failure: FailedRequest) -> Bool {
        if let status = failure.head?.statusCode, !(200...299).contains(status) {
            return statusCodes.contains(status)
        }
        return (failure.error as? SessionError).map { RetryPolicy.isTransient($0) } ?? false
    }
}
