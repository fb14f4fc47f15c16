import FoundationNetworking
import SessionSupport

/// A request that interceptors have changed, with Foundation's that it was, for what only that has.
struct AdaptedRequest: TaskRequest {
    private let adapted: TransferRequest
    let foundationRequest: URLRequest?

    init(_ adapted: TransferRequest, of request: some TaskRequest) {
        self.adapted = adapted
        foundationRequest = request.foundationRequest
    }

    func transferRequest() throws(SessionError) -> TransferRequest { adapted }
}

/// How a call that waits passes interceptors.
extension SessionManager {
    /// What every call that waits passes; none unless set.
    public var interceptors: [any RequestInterceptor] {
        get { state.withLock { $0.interceptors } }
        set { state.withLock { $0.interceptors = newValue } }
    }

    /// Sends a request as often as its interceptors want to.
    ///
    /// Without any it is one task, and nothing more is done for it.
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
            // The stream of Foundation's request is spent by now, whoever wants to send it again.
            case .retry where failure.request.body == .none && !task.request.body.isReplayable:
                return try Self.result(completion)
            case .retry(let seconds): try await Self.wait(seconds, original.url)
            }
            earlier.append(failure.withoutBody)
        }
    }

    /// The request that interceptors make of one.
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

    /// Throws where a call was cancelled, whatever its last attempt has ended with: nothing more follows.
    private static func checkCancellation(_ url: String) throws {
        if Task.isCancelled { throw naming(CancellationError(), url) }
    }

    /// What a call ends with: a cancelled one with the same error wherever it was.
    private static func naming(_ error: any Error, _ url: String) -> any Error {
        guard error is CancellationError, Task.isCancelled else { return error }
        return SessionError(.cancelled, TaskErrors.callCancelled, failingURL: url)
    }

    /// What a call passes; adding nothing to a list would still copy it.
    func interceptors(of options: TaskOptions) -> [any RequestInterceptor] {
        let own = interceptors
        if options.interceptors.isEmpty { return own }
        return own.isEmpty ? options.interceptors : own + options.interceptors
    }

    /// What the first interceptor says that has anything to say.
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

    /// How a task ended, or its error, with the object that was made of the body all the same.
    private static func result(_ completion: TaskCompletion) throws -> TaskCompletion {
        guard let error = completion.error else { return completion }
        guard var failure = error as? ResponseSerializationError else { throw error }
        failure.object = completion.object
        throw failure
    }
}
