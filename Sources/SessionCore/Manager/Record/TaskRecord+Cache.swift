import Foundation
import SessionSupport

/// A task's use of the cache.
///
/// A class because most tasks have none, and inline it would enlarge every record.
final class CacheUse: Sendable {
    /// The request when the task was started: a closure may have it follow a redirect.
    let request: TransferRequest
    /// The sender when the task was started: its response may change the cookies.
    let sender: CacheSender
    /// The cached response that is being revalidated at its server; nil for none.
    let kept: CachedResponse?
    /// The number of changes when the task was started.
    let changes: Int
    /// Whether a challenge was answered with a name and a password, of which the sender knows nothing.
    let isAnswered: Bool

    init(
        _ request: TransferRequest, _ sender: CacheSender, revalidating kept: CachedResponse? = nil,
        changes: Int = CacheUse.changes.withLock { $0.count }, isAnswered: Bool = false
    ) {
        (self.request, self.sender, self.kept) = (request, sender, kept)
        (self.changes, self.isAnswered) = (changes, isAnswered)
    }

    /// The changes of all managers, because several of them may share a cache.
    static let changes = Locked(CacheChanges())

    /// The request under which responses of the resource are stored.
    var key: TransferRequest { Self.key(request) }

    static func key(_ request: TransferRequest) -> TransferRequest {
        var key = request
        key.url = CacheInvalidation.resource(request.url)
        return key
    }

    var answered: CacheUse { CacheUse(request, sender, revalidating: kept, changes: changes, isAnswered: true) }

    /// Whether the response may be older than a change of the resource by another task.
    var isOutdated: Bool { Self.changes.withLock { $0.mayHaveChanged(key.url, since: changes) } }

    /// Whether a head confirms the kept response: not a 304 of another version, even if nothing was asked about.
    func isConfirmed(by head: ResponseHead?) -> Bool {
        guard let head, let kept, head.statusCode == 304, head.url == kept.request.url else { return false }
        let conditions = CacheRules.conditions(kept.head, isOwn: true) ?? [:]
        return !CacheRules.isOfOtherVersion(head, askedWith: conditions)
    }
}

/// The response cache: asked before the engine, updated after a good response.
extension TaskRecord {
    /// Answers a task from the manager's cache; nil if the request has to be sent unconditionally.
    ///
    /// Uploads, downloads and streamed bodies are never answered from the cache.
    func cacheAnswer(of task: SessionTask) -> CacheAnswer? {
        guard collectsBody, task.kind == .data else { return nil }
        let (request, policy) = (asSent(task.request), task.request.cachePolicy)
        let isCacheable = CacheRules.isCacheable(request)
        guard let cache = manager.withLock({ $0.responseCache }) else {
            return policy == .returnCacheDataDontLoad && isCacheable ? missing(task) : nil
        }
        let isLoaded = policy == .reloadIgnoringCacheData || !CacheRules.wantsNoServer(request)
        let nothing = isLoaded ? nil : Self.unanswered(request)
        guard isCacheable else { return nothing }
        let use = CacheUse(request, sender(of: request))
        let sender = use.sender
        mutable.withLock { $0.cacheUse = use }
        guard policy != .reloadIgnoringCacheData else { return nil }
        let found = cache.response(for: use.key).flatMap { sender.takes($0.head) ? $0 : nil }
        // Got in another name, it may be nothing for this sender.
        let own = found.flatMap { sender.owns($0.head) ? $0 : nil }
        switch policy {
        case .reloadIgnoringCacheData: return nil
        case .returnCacheDataElseLoad: return own.map { outcome($0, of: task) } ?? nothing
        case .returnCacheDataDontLoad: return own.map { outcome($0, of: task) } ?? missing(task)
        case .reloadRevalidatingCacheData: return found.flatMap { question(about: $0, use) }
        case .useProtocolCachePolicy:
            if let own, CacheRules.isFresh(own.head, for: request, now: Self.now) { return outcome(own, of: task) }
            return nothing ?? found.flatMap { question(about: $0, use) }
        }
    }

    /// A request with the session's directives for caches.
    private func asSent(_ request: TransferRequest) -> TransferRequest {
        CacheRules.completed(request, by: session.configuration.additionalHeaders)
    }

