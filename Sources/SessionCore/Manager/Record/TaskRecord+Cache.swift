import Foundation
import SessionSupport

/// An answer of the cache that a server is asked about, and whether it still holds.
///
/// A class because most tasks have none, and a place for it would be in each record.
final class Revalidation: Sendable {
    let kept: CachedResponse

    init(_ kept: CachedResponse) { self.kept = kept }

    /// Whether a head says that what is kept still holds.
    func isConfirmed(by head: ResponseHead?) -> Bool {
        head.map { $0.statusCode == 304 && $0.url == kept.request.url } ?? false
    }
}

/// The response cache: asked before the engine, told after a good answer.
extension TaskRecord {
    /// Answers a task from the manager's cache; nil when the server has to be asked for everything.
    ///
    /// Uploads, downloads and streamed bodies are never answered so.
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
            let isFresh = CacheRules.isFresh(found.head, now: Int64(Date().timeIntervalSince1970))
            return isFresh ? outcome(found) : question(about: found, task)
        }
    }

    /// Offers a good answer to the cache; the manager's closure may change or refuse it.
    func store(
        _ completion: TaskCompletion, of task: SessionTask, in cache: any ResponseCache,
        _ decide: (@Sendable (SessionTask, CachedResponse) -> CachedResponse?)?
    ) {
        let isNew = !completion.isFromCache || mutable.withLock { $0.revalidation != nil }
        guard completion.error == nil, isNew, collectsBody, task.kind == .data,
            let head = completion.head, CacheRules.isStorable(head, of: task.request)
        else { return }
        let proposed = CachedResponse(request: task.request, head: head, data: completion.data)
        if let response = decide.map({ $0(task, proposed) }) ?? proposed { cache.store(response) }
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

    // MARK: Asking whether it still holds

    private func question(about found: CachedResponse, _ task: SessionTask) -> CacheAnswer? {
        guard let conditions = CacheRules.conditions(found.head) else { return nil }
        var request = task.request
        for field in conditions { request.headers.append(name: field.name, value: field.value) }
        var kept = found
        kept.request = task.request
        mutable.withLock { $0.revalidation = Revalidation(kept) }
        return .question(request)
    }

    /// Whether a head only says that what is kept still holds: it is no answer that anybody asked for.
    func isConfirmation(_ head: ResponseHead) -> Bool {
        head.statusCode == 304 && mutable.withLock { $0.revalidation }?.isConfirmed(by: head) == true
    }

    /// The end of a task with what the cache has, where the server has said that it still holds.
    func confirmed(_ outcome: TransferOutcome) -> (TransferOutcome, Data)? {
        guard outcome.error == nil, let head = outcome.head, head.statusCode == 304 else { return nil }
        let revalidation = mutable.withLock { state in
            defer { if state.revalidation?.isConfirmed(by: head) != true { state.revalidation = nil } }
            return state.revalidation
        }
        guard let revalidation, revalidation.isConfirmed(by: head) else { return nil }
        let kept = revalidation.kept
        let result = TransferOutcome(
            head: CacheRules.renewed(kept.head, by: head), result: outcome.result, isFromCache: true,
            metrics: outcome.metrics, status: Self.status(of: kept, outcome.status))
        return (result, kept.data)
    }
}
