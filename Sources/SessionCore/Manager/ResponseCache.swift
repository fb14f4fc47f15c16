public import Foundation
public import FoundationNetworking
import SessionSupport

/// A store in which a session manager keeps the bodies of data tasks; ``URLResponseCache`` wraps Foundation's.
///
/// Storing affects nothing that is delivered. A task answered from the cache completes like any other, but the closures
/// called while a response arrives, ``SessionHandlers/onResponse`` and ``SessionHandlers/onData``, are not called for
/// it.
///
/// ```swift
/// struct NoErrorPages: ResponseCache {
///     let cache = URLResponseCache()
///     func response(for request: TransferRequest) -> CachedResponse? { cache.response(for: request) }
///     func store(_ response: CachedResponse) {
///         if response.head.statusCode < 400 { cache.store(response) }
///     }
/// }
/// manager.responseCache = NoErrorPages()
/// ```
public protocol ResponseCache: Sendable {
    /// Stores a response.
    ///
    /// Called on the delegate queue.
    func store(_ response: CachedResponse)
    /// Returns the stored response for a request, whatever its age.
    ///
    /// Called on the thread that first resumes a task, so it should be quick.
    func response(for request: TransferRequest) -> CachedResponse?
}

extension ResponseCache {
    /// Returns nil, for a cache that only stores.
    public func response(for request: TransferRequest) -> CachedResponse? { nil }
}

/// A response that may be stored.
///
/// ```swift
/// manager.onWillCacheResponse = { _, response in response.data.count < 1 << 20 ? response : nil }
/// ```
public struct CachedResponse: Sendable, Equatable {
    /// The request that was answered.
    public var request: TransferRequest
    /// The status code and the header fields.
    public var head: ResponseHead
    /// The body as the task has delivered it.
    public var data: Data

    /// A response from its parts.
    public init(request: TransferRequest, head: ResponseHead, data: Data) {
        self.request = request
        self.head = head
        self.data = data
    }
}

/// Foundation's `URLCache` as a session manager's response cache.
///
/// A head that Foundation cannot represent, such as one with a repeated field, is stored as Foundation joins it.
///
/// ```swift
/// manager.responseCache = URLResponseCache(URLCache(memoryCapacity: 8 << 20, diskCapacity: 0, diskPath: nil))
/// ```
public struct URLResponseCache: ResponseCache {
    private let cache: URLCache

    /// A store in the given cache, or in the process's shared one.
    public init(_ cache: URLCache = .shared) { self.cache = cache }

    /// Stores a response within the cache's limits.
    public func store(_ response: CachedResponse) {
        guard let request = response.request.urlRequest, let head = response.head.httpURLResponse else { return }
        cache.storeCachedResponse(CachedURLResponse(response: head, data: response.data), for: request)
    }

    /// Returns the stored response for a request.
    public func response(for request: TransferRequest) -> CachedResponse? {
        guard let key = request.urlRequest, let found = cache.cachedResponse(for: key),
            let head = found.response as? HTTPURLResponse
        else { return nil }
        var fields = HeaderFields()
        for (name, value) in head.allHeaderFields {
            if let name = name as? String, let value = value as? String { fields.append(name: name, value: value) }
        }
        let result = ResponseHead(statusCode: head.statusCode, headers: fields, url: request.url)
        return CachedResponse(request: request, head: result, data: found.data)
    }
}
