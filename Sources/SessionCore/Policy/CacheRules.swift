import SessionSupport

/// The rules of a private cache (RFC 9111): which responses it may store and when it may reuse them.
enum CacheRules {
    /// Request fields that a response depends on although its URL does not show them.
    private static let personalFields = [
        "Authorization", "Cookie", "Range", "If-Match", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since",
        "If-Range", "Accept-Encoding",
    ]

    /// Returns a request with the directives that are sent with it: a session's field counts where the request has none
    /// of its name.
    static func completed(_ request: TransferRequest, by session: HeaderFields) -> TransferRequest {
        var result = request
        for name in ["Cache-Control", "Pragma"] where request.headers[name] == nil {
            for value in session.values(named: name) { result.headers.append(name: name, value: value) }
        }
        return result
    }

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
    /// Credentials and cookies are compared when a response is used; see ``CacheSender``.
    static func isStorable(_ head: ResponseHead, of request: TransferRequest) -> Bool {
        guard isCacheable(request), head.statusCode == 200, head.url == request.url,
            directives(head.headers)["no-store"] == nil, directives(request.headers)["no-store"] == nil
        else { return false }
        let varies = head.headers.values(named: "Vary").flatMap { $0.split(separator: ",") }
        return varies.allSatisfy { ByteText.isSame(ByteText.trimmed($0), "Accept-Encoding") }
    }

    /// Returns whether a response shows that the stored one of its request's URL is out of date, although it cannot be
    /// stored itself: the file is another, gone, or elsewhere.
    static func supersedes(_ head: ResponseHead, of request: TransferRequest) -> Bool {
        guard isCacheable(request) else { return false }
        return head.url == request.url ? [200, 404, 410].contains(head.statusCode) : head.statusCode == 200
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

    /// Returns the seconds since the server made a response; nil without a date, and for one from the future, which a
    /// clock that was turned back makes of it.
    private static func age(_ head: ResponseHead, now: Int64) -> Int64? {
        guard let date = head.headers["Date"].flatMap(HTTPDate.seconds), date <= now else { return nil }
        // Age counts the seconds before its date was known here; see `received`. A number that does not fit means a
        // very old response (1.2.2).
        guard let earlier = ByteText.decimal(head.headers["Age"] ?? "0") else { return nil }
        let (total, overflowed) = (now - date).addingReportingOverflow(earlier)
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

    /// Returns a head to store: one without a readable date gets the time of its receipt (RFC 9110, 6.6.1), and so does
    /// one from a server whose clock is ahead, which would stay fresh until that time.
    ///
    /// - Parameter now: seconds since 1970.
    static func dated(_ head: ResponseHead, now: Int64) -> ResponseHead {
        let date = head.headers["Date"].flatMap(HTTPDate.seconds)
        if let date, date <= now { return head }
        var result = head
        result.headers["Date"] = HTTPDate.text(now)
        // The end of its lifetime is by the same clock.
        if let date, let end = head.headers["Expires"].flatMap(HTTPDate.seconds) {
            result.headers["Expires"] = HTTPDate.text(end - (date - now))
        }
        return result
    }

    /// Returns when the head of a response arrived, in seconds since 1970: its body may have taken long, and was paused
    /// perhaps (RFC 9111, 4.2.3).
    ///
    /// A pause before the head counts too: a response may be older than it is, but never younger.
    ///
    /// - Parameter now: the end of the body.
    static func arrival(_ metrics: TransferMetrics, now: Int64) -> Int64 {
        let pauses = metrics.attemptPauses(at: 0) / 1_000
        return now - pauses - (Int64(exactly: max(metrics.total - metrics.firstByte, 0).rounded(.down)) ?? 0)
    }

    /// Returns a head as it came from its server, to store: dated, with the seconds in other caches that its date does not
    /// tell.
    ///
    /// A cache on the way keeps the date, so that the age of a response is the larger one of what its date and its age
    /// say (RFC 9111, 4.2.3), and not their sum.
    static func received(_ head: ResponseHead, now: Int64) -> ResponseHead {
        var result = dated(head, now: now)
        if let date = head.headers["Date"].flatMap(HTTPDate.seconds), date <= now,
            let earlier = head.headers["Age"].flatMap({ ByteText.decimal($0) })
        {
            result.headers["Age"] = String(max(0, earlier - (now - date)))
        }
        return result
    }

    /// Returns whether a response may be used for another sender than the one that got it, if its server confirms it:
    /// the rule of shared caches (RFC 9111, 3.5 and 5.2.2.7).
    ///
    /// - Parameter gotWithSecret: whether its request had credentials.
    static func isForOthers(_ head: ResponseHead, gotWithSecret: Bool) -> Bool {
        let directives = directives(head.headers)
        guard directives["private"] == nil else { return false }
        return !gotWithSecret || ["public", "s-maxage", "must-revalidate"].contains { directives[$0] != nil }
    }

    /// Returns the fields that validate a stored response; nil if it has no validator (RFC 9111, 4.3.1).
    ///
    /// - Parameter isOwn: whether the same sender got it: only a strong tag tells the responses to several senders
    ///   apart (RFC 9110, 8.8.1).
    static func conditions(_ head: ResponseHead, isOwn: Bool) -> HeaderFields? {
        var fields = HeaderFields()
        if let tag = head.headers["ETag"], isOwn || !tag.hasPrefix("W/") {
            fields.append(name: "If-None-Match", value: tag)
        }
        if isOwn, let date = head.headers["Last-Modified"] { fields.append(name: "If-Modified-Since", value: date) }
        return fields.isEmpty ? nil : fields
    }

    /// Returns whether a 304 is about another version than the conditions it answers (RFC 9111, 4.3.4): the server has
    /// compared the dates alone, which two versions of one second share.
    static func isOfOtherVersion(_ head: ResponseHead, askedWith conditions: HeaderFields) -> Bool {
        guard let asked = conditions["If-None-Match"], let tag = head.headers["ETag"] else { return false }
        return opaque(asked) != opaque(tag)
    }

    /// Returns a tag without the mark of a weak one.
    private static func opaque(_ tag: String) -> Substring { tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...] }

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
        let fields = received(answer, now: now).headers.filter { field in
            !fieldsOfTheBody.contains { ByteText.isSame($0, field.name) }
        }
        for field in fields { result.headers.removeAll(named: field.name) }
        for field in fields { result.headers.append(name: field.name, value: field.value) }
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
