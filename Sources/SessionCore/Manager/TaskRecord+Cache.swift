import Foundation
import Support

/// The response cache: asked before the engine, told after a good answer.
extension TaskRecord {
    /// Answers a task from the manager's cache; nil when the server has to be asked.
    ///
    /// Uploads, downloads and streamed bodies are never answered so.
    func cachedOutcome(of task: SessionTask) -> TransferOutcome? {
        let policy = task.request.cachePolicy
        guard policy != .reloadIgnoringCacheData, collectsBody, task.kind == .data,
            CacheRules.isCacheable(task.request)
        else { return nil }
        let found = manager.withLock({ $0.responseCache })?.value.response(for: task.request)
        switch policy {
        case .reloadIgnoringCacheData: return nil
        case .returnCacheDataElseLoad: return found.map(outcome)
        case .returnCacheDataDontLoad: return found.map(outcome) ?? missing(task)
        case .useProtocolCachePolicy:
            guard let found, CacheRules.isFresh(found.head, now: Int64(Date().timeIntervalSince1970)) else {
                return nil
            }
            return outcome(found)
        }
    }

    /// Offers a good answer to the cache; the manager's closure may change or refuse it.
    func store(
        _ completion: TaskCompletion, of task: SessionTask, in cache: any ResponseCache,
        _ decide: (@Sendable (SessionTask, CachedResponse) -> CachedResponse?)?
    ) {
        guard completion.error == nil, !completion.isFromCache, collectsBody, task.kind == .data,
            let head = completion.head, CacheRules.isStorable(head, of: task.request)
        else { return }
        let proposed = CachedResponse(request: task.request, head: head, data: completion.data)
        if let response = decide.map({ $0(task, proposed) }) ?? proposed { cache.store(response) }
    }

    private var collectsBody: Bool {
        if case .body(.memory) = route { true } else { false }
    }

    private func outcome(_ response: CachedResponse) -> TransferOutcome {
        var outcome = TransferOutcome()
        outcome.head = response.head
        outcome.body = [UInt8](response.data)
        outcome.isFromCache = true
        outcome.status.phase = .completed
        outcome.status.statusCode = response.head.statusCode
        outcome.status.received = Int64(response.data.count)
        outcome.status.expectedToReceive = outcome.status.received
        return outcome
    }

    private func missing(_ task: SessionTask) -> TransferOutcome {
        var outcome = TransferOutcome()
        outcome.error = SessionError(
            .notFound, "The answer is not in the cache, and the request forbids asking the server",
            failingURL: task.request.url)
        outcome.status.phase = .failed
        return outcome
    }
}
