import SessionSupport

/// The rules of a private cache (RFC 9111): which responses it may store and when it may reuse them.
enum CacheRules {
    /// Request fields that a response depends on although its URL does not show them.
    private static let personalFields = [
        "Authorization", "Cookie", "Range", "If-Match", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since",
        "If-Range", "Accept-Encoding",
    ]

    /// Returns whether a cached response can be right for a request at all.
    static func isCacheable(_ request: TransferRequest) -> Bool {
        request.method == "GET" && request.body == .none && personalFields.allSatisfy { request.headers[$0] == nil }
    }

    /// Returns whether a response may be stored.
    ///
    /// A redirected response belongs to another URL, and one with `Vary` would need the request's fields stored too.
    static func isStorable(_ head: ResponseHead, of request: TransferRequest) -> Bool {
        guard isCacheable(request), head.statusCode == 200, head.url == request.url,
            directives(head)["no-store"] == nil
        else { return false }
        let varies = head.headers.values(named: "Vary").flatMap { $0.split(separator: ",") }
        return varies.allSatisfy { ByteText.isSame(ByteText.trimmed($0), "Accept-Encoding") }
    }

    /// Returns whether a stored response may be used without asking the server, by its explicit lifetime alone.
    ///
    /// - Parameter now: seconds since 1970.
    static func isFresh(_ head: ResponseHead, now: Int64) -> Bool {
        let directives = directives(head)
        guard directives["no-cache"] == nil, let date = head.headers["Date"].flatMap(HTTPDate.seconds) else {
            return false
        }
        let lifetime: Int64
        if let text = directives["max-age"] {
            guard let seconds = ByteText.decimal(text) else { return false }
            lifetime = seconds
        } else {
            guard let end = head.headers["Expires"].flatMap(HTTPDate.seconds) else { return false }
            lifetime = end - date
        }
        // Age counts the seconds in other caches before this one (RFC 9111, 4.2.3).
        let age = head.headers["Age"].flatMap { ByteText.decimal($0) } ?? 0
        let (total, overflowed) = max(0, now - date).addingReportingOverflow(age)
        return !overflowed && total < lifetime
    }

    /// Returns the fields that validate a stored response; nil if it has no validator (RFC 9111, 4.3.1).
    static func conditions(_ head: ResponseHead) -> HeaderFields? {
        var fields = HeaderFields()
        if let tag = head.headers["ETag"] { fields.append(name: "If-None-Match", value: tag) }
        if let date = head.headers["Last-Modified"] { fields.append(name: "If-Modified-Since", value: date) }
        return fields.isEmpty ? nil : fields
    }

    /// Fields of a stored response that a 304 does not change: they describe the body that was sent with it.
    private static let fieldsOfTheBody = [
        "Content-Length", "Content-Encoding", "Content-Range", "Transfer-Encoding", "Connection",
    ]

    /// Returns the stored head, updated by the fields of a 304 (RFC 9111, 3.2).
    static func renewed(_ head: ResponseHead, by answer: ResponseHead) -> ResponseHead {
        var result = head
        for field in answer.headers where !fieldsOfTheBody.contains(where: { ByteText.isSame($0, field.name) }) {
            result.headers[field.name] = field.value
        }
        return result
    }

    /// Returns the directives of `Cache-Control`, keyed by lower-case name.
    private static func directives(_ head: ResponseHead) -> [String: String] {
        var result: [String: String] = [:]
        for part in head.headers.values(named: "Cache-Control").flatMap({ $0.split(separator: ",") }) {
            let pair = part.split(separator: "=", maxSplits: 1)
            guard let name = pair.first.map({ ByteText.lowercased(ByteText.trimmed($0)) }) else { continue }
            let value = pair.count > 1 ? ByteText.trimmed(pair[1]).filter { $0 != "\"" } : ""
            if result[name] == nil { result[name] = value }
        }
        return result
    }
}
