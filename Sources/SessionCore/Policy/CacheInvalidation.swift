import SessionSupport

/// The stored responses that a change at the server makes wrong (RFC 9111, 4.4).
enum CacheInvalidation {
    /// The methods that change nothing (RFC 9110, 9.2.1, and IANA's registry).
    private static let safeMethods: Set<String> = [
        "GET", "HEAD", "OPTIONS", "TRACE", "PROPFIND", "REPORT", "SEARCH", "QUERY",
    ]

    /// Returns the URLs whose stored responses count no longer after the responses to a request, in order: followed
    /// redirects, then the last one.
    static func urls(after heads: [ResponseHead], to request: TransferRequest) -> [String] {
        guard !safeMethods.contains(request.method) else { return [] }
        let accepted = heads.filter { (200..<400).contains($0.statusCode) }
        return accepted.flatMap { [$0.url] + named(in: $0) }
    }

    /// Returns the URLs that a response names at its own origin: it can say nothing about other origins.
    private static func named(in head: ResponseHead) -> [String] {
        guard let origin = try? Origin(head.url) else { return [] }
        let values = ["Location", "Content-Location"].flatMap { head.headers.values(named: $0) }
        return values.compactMap { value in
            guard let url = try? URLParser.resolve(value, against: head.url), (try? Origin(url)) == origin else {
                return nil
            }
            return url
        }
    }
}

/// The URLs that requests of a manager have changed lately: the response to an earlier request for one of them may be
/// older than the change, and is not stored.
struct CacheChanges: Sendable {
    /// The URLs that are remembered; with more, all are forgotten, and no earlier request's response is stored.
    private static let limit = 1_000

    /// The number of changes so far.
    private(set) var count: UInt32 = 0
    private var latest: [String: UInt32] = [:]
    private var forgotten: UInt32 = 0

    mutating func record(_ urls: [String]) {
        count &+= 1
        for url in urls { latest[url] = count }
        if latest.count > Self.limit { (latest, forgotten) = ([:], count) }
    }

    /// Whether a URL was changed after the first `before` changes.
    func contain(_ url: String, after before: UInt32) -> Bool { before < forgotten || latest[url] ?? 0 > before }
}
