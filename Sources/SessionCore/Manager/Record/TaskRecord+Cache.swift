import Foundation
import SessionSupport

/// A cached response that is being revalidated at its server.
///
/// A class because most tasks have none, and inline it would enlarge every record.
final class Revalidation: Sendable {
    let kept: CachedResponse

    init(_ kept: CachedResponse) { self.kept = kept }

    func isConfirmed(by head: ResponseHead?) -> Bool {
        head.map { $0.statusCode == 304 && $0.url == kept.request.url } ?? false
    }
}

/// The response cache: asked before the engine, updated after a good response.
extension TaskRecord {
    /// Answers a task from the manager's cache; nil if the request has to be sent unconditionally.
    ///
    /// Uploads, downloads and streamed bodies are never answered from the cache.
    func cacheAnswer(of task: SessionTask) -> CacheAnswer? {
        let policy = task.request.cachePolicy
        guard policy != .reloadIgnoringCacheData, collectsBody, task.kind == .data,
            CacheRules.isCacheable(task.request)
        else { return nil }
        let found = manager.withLock({ $0.responseCache })?.response(for: task.request)
        switch policy {
        case .reloadIgnoringCacheData: return nil
        case .returnCacheDataElseLoad: return found.map(outcome)
        case .returnCacheDataDontLoad: return found.map(outcome) ?? missing(task)
        case .reloadRevalidatingCacheData: return found.flatMap { question(about: $0, task) }
        case .useProtocolCachePolicy:
            guard let found else { return nil }
            let isFresh = CacheRules.isFresh(found.head, for: task.request, now: Self.now)
            return isFresh ? outcome(found) : question(about: found, task)
        }
    }

    private static var now: Int64 { Int64(Date().timeIntervalSince1970) }

    /// Updates the cache after a task of any kind: removes what its request has changed at the server, and offers a good
    /// response.
    func update(
        _ cache: any ResponseCache, after completion: TaskCompletion, of task: SessionTask,
        _ decide: (@Sendable (SessionTask, CachedResponse) -> CachedResponse?)?
    ) {
        let heads = completion.metrics.earlierHeads + (completion.head.map { [$0] } ?? [])
        for url in CacheInvalidation.urls(after: heads, to: task.request) {
            cache.removeResponse(for: TransferRequest(url: url))
        }
        guard !store(completion, of: task, in: cache, decide), !completion.isFromCache,
            completion.status.phase == .completed, let head = completion.head,
            CacheRules.supersedes(head, of: task.request)
        else { return }
        cache.removeResponse(for: task.request)
    }

    /// Offers a good response to the cache, and returns whether it is stored.
    ///
    /// The manager's closure may change or refuse it.
    private func store(
        _ completion: TaskCompletion, of task: SessionTask, in cache: any ResponseCache,
        _ decide: (@Sendable (SessionTask, CachedResponse) -> CachedResponse?)?
    ) -> Bool {
        let isNew = !completion.isFromCache || mutable.withLock { $0.revalidation != nil }
        guard completion.error == nil, isNew, collectsBody, task.kind == .data,
            let head = completion.head, CacheRules.isStorable(head, of: task.request)
        else { return false }
        let proposed = CachedResponse(
            request: task.request, head: CacheRules.dated(head, now: Self.now), data: completion.data)
        guard let response = decide.map({ $0(task, proposed) }) ?? proposed else { return false }
        cache.store(response)
        return true
    }

    private var collectsBody: Bool {
        if case .memory = route { true } else { false }
    }

    private func outcome(_ response: CachedResponse) -> CacheAnswer {
        let status = Self.status(of: response, TaskStatus())
        return .outcome(
            TransferOutcome(head: response.head, isFromCache: true, status: status), body: response.data)
    }

    private static func status(of response: CachedResponse, _ status: TaskStatus) -> TaskStatus {
        var status = status
        status.phase = .completed
        status.statusCode = response.head.statusCode
        status.received = Int64(response.data.count)
        status.expectedToReceive = status.received
        return status
    }

    private func missing(_ task: SessionTask) -> CacheAnswer {
        let error = SessionError(.notFound, ResponseErrors.cacheMiss, failingURL: task.request.url)
        var status = TaskStatus()
        status.phase = .failed
        return .outcome(TransferOutcome(error: error, status: status), body: Data())
    }

    // MARK: Revalidation

    private func question(about found: CachedResponse, _ task: SessionTask) -> CacheAnswer? {
        guard let conditions = CacheRules.conditions(found.head) else { return nil }
        var kept = found
        kept.request = task.request
        mutable.withLock { $0.revalidation = Revalidation(kept) }
        return .question(conditions)
    }

    /// Whether a head only confirms the cached response: it is not the response the caller asked for.
    func isConfirmation(_ head: ResponseHead) -> Bool {
        head.statusCode == 304 && mutable.withLock { $0.revalidation }?.isConfirmed(by: head) == true
    }

    /// The task's outcome from the cache, if the server has confirmed it with 304.
    func confirmed(_ outcome: TransferOutcome) -> (TransferOutcome, Data)? {
        guard outcome.error == nil, let head = outcome.head, head.statusCode == 304 else { return nil }
        let revalidation = mutable.withLock { state in
            defer { if state.revalidation?.isConfirmed(by: head) != true { state.revalidation = nil } }
            return state.revalidation
        }
        guard let revalidation, revalidation.isConfirmed(by: head) else { return nil }
        let kept = revalidation.kept
        let result = TransferOutcome(
            head: CacheRules.renewed(kept.head, by: head, now: Self.now), result: outcome.result, isFromCache: true,
            metrics: outcome.metrics, status: Self.status(of: kept, outcome.status))
        return (result, kept.data)
    }
}
