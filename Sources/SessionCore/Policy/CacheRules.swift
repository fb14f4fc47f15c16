import SessionSupport

/// What may be kept of responses and when it may be used again: a private cache (RFC 9111).
enum CacheRules {
    /// Fields of a request that its answer depends on in ways that its URL does not show.
    private static let personalFields = [
        "Authorization", "Cookie", "Range", "If-Match", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since",
        "If-Range", "Accept-Encoding",
    ]

    /// Whether an answer from a cache can be right for a request at all.
    static func isCacheable(_ request: TransferRequest) -> Bool {
        request.method == "GET" && request.body == .none && personalFields.allSatisfy { request.headers[$0] == nil }
    }

    /// Whether an answer may be kept.
    ///
    /// One that came by a redirect belongs to another URL, and one that varies would need the request's fields kept too.
    static func isStorable(_ head: ResponseHead, of request: TransferRequest) -> Bool {
        guard isCacheable(request), head.statusCode == 200, head.url == request.url,
            directives(head)["no-store"] == nil
        else { return false }
        let varies = head.headers.values(named: "Vary").flatMap { $0.split(separator: ",") }
        return varies.allSatisfy { ByteText.isSame(ByteText.trimmed($0), "Accept-Encoding") }
    }

    /// Whether a kept answer may be used without asking the server, by its explicit lifetime alone.
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
        // What it had aged in other caches before it came here (RFC 9111, 4.2.3).
        let age = head.headers["Age"].flatMap { ByteText.decimal($0) } ?? 0
        let (total, overflowed) = max(0, now - date).addingReportingOverflow(age)
        return !overflowed && total < lifetime
    }

    /// The fields that ask a server whether a kept answer still holds; nil where it has nothing to ask by (RFC 9111, 4.3.1).
    static func conditions(_ head: ResponseHead) -> HeaderFields? {
        var fields = HeaderFields()
        if let tag = head.headers["ETag"] { fields.append(name: "If-None-Match", value: tag) }
        if let date = head.headers["Last-Modified"] { fields.append(name: "If-Modified-Since", value: date) }
        return fields.isEmpty ? nil : fields
    }

    /// Fields of a kept answer that a 304 does not change: they belong to the body that was sent with it.
    private static let fieldsOfTheBody = [
        "Content-Length", "Content-Encoding", "Content-Range", "Transfer-Encoding", "Connection",
    ]

    /// The head of a kept answer that a server has said still holds, with what is new (RFC 9111, 3.2).
    static func renewed(_ head: ResponseHead, by answer: ResponseHead) -> ResponseHead {
        var result = head
        for field in answer.headers where !fieldsOfTheBody.contains(where: { ByteText.isSame($0, field.name) }) {
            result.headers[field.name] = field.value
        }
        return result
    }

    /// The directives of `Cache-Control` by their names in small letters.
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