    private func sender(of request: TransferRequest, earlier: CacheSender? = nil) -> CacheSender {
        let certificate = session.credentials.withLock { $0.certificate(for: request.url) }
        let (trust, asks) = manager.withLock { ($0.trust, $0.handlers.questions.contains(.challenge)) }
        let key = trust?.cacheKey(for: URLScan(request.url).host.map { String(request.url[$0]) }, asks: asks)
        return CacheSender(
            of: request, session.configuration, certificate: certificate, trust: key, earlier: earlier)
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
    ///
    /// A change counts without a cache too: other managers may have one.
    func updateCache(
        _ cache: (any ResponseCache)?, after completion: TaskCompletion, of task: SessionTask,
        _ decide: (@Sendable (SessionTask, CachedResponse) -> CachedResponse?)?
    ) {
        let changed = CacheInvalidation.urls(
            after: completion.metrics.earlierHeads + (completion.head.map { [$0] } ?? []), to: task.request
        ).map(CacheInvalidation.resource)
        // First, so that responses on their way are not stored after the removal.
        if !changed.isEmpty { CacheUse.changes.withLock { $0.record(changed) } }
        guard let cache else { return }
        for resource in changed { cache.removeResponse(for: TransferRequest(url: resource)) }
        keep(completion, of: task, in: cache, decide)
    }

    /// Offers a good response to the cache, and removes the stored one that another response supersedes.
    private func keep(
        _ completion: TaskCompletion, of task: SessionTask, in cache: any ResponseCache,
        _ decide: (@Sendable (SessionTask, CachedResponse) -> CachedResponse?)?
    ) {
        let use = mutable.withLock { $0.cacheUse }
        let request = use?.request ?? asSent(task.request)
        guard !store(completion, of: task, in: cache, decide), completion.status.phase == .completed,
            let head = completion.head, CacheRules.supersedes(head, of: request)
        else { return }
        // A response that a 304 has confirmed is superseded where that says that it may be stored no longer.
        let isNewer = !completion.isFromCache || use?.kept != nil && !CacheRules.isStorable(head, of: request)
        if isNewer { cache.removeResponse(for: CacheUse.key(request)) }
    }

    /// Offers a good response to the cache, and returns whether it is stored.
    ///
    /// The manager's closure may change or refuse it.
    private func store(
        _ completion: TaskCompletion, of task: SessionTask, in cache: any ResponseCache,
        _ decide: (@Sendable (SessionTask, CachedResponse) -> CachedResponse?)?
    ) -> Bool {
        // The closure that decides is gone with its manager.
        guard !(cache is LeftCache), let use = mutable.withLock({ $0.cacheUse }), completion.error == nil,
            !completion.isFromCache || use.kept != nil, isKnown(use, completion), !use.isOutdated, collectsBody,
            task.kind == .data, let head = completion.head, CacheRules.isStorable(head, of: asSent(task.request))
        else { return false }
        let arrival = CacheRules.arrival(completion.metrics, now: Self.now)
        let proposed = CachedResponse(
            request: task.request, head: completion.isFromCache ? head : CacheRules.received(head, now: arrival),
            data: completion.data)
        guard var response = decide.map({ $0(task, proposed) }) ?? proposed,
            let marked = use.sender.marked(
                response.head, sent: completion.metrics.requestHeaders,
                bringsCookies: head.headers["Set-Cookie"] != nil)
        else { return false }
        response.head = marked
        response.request = CacheUse.key(response.request)
        cache.store(response)
        // Another manager may have changed the resource just now.
        if use.isOutdated { cache.removeResponse(for: use.key) }
        return true
    }

    /// Whether a response is to its sender and to its request as they were at the start.
    ///
    /// A challenge, a redirect or other cookies may have told the server more. Where none were kept, the sent request says
    /// whether some came before it; later ones, such as the response's own, are the next request's.
    private func isKnown(_ use: CacheUse, _ completion: TaskCompletion) -> Bool {
        let earlier = use.sender.cookies == nil ? use.sender : nil
        return !use.isAnswered && sender(of: use.request, earlier: earlier) == use.sender
            && !completion.metrics.earlierHeads.contains { RedirectPolicy.isRedirect($0.statusCode) }
    }

    private var collectsBody: Bool {
        if case .memory = route { true } else { false }
    }

    private func outcome(_ response: CachedResponse, of task: SessionTask) -> CacheAnswer {
        var response = CacheSender.unmarked(response)
        response.head.url = task.request.url
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

    private func question(about found: CachedResponse, _ use: CacheUse) -> CacheAnswer? {
        guard let conditions = use.sender.conditions(found.head) else { return nil }
        var kept = CacheSender.unmarked(found)
        (kept.request, kept.head.url) = (use.request, use.request.url)
        let question = CacheUse(use.request, use.sender, revalidating: kept, changes: use.changes)
        mutable.withLock { $0.cacheUse = question }
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
