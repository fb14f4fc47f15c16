/// Where a session manager keeps the bodies of data tasks and looks for them; ``URLResponseCache`` is Foundation's.
///
/// Storing affects nothing that is delivered. A task answered from the cache completes like any other, but the
/// closures that follow a response on its way, ``SessionHandlers/onResponse`` and ``SessionHandlers/onData``, are not
/// called for it.
public protocol ResponseCache: Sendable {
    /// Keeps a response.
    ///
    /// Called on the delegate queue.
    func store(_ response: CachedResponse)
    /// What is kept for a request, whatever its age.
    ///
    /// Called on the thread that first resumes a task, so it should be quick.
    func response(for request: TransferRequest) -> CachedResponse?
}

extension ResponseCache {
    /// Nothing: a cache that only stores.
    public func response(for request: TransferRequest) -> CachedResponse? { nil }
}
