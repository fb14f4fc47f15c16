import Foundation
import SessionSupport

/// A task's use of the cache.
///
/// A class because most tasks have none, and inline it would enlarge every record.
final class CacheUse: Sendable {
    /// The sender when the task was started: its response may change the cookies.
    let sender: CacheSender
    /// The cached response that is being revalidated at its server; nil for none.
    let kept: CachedResponse?
    /// Whether another task has changed the resource meanwhile, so that the response may be older than the change.
    let isOutdated: Bool

    init(_ sender: CacheSender, revalidating kept: CachedResponse? = nil, isOutdated: Bool = false) {
        (self.sender, self.kept, self.isOutdated) = (sender, kept, isOutdated)
    }

    var outdated: CacheUse { CacheUse(sender, revalidating: kept, isOutdated: true) }

    func isConfirmed(by head: ResponseHead?) -> Bool {
        guard let head, let kept else { return false }
        return head.statusCode == 304 && head.url == kept.request.url
    }
}

/// The response cache: asked before the engine, updated after a good response.
extension TaskRecord {
    /// Answers a task from the manager's cache; nil if the request has to be sent unconditionally.
    ///
    /// Uploads, downloads and streamed bodies are never answered from the cache.
    func cacheAnswer(of task: SessionTask) -> CacheAnswer? {
        guard collectsBody, task.kind == .data else { return nil }
        let (request, policy) = (task.request, task.request.cachePolicy)
        let isCacheable = CacheRules.isCacheable(request)
        guard let cache = manager.withLock({ $0.responseCache }) else {
            return policy == .returnCacheDataDontLoad && isCacheable ? missing(task) : nil
        }
        let isLoaded = policy == .reloadIgnoringCacheData || !CacheRules.wantsNoServer(request)
        let nothing = isLoaded ? nil : Self.unanswered(request)
        guard isCacheable else { return nothing }
        let sender = CacheSender(of: request, session.configuration)
        mutable.withLock { $0.cacheUse = CacheUse(sender) }
        guard policy != .reloadIgnoringCacheData else { return nil }
        let found = cache.response(for: request).flatMap { sender.takes($0.head) ? $0 : nil }
        // Got in another name, it may be nothing for this sender.
        let own = found.flatMap { sender.owns($0.head) ? $0 : nil }
        switch policy {
        case .reloadIgnoringCacheData: return nil
        case .returnCacheDataElseLoad: return own.map(outcome) ?? nothing
        case .returnCacheDataDontLoad: return own.map(outcome) ?? missing(task)
        case .reloadRevalidatingCacheData: return found.flatMap { question(about: $0, task, sender) }
        case .useProtocolCachePolicy:
            if let own, CacheRules.isFresh(own.head, for: request, now: Self.now) { return outcome(own) }
            return nothing ?? found.flatMap { question(about: $0, task, sender) }
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
        if !changed.isEmpty { forget(changed, in: cache) }
        guard !store(completion, of: task, in: cache, decide), !completion.isFromCache,
            completion.status.phase == .completed, let head = completion.head,
            CacheRules.supersedes(head, of: task.request)
        else { return }
        cache.removeResponse(for: task.request)
    }

    /// Removes the responses of URLs, and sees that the ones on their way are not stored.
    private func forget(_ urls: [String], in cache: any ResponseCache) {
        for url in urls { cache.removeResponse(for: TransferRequest(url: url)) }
        let running = manager.withLock { $0.registry.values.filter { urls.contains($0.request.url) } }
        for case let record as TaskRecord in running.map(\.delegate) {
            record.mutable.withLock { $0.cacheUse = $0.cacheUse?.outdated }
        }
    }

    /// Offers a good response to the cache, and returns whether it is stored.
    ///
    /// The manager's closure may change or refuse it.
    private func store(
        _ completion: TaskCompletion, of task: SessionTask, in cache: any ResponseCache,
        _ decide: (@Sendable (SessionTask, CachedResponse) -> CachedResponse?)?
    ) -> Bool {
        let use = mutable.withLock { $0.cacheUse }
        let isNew = !completion.isFromCache || use?.kept != nil
        guard completion.error == nil, isNew, use?.isOutdated != true, collectsBody, task.kind == .data,
            let head = completion.head, CacheRules.isStorable(head, of: task.request)
        else { return false }
        let proposed = CachedResponse(
            request: task.request, head: CacheRules.dated(head, now: Self.now), data: completion.data)
        let sender = use?.sender ?? CacheSender(of: task.request, session.configuration)
        guard var response = decide.map({ $0(task, proposed) }) ?? proposed,
            let marked = sender.marked(response.head, sent: completion.metrics.requestHeaders)
        else { return false }
        response.head = marked
        cache.store(response)
        return true
    }

    private var collectsBody: Bool {
        if case .memory = route { true } else { false }
    }

    private func outcome(_ response: CachedResponse) -> CacheAnswer {
        let response = CacheSender.unmarked(response)
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

    private func question(about found: CachedResponse, _ task: SessionTask, _ sender: CacheSender) -> CacheAnswer? {
        guard let conditions = CacheRules.conditions(found.head, isOwn: sender.owns(found.head)) else { return nil }
        var kept = CacheSender.unmarked(found)
        kept.request = task.request
        mutable.withLock { $0.cacheUse = CacheUse(sender, revalidating: kept) }
        return .question(conditions)
    }

    /// Whether a head only confirms the cached response: it is not the response the caller asked for.
    func isConfirmation(_ head: ResponseHead) -> Bool {
        head.statusCode == 304 && mutable.withLock { $0.cacheUse }?.isConfirmed(by: head) == true
    }

    /// The task's outcome from the cache, if the server has confirmed it with 304.
    func confirmed(_ outcome: TransferOutcome) -> (TransferOutcome, Data)? {
        guard outcome.error == nil, let head = outcome.head, head.statusCode == 304 else { return nil }
        let use = mutable.withLock { $0.cacheUse }
        guard let use, use.isConfirmed(by: head), let kept = use.kept else { return nil }
        let result = TransferOutcome(
            head: CacheRules.renewed(kept.head, by: head, now: Self.now), result: outcome.result, isFromCache: true,
            metrics: outcome.metrics, status: Self.status(of: kept, outcome.status))
        return (result, kept.data)
    }
}
