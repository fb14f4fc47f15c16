import FoundationNetworking
import SessionSupport

/// A request that interceptors have changed, with the original Foundation request for the properties only that has.
struct AdaptedRequest: TaskRequest {
    private let adapted: TransferRequest
    let foundationRequest: URLRequest?

    init(_ adapted: TransferRequest, of request: some TaskRequest) {
        self.adapted = adapted
        foundationRequest = request.foundationRequest
    }

    func transferRequest() throws(SessionError) -> TransferRequest { adapted }
}

/// The passage of waiting calls through interceptors.
extension SessionManager {
    /// The interceptors of every `async` method; none by default.
    public var interceptors: [any RequestInterceptor] {
        get { state.withLock { $0.interceptors } }
        set { state.replace(\.interceptors, with: newValue) }
    }

    /// Sends a request as often as its interceptors ask.
    ///
    /// Without interceptors this makes one task and costs nothing more.
    func send(
        _ request: some TaskRequest, _ options: TaskOptions,
        make: (any TaskRequest) throws -> SessionTask
    ) async throws -> TaskCompletion {
        let interceptors = interceptors(of: options)
        guard !interceptors.isEmpty else { return try Self.result(await Self.run(make(request), options)) }
        let original = try request.transferRequest()
        var earlier: [FailedRequest] = []
        while true {
            let attempt = earlier.count + 1
            let adapted = try await Self.adapted(original, by: interceptors, attempt: attempt)
            let task = try make(AdaptedRequest(adapted, of: request))
            let canRepeatBody = Self.canRepeatBody(of: task, adapted, original)
            let completion = await Self.run(task, options)
            guard let error = completion.error, (error as? SessionError)?.code != .cancelled else {
                return try Self.result(completion)
            }
            try Self.checkCancellation(original.url)
            let failure = FailedRequest(
                request: adapted, error: error, attempt: attempt, head: completion.head, original: original,
                earlier: earlier)
            let decision = await Self.decision(about: failure, interceptors)
            try Self.checkCancellation(original.url)
            switch decision {
            case .undecided, .giveUp: return try Self.result(completion)
            case .fail(let error): throw Self.naming(error, original.url)
            // What was read is gone: the next attempt would send nothing in its place.
            case .retry where !canRepeatBody: return try Self.result(completion)
            case .retry(let seconds): try await Self.wait(seconds, original.url)
            }
            earlier.append(failure.withoutBody)
        }
    }

    /// Whether another attempt has a whole body to send: the same one again, a new one of its provider, or one that an
    /// interceptor gives each attempt.
    ///
    /// Asked before the task runs, because it lets go of its provider at its end.
    private static func canRepeatBody(
        of task: SessionTask, _ adapted: TransferRequest, _ original: TransferRequest
    ) -> Bool {
        let body = task.request.body
        if body.isReplayable || (task.delegate as? TaskRecord)?.canRepeatBody == true { return true }
        return body == adapted.body && body != original.body
    }

    static func adapted(
        _ request: TransferRequest, by interceptors: [any RequestInterceptor], attempt: Int
    ) async throws -> TransferRequest {
        var adapted = request
        do {
            for interceptor in interceptors { adapted = try await interceptor.adapt(adapted, attempt: attempt) }
        } catch {
            throw naming(error, request.url)
        }
        return adapted
    }

    private static func wait(_ seconds: Double, _ url: String) async throws {
        do {
            if seconds > 0 { try await Task.sleep(for: .seconds(min(seconds, 86_400))) }
            try Task.checkCancellation()
        } catch {
            throw naming(error, url)
        }
    }

    /// Throws if the call was cancelled, whatever its last attempt ended with, so that nothing follows.
    private static func checkCancellation(_ url: String) throws {
        if Task.isCancelled { throw naming(CancellationError(), url) }
    }

    /// The call's final error: the same for every cancellation, wherever it happened.
    private static func naming(_ error: any Error, _ url: String) -> any Error {
        guard error is CancellationError, Task.isCancelled else { return error }
        return SessionError(.cancelled, TaskErrors.callCancelled, failingURL: url)
    }

    /// The interceptors of a call; appending an empty list would still copy it.
    func interceptors(of options: TaskOptions) -> [any RequestInterceptor] {
        let own = interceptors
        if options.interceptors.isEmpty { return own }
        return own.isEmpty ? options.interceptors : own + options.interceptors
    }

    /// Returns the first decision that is not `.undecided`.
    private static func decision(
        about failure: FailedRequest, _ interceptors: [any RequestInterceptor]
    ) async -> RetryDecision {
        for interceptor in interceptors {
            let decision = await interceptor.decide(about: failure)
            if case .undecided = decision { continue }
            return decision
        }
        return .undecided
    }

    private static func run(_ task: SessionTask, _ options: TaskOptions) async -> TaskCompletion {
        options.onTask?(task)
        return await withTaskCancellationHandler {
            task.resume()
            return await task.completion()
        } onCancel: {
            task.cancel()
        }
    }

    /// Returns the completion or throws its error, even if an object was made from the body.
    private static func result(_ completion: TaskCompletion) throws -> TaskCompletion {
        guard let error = completion.error else { return completion }
        guard var failure = error as? ResponseSerializationError else { throw error }
        failure.object = completion.object
        throw failure
    }
}
