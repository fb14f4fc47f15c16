import Foundation
public import FoundationNetworking

/// Foundation's `URLCache` as a session manager's response cache.
///
/// A head that Foundation cannot hold, such as one with a field twice, is stored as Foundation joins it.
public struct URLResponseCache: ResponseCache {
    private let cache: URLCache

    /// Keeps responses in a cache; the process's shared one unless given.
    public init(_ cache: URLCache = .shared) { self.cache = cache }

    /// Stores a response within the cache's limits.
    public func store(_ response: CachedResponse) {
        guard let request = response.request.urlRequest, let head = response.head.httpURLResponse else { return }
        cache.storeCachedResponse(CachedURLResponse(response: head, data: response.data), for: request)
    }

    /// What is stored for a request.
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
