import SessionSupport

/// Redirects that are not followed.
enum RedirectErrors {
    static let severalTargets = "Conflicting Location headers, one may be forged; use the right URL directly"
    static let noTarget = "Redirect without a Location header"
    static func unusable(_ reason: String) -> String { "Unusable redirect: \(reason)" }
    static func notFollowed(_ phrase: String) -> String { "\(phrase): redirect cannot be followed" }
    static func kept(_ phrase: String) -> String { "\(phrase): redirects are not followed" }
    static func kept(_ phrase: String, _ target: String) -> String {
        "\(phrase): redirects are not followed, this one to \(Redaction.url(target))"
    }
    static func tooMany(_ limit: Int) -> String { "More than \(limit) redirect\(limit == 1 ? "" : "s")" }
    static let downgrade = "Refused redirect from https to http"
    static func bodyElsewhere(_ target: String) -> String { "Refused to send the body to another server: \(target)" }
    static let bodyReadOnce = "Redirect needs the body again, which can be read only once"
    static let loop = "Redirect loop"
    static let loopWithCookies = "Redirect loop: the server sets cookies, which are not kept"
    static func bodyLeft(_ sent: Int64, of length: Int64?, at url: String, answeredBy target: String) -> String {
        let (from, to) = (Redaction.url(url), Redaction.url(target))
        if length.map({ sent < $0 }) != true { return "The body went to \(from); the response is from \(to)" }
        return sent > 0
            ? "Only a part of the body went to \(from); the response is from \(to)"
            : "No body went to \(from); the response is from \(to)"
    }
    static let unresolved = "Redirect target cannot be resolved"
}
