import Foundation

/// An interceptor between a call that waits and its tasks: changes requests before they are sent, and decides what
/// follows a failure.
///
/// ``SessionManager/interceptors`` are those of every call, ``TaskOptions/interceptors`` those of one, behind them.
/// Requests pass them in their order; of a failure the first decides that has anything to say. Tasks that are made by a
/// factory and resumed by hand do not pass them. Both methods run in the Swift task of the call and may wait.
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
    /// The request to send in the place of one; throwing ends the call with that error before anything is sent.
    ///
    /// Called for each attempt, with the request as the call was given it.
    func adapt(_ request: TransferRequest, attempt: Int) async throws -> TransferRequest

    /// What follows a failure.
    func decide(about failure: FailedRequest) async -> RetryDecision
}

extension RequestInterceptor {
    /// The request as it is.
    public func adapt(_ request: TransferRequest, attempt: Int) async throws -> TransferRequest {
        request
    }

    /// Leaves it to others.
    public func decide(about failure: FailedRequest) async -> RetryDecision { .undecided }
}

/// The decision of an interceptor about a failure.
///
/// ```swift
/// manager.interceptors = [ClosureInterceptor(decide: { $0.head?.statusCode == 503 ? .retry(afterSeconds: 5) : .undecided })]
/// ```
public enum RetryDecision: Sendable {
    /// Leave it to the next interceptor; when all do, the call ends with the error.
    case undecided
    /// Send the request again after some seconds.
    case retry(afterSeconds: Double = 0)
    /// End the call with the error, whatever others would say.
    case giveUp
    /// End the call with another error.
    case fail(any Error)
}

/// An attempt of a call that failed.
///
/// ```swift
/// manager.interceptors = [ClosureInterceptor(decide: { $0.attempt < 3 ? .retry() : .giveUp })]
/// ```
public struct FailedRequest: Sendable {
    /// The request as it was sent.
    public var request: TransferRequest
    /// The request as the call was given it, before any interceptor changed it.
    public var original: TransferRequest
    /// What the call would end with.
    public var error: any Error
    /// How many attempts there were, this one counted.
    public var attempt: Int
    /// The response's head, where one came.
    public var head: ResponseHead?
    /// The attempts of the same call that failed before, the first one first, without the bodies they came with.
    ///
    /// An interceptor counts by these what it has had repeated itself: ``attempt`` counts what others have, too.
    public var earlier: [FailedRequest]

    /// A failure from its parts; without an original the request was given as it was sent.
    package init(
        request: TransferRequest, error: any Error, attempt: Int, head: ResponseHead? = nil,
        original: TransferRequest? = nil, earlier: [FailedRequest] = []
    ) {
        (self.request, self.error, self.attempt, self.head) = (request, error, attempt, head)
        (self.original, self.earlier) = (original ?? request, earlier)
    }

    /// What is kept of it while its call goes on.
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

    /// An interceptor of a closure that changes requests and one that decides about failures; nil leaves it to others.
    public init(
        adapt: (@Sendable (TransferRequest, Int) async throws -> TransferRequest)? = nil,
        decide: (@Sendable (FailedRequest) async -> RetryDecision)? = nil
    ) {
        (adaptRequest, decideAboutFailure) = (adapt, decide)
    }

    /// What the first closure returns.
    public func adapt(_ request: TransferRequest, attempt: Int) async throws -> TransferRequest {
        guard let adaptRequest else { return request }
        return try await adaptRequest(request, attempt)
    }

    /// What the second closure returns.
    public func decide(about failure: FailedRequest) async -> RetryDecision {
        guard let decideAboutFailure else { return .undecided }
        return await decideAboutFailure(failure)
    }
}

/// An interceptor that sends requests again which failed for a reason that may pass.
///
/// The engine's own repetitions (``SessionConfiguration/maximumRetries``) come before and happen within one attempt; this
/// one is for calls that want other numbers.
///
/// ```swift
/// manager.interceptors.append(RequestRetrier(maximumRetries: 3, firstDelay: 0.5))
/// ```
public struct RequestRetrier: RequestInterceptor {
    /// How often a request is sent again at most: 0 is never, 1 is one more attempt.
    public var maximumRetries: Int
    /// Seconds before the first repetition; each further one waits twice as long as the one before.
    public var firstDelay: Double
    /// The most seconds that are waited, whatever a server asks for.
    public var longestDelay: Double
    /// Status codes that ask to come back later.
    public var statusCodes: Set<Int>
    /// Whether requests are repeated that are not idempotent: the server may have done already what it was asked for.
    public var repeatsUnsafeRequests: Bool

    /// A retrier; `maximumRetries` is the number of repetitions, not of attempts.
    public init(
        maximumRetries: Int = 2, firstDelay: Double = 0.5, longestDelay: Double = 30,
        statusCodes: Set<Int> = [408, 425, 429, 500, 502, 503, 504], repeatsUnsafeRequests: Bool = false
    ) {
        (self.maximumRetries, self.firstDelay, self.longestDelay) = (
            maximumRetries, firstDelay, longestDelay
        )
        (self.statusCodes, self.repeatsUnsafeRequests) = (statusCodes, repeatsUnsafeRequests)
    }

    /// Repeats what may succeed a little later, after what the field `Retry-After` says where that is longer.
    ///
    /// Only failures of this kind count: a request that was sent again with a new token has not been retried yet.
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
