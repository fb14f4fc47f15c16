/// What becomes of a method and its body after a redirect with status 301, 302 or 303.
///
/// Without any set, RFC 9110 and browsers decide: POST becomes GET, and on 303 every method but HEAD does.
package struct RedirectMethods: Sendable, Equatable {
    /// Whether the method stays and only its body is dropped, as with a method that curl is given.
    package var keepsMethod = false
    /// The statuses after which a POST is repeated with its body.
    package var repeated: Set<Int> = []

    package init() {}

    package enum Outcome: Sendable, Equatable {
        case unchanged
        case method(String)
    }

    /// Returns the method of the next request, which has no body; unchanged means with the body, if there is one.
    package func outcome(of method: String, status: Int) -> Outcome {
        guard (301...303).contains(status) else { return .unchanged }
        if repeated.contains(status), keepsMethod || method == "POST" { return .unchanged }
        if keepsMethod { return .method(method) }
        let becomesGET = status == 303 ? method != "GET" && method != "HEAD" : method == "POST"
        return becomesGET ? .method("GET") : .unchanged
    }

    /// These rules, completed with a session's.
    package func completed(by session: RedirectMethods) -> RedirectMethods {
        var result = self
        result.keepsMethod = keepsMethod || session.keepsMethod
        result.repeated.formUnion(session.repeated)
        return result
    }
}
