public import Foundation
public import FoundationNetworking
import SessionSupport

/// A store in which a session manager keeps the bodies of data tasks; ``URLResponseCache`` wraps Foundation's.
///
/// The manager follows RFC 9111: `Cache-Control` and `Pragma` of a request count, and a request that changes something at
/// the server removes the response of its URL.
///
/// Several managers may share a cache. A stored response counts for requests that reach its server by the same proxy,
/// interface or socket and trust it for the same reasons: authorities, pins, policies. Where a closure is asked about
/// servers it counts for that manager alone. A response to a request with cookies or credentials is used for the same
/// ones; other requests ask about it as a shared cache does: by a strong tag, not if it is `private`, and with credentials
/// only if it is `public` or says `s-maxage` or `must-revalidate`. Else it is loaded again. Cookies that a response brings
/// are not stored, and one that brings some to a cookie store is asked about by each later request. A field
/// `SessionCore-Cache` of a stored head says all that. Requests to the cache have URLs without users and fragments.
///
/// Storing affects nothing that is delivered. A task answered from the cache completes like any other, but the closures
/// called while a response arrives, ``SessionHandlers/onResponse`` and ``SessionHandlers/onData``, are not called for
/// it.
///
/// ```swift
/// struct NoErrorPages: ResponseCache {
///     let cache = URLResponseCache()
///     func response(for request: TransferRequest) -> CachedResponse? { cache.response(for: request) }
///     func removeResponse(for request: TransferRequest) { cache.removeResponse(for: request) }
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
    /// Removes the stored response for a request, if any: a PUT, POST or DELETE may have changed what it describes.
    ///
    /// Called on the delegate queue.
    func removeResponse(for request: TransferRequest)
}

/// The cache of a manager that is gone: nothing is stored, because the closure that decides about it is gone too, but
/// what a task changes at its server is removed.
struct LeftCache: ResponseCache {
    let cache: any ResponseCache

    func store(_ response: CachedResponse) {}
    func response(for request: TransferRequest) -> CachedResponse? { cache.response(for: request) }
    func removeResponse(for request: TransferRequest) { cache.removeResponse(for: request) }
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
/// Foundation's cache on Linux tells URLs with different queries, or schemes, not apart. So a URL with a query has an
/// entry under a path of its own, which `URLSession` does not find, and an entry is used for its own URL alone.
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
        var head = response.head
        head.url = response.request.url
        guard let key = Self.key(for: response.request), let head = head.httpURLResponse else { return }
        cache.storeCachedResponse(CachedURLResponse(response: head, data: response.data), for: key)
    }

    /// Returns the stored response for a request.
    public func response(for request: TransferRequest) -> CachedResponse? {
        guard let key = Self.key(for: request), let found = cache.cachedResponse(for: key),
            let head = found.response as? HTTPURLResponse, let url = head.url, url == request.urlRequest?.url
        else { return nil }
        var fields = HeaderFields()
        for (name, value) in head.allHeaderFields {
            if let name = name as? String, let value = value as? String { fields.append(name: name, value: value) }
        }
        let result = ResponseHead(statusCode: head.statusCode, headers: fields, url: request.url)
        return CachedResponse(request: request, head: result, data: found.data)
    }

    /// Removes the stored response for a request.
    public func removeResponse(for request: TransferRequest) {
        if let key = Self.key(for: request) { cache.removeCachedResponse(for: key) }
    }

    /// Returns the request under which a response is stored; nil if Foundation cannot represent it.
    ///
    /// Foundation compares host, port and path, so the path of a URL with a query gets the URL's digest.
    private static func key(for request: TransferRequest) -> URLRequest? {
        guard request.url.utf8.contains(UInt8(ascii: "?")) else { return request.urlRequest }
        guard var key = request.urlRequest, let url = key.url,
            let digest = try? Digest.of(request.url.utf8, .sha256),
            var parts = URLComponents(url: url, resolvingAgainstBaseURL: false)
        else { return nil }
        parts.query = nil
        parts.percentEncodedPath += "/" + ByteText.hexadecimal(digest)
        key.url = parts.url
        return key
    }
}
