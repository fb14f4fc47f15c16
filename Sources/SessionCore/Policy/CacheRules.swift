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

    /// Returns whether a request allows no server to be asked.
    static func wantsNoServer(_ request: TransferRequest) -> Bool {
        ["GET", "HEAD"].contains(request.method) && directives(request.headers)["only-if-cached"] != nil
    }

    /// Returns whether a response may be stored.
    ///
    /// A redirected response belongs to another URL, and one with `Vary` would need the request's fields stored too.
    static func isStorable(_ head: ResponseHead, of request: TransferRequest) -> Bool {
        guard isCacheable(request), head.statusCode == 200, head.url == request.url,
            directives(head.headers)["no-store"] == nil, directives(request.headers)["no-store"] == nil
        else { return false }
        let varies = head.headers.values(named: "Vary").flatMap { $0.split(separator: ",") }
        return varies.allSatisfy { ByteText.isSame(ByteText.trimmed($0), "Accept-Encoding") }
    }

    /// Returns whether a stored response may be used for a request without asking the server: by its explicit lifetime
    /// alone, and if the request wants no newer one (RFC 9111, 5.2.1).
    ///
    /// - Parameter now: seconds since 1970.
    static func isFresh(_ head: ResponseHead, for request: TransferRequest, now: Int64) -> Bool {
        guard let age = age(head, now: now), let lifetime = lifetime(head), age < lifetime else { return false }
        let wishes = directives(request.headers)
        guard wishes["no-cache"] == nil else { return false }
        // Pragma is for servers without Cache-Control (5.4).
        if wishes.isEmpty, hasPragma(request) { return false }
        if let text = wishes["max-age"] {
            guard let oldest = ByteText.decimal(text), oldest > 0, age <= oldest else { return false }
        }
        if let text = wishes["min-fresh"] {
            guard let least = ByteText.decimal(text), lifetime - age >= least else { return false }
        }
        return true
    }

    /// Returns the seconds since the server made a response; nil without a date.
    private static func age(_ head: ResponseHead, now: Int64) -> Int64? {
        guard let date = head.headers["Date"].flatMap(HTTPDate.seconds) else { return nil }
        // Age counts the seconds in other caches before this one (RFC 9111, 4.2.3).
        let earlier = head.headers["Age"].flatMap { ByteText.decimal($0) } ?? 0
        let (total, overflowed) = max(0, now - date).addingReportingOverflow(earlier)
        return overflowed ? nil : total
    }

    /// Returns the seconds for which a response is fresh; nil if it does not say.
    private static func lifetime(_ head: ResponseHead) -> Int64? {
        let directives = directives(head.headers)
        guard directives["no-cache"] == nil else { return nil }
        if let text = directives["max-age"] { return ByteText.decimal(text) }
        guard let date = head.headers["Date"].flatMap(HTTPDate.seconds),
            let end = head.headers["Expires"].flatMap(HTTPDate.seconds)
        else { return nil }
        return end - date
    }

    private static func hasPragma(_ request: TransferRequest) -> Bool {
        let words = request.headers.values(named: "Pragma").flatMap { $0.split(separator: ",") }
        return words.contains { ByteText.isSame(ByteText.trimmed($0), "no-cache") }
    }

    /// Returns a head to store: one without a readable date gets the time of its receipt (RFC 9110, 6.6.1).
    ///
    /// - Parameter now: seconds since 1970.
    static func dated(_ head: ResponseHead, now: Int64) -> ResponseHead {
        guard head.headers["Date"].flatMap(HTTPDate.seconds) == nil else { return head }
        var result = head
        result.headers["Date"] = HTTPDate.text(now)
        return result
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
    ///
    /// - Parameter now: seconds since 1970.
    static func renewed(_ head: ResponseHead, by answer: ResponseHead, now: Int64) -> ResponseHead {
        var result = head
        // The age of the response is from now on the age of the 304.
        result.headers["Age"] = nil
        let answer = dated(answer, now: now)
        for field in answer.headers where !fieldsOfTheBody.contains(where: { ByteText.isSame($0, field.name) }) {
            result.headers[field.name] = field.value
        }
        return result
    }

    /// Returns the directives of `Cache-Control`, keyed by lower-case name.
    private static func directives(_ headers: HeaderFields) -> [String: String] {
        var result: [String: String] = [:]
        for part in headers.values(named: "Cache-Control").flatMap({ $0.split(separator: ",") }) {
            let pair = part.split(separator: "=", maxSplits: 1)
            guard let name = pair.first.map({ ByteText.lowercased(ByteText.trimmed($0)) }) else { continue }
            let value = pair.count > 1 ? ByteText.trimmed(pair[1]).filter { $0 != "\"" } : ""
            if result[name] == nil { result[name] = value }
        }
        return result
    }
}
