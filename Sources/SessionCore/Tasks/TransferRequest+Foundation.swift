import Foundation
public import FoundationNetworking

/// The bridge to Foundation's request.
extension TransferRequest {
    /// Foundation's request; nil when Foundation does not accept the URL's text.
    ///
    /// Only a body of bytes is carried over.
    public var urlRequest: URLRequest? {
        guard let url = URL(string: url) else { return nil }
        var result = URLRequest(url: url)
        result.httpMethod = method
        for field in headers { result.addValue(field.value, forHTTPHeaderField: field.name) }
        if case .bytes(let bytes) = body { result.httpBody = Data(bytes) }
        if let idleTimeout { result.timeoutInterval = idleTimeout }
        result.cachePolicy = foundationCachePolicy
        return result
    }

    private var foundationCachePolicy: URLRequest.CachePolicy {
        switch cachePolicy {
        case .useProtocolCachePolicy: .useProtocolCachePolicy
        case .reloadIgnoringCacheData: .reloadIgnoringLocalCacheData
        case .returnCacheDataElseLoad: .returnCacheDataElseLoad
        case .returnCacheDataDontLoad: .returnCacheDataDontLoad
        }
    }

    /// Ours of the same meaning; an answer that would have to be revalidated is loaded.
    private static func cachePolicy(_ policy: URLRequest.CachePolicy) -> CachePolicy {
        switch policy {
        case .useProtocolCachePolicy: .useProtocolCachePolicy
        case .returnCacheDataElseLoad: .returnCacheDataElseLoad
        case .returnCacheDataDontLoad: .returnCacheDataDontLoad
        case .reloadIgnoringLocalCacheData, .reloadIgnoringLocalAndRemoteCacheData, .reloadRevalidatingCacheData:
            .reloadIgnoringCacheData
        @unknown default: .reloadIgnoringCacheData
        }
    }

    /// Takes over URL, method, header fields, cache policy, body data and a time-out other than Foundation's default of 60 s, which
    /// cannot be told from "not set".
    ///
    /// A body stream is not taken over.
    public init(_ request: URLRequest) throws(SessionError) {
        guard let url = request.url else { throw SessionError(.invalidURL, "The request has no URL") }
        self.init(url: url.absoluteString, method: request.httpMethod ?? "GET")
        let fields = request.allHTTPHeaderFields ?? [:]
        for name in fields.keys.sorted() { headers.append(name: name, value: fields[name] ?? "") }
        if let body = request.httpBody { self.body = .bytes(Array(body)) }
        cachePolicy = Self.cachePolicy(request.cachePolicy)
        if request.timeoutInterval != 60, request.timeoutInterval > 0 { idleTimeout = request.timeoutInterval }
    }
}
