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
        guard collectsBody, task.kind == .data else { return nil }
        let (cache, changes) = manager.withLock { ($0.responseCache, $0.cacheChanges.count) }
        if changes > 0 { mutable.withLock { $0.changesBefore = changes } }
        let (request, policy) = (task.request, task.request.cachePolicy)
        guard policy != .reloadIgnoringCacheData else { return nil }
        let wantsNoServer = cache != nil && CacheRules.wantsNoServer(request)
        guard CacheRules.isCacheable(request) else { return wantsNoServer ? Self.unanswered(request) : nil }
        let found = cache?.response(for: request)
        switch policy {
        case .reloadIgnoringCacheData: return nil
        case .returnCacheDataElseLoad:
            return found.map(outcome) ?? (wantsNoServer ? Self.unanswered(request) : nil)
        case .returnCacheDataDontLoad: return found.map(outcome) ?? missing(task)
        case .reloadRevalidatingCacheData: return found.flatMap { question(about: $0, task) }
        case .useProtocolCachePolicy:
            if let found, CacheRules.isFresh(found.head, for: request, now: Self.now) { return outcome(found) }
            return wantsNoServer ? Self.unanswered(request) : found.flatMap { question(about: $0, task) }
        }
    }

    /// The answer of a cache that may not ask a server and has no suitable response (RFC 9111, 5.2.1.7).
    private static func unanswered(_ request: TransferRequest) -> CacheAnswer {
        var status = TaskStatus()
        (status.phase, status.statusCode) = (.completed, 504)
        let head = ResponseHead(statusCode: 504, url: request.url)
        return .outcome(TransferOutcome(head: head, isFromCache: true, status: status), body: Data())
    }

    private static var now: Int64 { Int64(Date().timeIntervalSince1970) }

    /// Updates the cache after a task of any kind: removes what its request has changed at the server, and offers a good
    /// response.
    func update(
        _ cache: any ResponseCache, after completion: TaskCompletion, of task: SessionTask,
        _ decide: (@Sendable (SessionTask, CachedResponse) -> CachedResponse?)?
    ) {
        let heads = completion.metrics.earlierHeads + (completion.head.map { [$0] } ?? [])
        let changed = CacheInvalidation.urls(after: heads, to: task.request)
        if !changed.isEmpty { manager.withLock { $0.cacheChanges.record(changed) } }
        for url in changed { cache.removeResponse(for: TransferRequest(url: url)) }
        store(completion, of: task, in: cache, decide)
    }

    /// Offers a good response to the cache; the manager's closure may change or refuse it.
    private func store(
        _ completion: TaskCompletion, of task: SessionTask, in cache: any ResponseCache,
        _ decide: (@Sendable (SessionTask, CachedResponse) -> CachedResponse?)?
    ) {
        let isNew = !completion.isFromCache || mutable.withLock { $0.revalidation != nil }
        guard completion.error == nil, isNew, collectsBody, task.kind == .data,
            let head = completion.head, CacheRules.isStorable(head, of: task.request),
            !hasChanged(task.request.url)
        else { return }
        let proposed = CachedResponse(
            request: task.request, head: CacheRules.dated(head, now: Self.now), data: completion.data)
        if let response = decide.map({ $0(task, proposed) }) ?? proposed { cache.store(response) }
    }

    /// Whether a URL was changed since the task began, so that its response may be the one before the change.
    private func hasChanged(_ url: String) -> Bool {
        let before = mutable.withLock { $0.changesBefore }
        return manager.withLock { $0.cacheChanges.contain(url, after: before) }
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
        var request = task.request
        for field in conditions { request.headers.append(name: field.name, value: field.value) }
        var kept = found
        kept.request = task.request
        mutable.withLock { $0.revalidation = Revalidation(kept) }
        return .question(request)
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
