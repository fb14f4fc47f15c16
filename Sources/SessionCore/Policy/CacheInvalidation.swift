import SessionSupport

/// The stored responses that a change at the server makes wrong (RFC 9111, 4.4).
enum CacheInvalidation {
    /// The methods that change nothing (RFC 9110, 9.2.1, and IANA's registry).
    private static let safeMethods: Set<String> = [
        "GET", "HEAD", "OPTIONS", "TRACE", "PROPFIND", "REPORT", "SEARCH", "QUERY",
    ]

    /// Returns the URLs whose stored responses count no longer after the responses to a request, in order: followed
    /// redirects, then the last one.
    static func urls(after heads: @autoclosure () -> [ResponseHead], to request: TransferRequest) -> [String] {
        guard !safeMethods.contains(request.method) else { return [] }
        let accepted = heads().filter { (200..<400).contains($0.statusCode) }
        return accepted.flatMap { [$0.url] + named(in: $0) }
    }

    /// Returns the URL that all names of a resource have in common: without user and fragment, which no server tells
    /// resources apart by, without a port that its scheme has anyway (RFC 9110, 4.2.3), and otherwise as it is requested:
    /// without dot segments, with bytes beyond ASCII escaped.
    static func resource(_ url: String) -> String {
        guard let parsed = try? ParsedURL(url) else { return url }
        let isUsual = parsed.port == (parsed.scheme == "https" ? 443 : 80)
        let hasEmptyQuery = parsed.query == nil && URLScan(url).query != nil
        return "\(parsed.scheme)://\(parsed.host)" + (isUsual ? "" : ":\(parsed.port)") + parsed.target
            + (hasEmptyQuery ? "?" : "")
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
