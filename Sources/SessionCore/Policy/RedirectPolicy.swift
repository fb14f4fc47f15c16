import SessionSupport

/// The target of a redirect, and the parts of the request that go there.
///
/// A pure function; libcurl's own redirects are off.
package enum RedirectPolicy {
    /// Redirects that one attempt follows at most unless it has a limit of its own; curl's limit.
    private static let hopLimit = 50

    /// The decision about a response's head.
    package enum Decision: Sendable, Equatable {
        /// Sends this request next.
        case follow(TransferRequest)
        /// Sends this request next only if the caller allows it; else the transfer ends.
        case needsConsent(TransferRequest, SessionError)
        /// Sends another request if the caller gives one: this one would go round in a circle, be one too many, or lack
        /// its body. Else the transfer ends.
        case needsOther(TransferRequest, SessionError)
        /// Ends the transfer.
        case refuse(SessionError)
        /// The redirect is not to be followed: where every status counts as a response it is one, else the transfer ends.
        case keep(SessionError)
        /// The redirect has no usable target: where every status counts as a response it is one, else the transfer
        /// ends.
        case leadsNowhere(SessionError)
        /// The response is not a redirect and is judged as a final response.
        case notARedirect
    }

    /// The state of an attempt besides the current request and its response.
    package struct Context: Sendable, Equatable {
        /// Redirects followed so far.
        package var hops = 0
        /// ``visitKey(_:cookies:)`` of each sent request; the current one may be missing.
        package var visited: Set<String> = []
        /// The cookies sent with the current request.
        var cookies: String?
        /// True if cookies of responses are stored and sent back.
        var keepsCookies = false
        /// True once a redirect led to another origin, even if a later one leads back.
        package var hasLeftOrigin = false
        /// True if a fresh body can replace one that cannot be read twice.
        package var canReplaceBody = false
        /// True if a redirect is the response.
        package var keepsRedirects = false
        /// True if a redirect may lead from https to http.
        package var allowsPlainHTTP = false
        /// The most redirects that are followed; nil for the usual limit.
        package var limit: Int?
        /// What becomes of the method.
        package var methods = RedirectMethods()

        package init() {}

        /// Counts a redirect that is followed.
        mutating func follow(from request: TransferRequest) {
            hops += 1
            visited.insert(visitKey(request, cookies: cookies))
        }
    }

    /// Fields without which a body would have another meaning at another origin.
    private static let crossOriginBodyFields = ["Content-Type", "Content-Encoding", "Content-Length"]
    /// Fields that describe a body and are dropped with it.
    private static let bodyFields = [
        "Content-Type", "Content-Length", "Content-Encoding", "Content-Language", "Content-Location",
        "Content-Disposition", "Transfer-Encoding", "Expect", "Digest", "Repr-Digest", "Content-Digest",
    ]

    /// Returns the key that detects a repeated request; a request with other cookies is a new one.
    package static func visitKey(_ request: TransferRequest, cookies: String? = nil) -> String {
        request.method + " " + URLParser.withoutFragment(request.url) + (cookies.map { "\n" + $0 } ?? "")
    }

    static func isRedirect(_ statusCode: Int) -> Bool {
        switch statusCode {
        case 301, 302, 303, 307, 308: true
        default: false
        }
    }

    /// Decides about a response's head.
    ///
    /// - Parameters:
    ///   - cookies: returns the cookies that a request would be sent with now.
    ///   - secured: returns the https URL instead of one whose host is only reached over https; nil for any other.
    package static func decide(
        _ head: ResponseHead, to request: TransferRequest, context: Context = Context(),
        cookies: (TransferRequest) -> String? = { _ in nil }, secured: (String) -> String? = { _ in nil }
    ) -> Decision {
        guard isRedirect(head.statusCode) else { return .notARedirect }
        let locations = head.headers.values(named: "Location")
        if context.keepsRedirects {
            let phrase = ResumePolicy.phrase(head)
            let message = locations.first.map { RedirectErrors.kept(phrase, $0) } ?? RedirectErrors.kept(phrase)
            return .keep(refusal(.redirectRefused, message, head, request))
        }
        guard locations.dropFirst().allSatisfy({ $0 == locations.first }) else {
            return .refuse(refusal(.badResponse, RedirectErrors.severalTargets, head, request))
        }
        let target: String
        do throws(SessionError) {
            let named = try location(locations.first, head, request: request)
            target = secured(named) ?? named
        } catch {
            return .leadsNowhere(error)
        }
        do throws(SessionError) {
            return try next(request, head: head, target: target, context: context, cookies: cookies)
        } catch {
            return .refuse(error)
        }
    }

    /// Returns whether a request that the caller has given may follow a redirect in spite of an objection.
    ///
    /// - Parameter proposed: the request that the objection was to.
    package static func lifts(
        _ objection: SessionError, _ given: TransferRequest, insteadOf proposed: TransferRequest, context: Context
    ) -> Bool {
        switch objection.code {
        case .tooManyRedirects: given != proposed && context.hops < context.limit ?? hopLimit
        case .notReplayable: given.body.isReplayable || context.canReplaceBody
        default: true
        }
    }

    private static func location(
        _ location: String?, _ head: ResponseHead, request: TransferRequest
    ) throws(SessionError) -> String {
        guard let location else {
            throw refusal(.badResponse, RedirectErrors.noTarget, head, request)
        }
        do throws(SessionError) {
            return try URLParser.resolve(location, against: request.url)
        } catch {
            let code: SessionError.Code = error.code == .unsupportedScheme ? .redirectRefused : .badResponse
            throw refusal(code, RedirectErrors.unusable(error.message), head, request)
        }
    }

    /// Decides about the next request.
    private static func next(
        _ request: TransferRequest, head: ResponseHead, target: String, context: Context,
        cookies: (TransferRequest) -> String?
    ) throws(SessionError) -> Decision {
        let from = try Origin(request.url)
        let to = try Origin(target)
        var following = request
        following.url = target
        rewriteMethod(&following, context.methods.outcome(of: request.method, status: head.statusCode))
        var objection: (String, SessionError.Advice)?
        if from.scheme == "https", to.scheme == "http", !context.allowsPlainHTTP {
            objection = (RedirectErrors.downgrade, .allowPlainHTTP)
        } else if from != to, following.body != .none {
            objection = (RedirectErrors.bodyElsewhere("\(to)"), .sendThere)
        }
        if from != to { dropPrivateParts(&following) }
        if let error = hindrance(to: following, request, head, context: context, cookies: cookies) {
            return .needsOther(following, error)
        }
        guard let (sentence, advice) = objection else { return .follow(following) }
        var error = refusal(.redirectRefused, sentence, head, request)
        error.advice = advice
        return .needsConsent(following, error)
    }

    /// Returns why a request cannot be sent although its target is known; nil if it can.
    private static func hindrance(
        to following: TransferRequest, _ request: TransferRequest, _ head: ResponseHead, context: Context,
        cookies: (TransferRequest) -> String?
    ) -> SessionError? {
        let limit = context.limit ?? hopLimit
        guard context.hops < limit else {
            return refusal(.tooManyRedirects, RedirectErrors.tooMany(limit), head, request)
        }
        if !following.body.isReplayable, !context.canReplaceBody {
            return refusal(.notReplayable, RedirectErrors.bodyReadOnce, head, request)
        }
        let key = visitKey(following, cookies: cookies(following))
        guard key == visitKey(request, cookies: context.cookies) || context.visited.contains(key) else { return nil }
        let setsCookies = !context.keepsCookies && head.headers["Set-Cookie"] != nil
        let message = setsCookies ? RedirectErrors.loopWithCookies : RedirectErrors.loop
        var error = refusal(.tooManyRedirects, message, head, request)
        error.advice = setsCookies ? .keepCookies : nil
        return error
    }

    private static func rewriteMethod(_ request: inout TransferRequest, _ outcome: RedirectMethods.Outcome) {
        guard case .method(let method) = outcome else { return }
        request.method = method
        request.body = .none
        for name in bodyFields { request.headers.removeAll(named: name) }
    }

    /// Returns the request for the same file at another URL; private fields go to no other origin.
    static func request(_ original: TransferRequest, at url: String) -> TransferRequest {
        var request = original
        request.url = url
        if (try? Origin(original.url)) != (try? Origin(url)) { dropPrivateParts(&request) }
        return request
    }

    /// Dropped fields are not restored when a later redirect leads back.
    private static func dropPrivateParts(_ request: inout TransferRequest) {
        let safe = HeaderFields.crossOriginSafe + (request.body == .none ? [] : crossOriginBodyFields)
        var kept = HeaderFields()
        for field in request.headers where safe.contains(where: { ByteText.isSame($0, field.name) }) {
            kept.append(name: field.name, value: field.value)
        }
        request.headers = kept
    }

    /// Returns the fields of a request that a later one lacks, and that one's origin; nil without such fields.
    ///
    /// The fields of a dropped body are none of them. A user name and password, which no redirect takes to another
    /// origin and back, count as their field.
    static func leftFields(
        of request: TransferRequest, in later: TransferRequest, hasLeftOrigin: Bool
    ) -> LeftFields? {
        var names: [String] = []
        for field in request.headers where later.headers[field.name] == nil {
            let isOfBody = later.body == .none && bodyFields.contains { ByteText.isSame($0, field.name) }
            if !isOfBody, !names.contains(where: { ByteText.isSame($0, field.name) }) { names.append(field.name) }
        }
        let field = "Authorization"
        if hasLeftOrigin, request.headers[field] == nil, later.headers[field] == nil, request.hasCredentials,
            RequestCredentials(url: later.url) == nil,
            request.options?.hostCredentials?.credentials(for: later.url) == nil
        {
            names.insert(field, at: 0)
        }
        guard !names.isEmpty, let origin = try? Origin(later.url) else { return nil }
        return LeftFields(names: names, server: origin.description, isBack: origin == (try? Origin(request.url)))
    }

    private static func refusal(
        _ code: SessionError.Code, _ message: String, _ head: ResponseHead, _ request: TransferRequest
    ) -> SessionError {
        SessionError(code, message, failingURL: request.url, statusCode: head.statusCode)
    }
}

/// The fields of a request that its current server does not get.
package struct LeftFields: Sendable, Equatable {
    package var names: [String]
    package var server: String
    /// Whether the server is the first one again, to which another one has led.
    package var isBack: Bool
}

extension TransferRequest {
    /// Whether its options or its URL have a user name and password for its own server.
    fileprivate var hasCredentials: Bool { options?.credentials != nil || RequestCredentials(url: url) != nil }
}
