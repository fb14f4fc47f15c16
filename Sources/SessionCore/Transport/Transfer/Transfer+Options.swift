import CCurl

/// A request's options, applied to its attempts: the route to the server, and the identity it shows.
extension Transfer {
    /// Fixes the route of an attempt, and starts the transfer's time limit.
    func prepare(_ attempt: Attempt, _ shared: SharedOptions) throws(SessionError) {
        if attempt.requestTarget?.isEncrypted ?? isEncrypted || shared.identifies || shared.leadsElsewhere {
            attempt.plan.connection = try ConnectionSettings(
                shared, url: attempt.requestTarget?.request.url ?? request.url,
                hasLeftOrigin: attempt.requestTarget?.hasLeftOrigin ?? asking.redirects.context.hasLeftOrigin,
                turn: Int(asking.endpointIndex))
            if let connection = attempt.plan.connection { prepareProxy(connection) }
        }
        guard let seconds = shared.values.timeLimit, asking.allowance == nil else { return }
        let limit = Deadlines.milliseconds(seconds)
        asking.allowance = TimeAllowance(milliseconds: limit, now: core.now)
        core.setDeadline(.limit(id), afterMilliseconds: limit)
    }

    /// Runs the transfer's time limit in every phase except a pause and the wait for a slot.
    func keepTime(in phase: Phase) {
        guard var allowance = asking.allowance else { return }
        let stands = phase == .paused || phase == .queued
        guard stands != allowance.isStopped else { return }
        if stands {
            allowance.stop(now: core.now)
            core.clearDeadline(.limit(id))
        } else {
            allowance.start(now: core.now)
            core.setDeadline(.limit(id), afterMilliseconds: max(allowance.left(now: core.now), 0))
        }
        asking.allowance = allowance
    }

    /// Fails the transfer if its time limit has passed.
    func timeLimitDue() {
        guard let seconds = core.options(of: request.sharedOptions)?.values.timeLimit, let allowance = asking.allowance,
            !allowance.isStopped
        else { return }
        let left = allowance.left(now: core.now)
        guard left <= 0 else { return core.setDeadline(.limit(id), afterMilliseconds: left) }
        let limit = seconds == seconds.rounded() ? "\(Int64(seconds))" : "\(seconds)"
        let sentence =
            tries.latestReason.map { TransportErrors.timeLimit(limit, last: $0) } ?? TransportErrors.timeLimit(limit)
        fail(SessionError(.timedOut, sentence, failingURL: request.url))
    }

    // MARK: - Identity

    /// Adds the cookies for the request's server, and the user name and password if they are sent without a challenge.
    ///
    /// The latter go neither to a server that a redirect led to nor back to the first one afterwards: the redirecting
    /// server has chosen what that request does.
    func addIdentity(
        _ options: RequestOptions, of request: TransferRequest, hasLeftOrigin: Bool, to fields: inout HeaderFields,
        _ authorization: inout String?
    ) throws(SessionError) {
        asking.redirects.context.keepsCookies = options.cookies != nil
        fields["Cookie"] = Self.cookies(for: request, from: options.cookies)
        if let signing = options.signing, let own = options.credentials {
            guard !hasLeftOrigin, fields["Authorization"] == nil else { return }
            let signature = AmazonSignature(scope: signing, credentials: own, time: Int64(WallClock.now()))
            for field in try signature.fields(for: request) { fields[field.name] = field.value }
            return
        }
        let known = asking.credentials
        let source = known.isEmpty ? nil : (try? Origin(request.url)).flatMap { known.answerSource(for: $0) }
        if hasLeftOrigin, source == .options { authorization = nil }
        guard source == nil else { return }
        addNamed(of: request, options, hasLeftOrigin: hasLeftOrigin, to: fields, &authorization)
    }

    /// Returns the cookies of a request: first the ones in the jar, then its own.
    static func cookies(for request: TransferRequest, from jar: (any CookieStore)?) -> String? {
        let own = request.headers["Cookie"]
        guard let kept = jar?.field(for: request.url) else { return own }
        return own.map { kept + "; " + $0 } ?? kept
    }

    /// Sends a user name and password without a challenge if the scheme is Basic.
    ///
    /// A field of the request takes precedence, and a field of the session takes precedence over a URL's credentials.
    func addNamed(
        of request: TransferRequest, _ options: RequestOptions? = nil, hasLeftOrigin: Bool, to fields: HeaderFields,
        _ authorization: inout String?
    ) {
        guard authorization == nil, fields["Authorization"] == nil,
            let (own, source) = Self.credentials(of: request, options, hasLeftOrigin: hasLeftOrigin),
            own.scheme == .basic,
            source == .options || core.configuration.additionalHeaders["Authorization"] == nil
        else { return }
        let offer = AuthenticationOffer(scheme: "Basic")
        authorization = HTTPCredentials(offer: offer, user: own.user, password: own.password)
            .field(for: request, count: 1, clientNonce: "")
    }

    /// Returns the user name and password a server may be shown, for the requested scheme: the options' own, which no
    /// redirect takes to another origin, otherwise the URL's; nil where a signature or a ticket replaces both.
    private static func credentials(
        of request: TransferRequest, _ options: RequestOptions?, hasLeftOrigin: Bool
    ) -> (RequestCredentials, OriginCredentials.Source)? {
        guard options?.signing == nil else { return nil }
        if let own = options?.credentials, !hasLeftOrigin { return (own, .options) }
        guard var named = RequestCredentials(url: request.url) else { return nil }
        named.scheme = options?.urlScheme ?? options?.credentials?.scheme ?? .basic
        return named.scheme == .negotiate ? nil : (named, .url)
    }

    /// Returns the user name and password for the server of an attempt's request, and their source.
    func ownCredentials(_ attempt: Attempt) -> (RequestCredentials, OriginCredentials.Source)? {
        guard let requestTarget = attempt.requestTarget else {
            return Self.credentials(
                of: request, attempt.plan.connection?.options, hasLeftOrigin: asking.redirects.context.hasLeftOrigin)
        }
        let options = core.options(of: description.request.sharedOptions)?.values
        return Self.credentials(of: requestTarget.request, options, hasLeftOrigin: requestTarget.hasLeftOrigin)
    }

    /// Returns the URL that is sent: for a signed request, with the path as it was signed.
    func sentURL(of request: TransferRequest, hasLeftOrigin: Bool) throws(SessionError) -> String {
        guard !hasLeftOrigin, let options = core.options(of: request.sharedOptions), options.values.signing != nil,
            options.values.credentials != nil
        else { return request.url }
        return AmazonSignature.url(request.url)
    }

    // MARK: - Endpoints

    /// Whether the attempt failed to connect to its endpoint, and another one is left to try.
    func triesNextEndpoint(after attempt: Attempt, _ result: CURLcode) -> Bool {
        let isUnreached =
            result == CURLE_COULDNT_CONNECT || result == CURLE_COULDNT_RESOLVE_HOST
            || result == CURLE_OPERATION_TIMEDOUT && !attempt.handle.hasSentRequest
        return asking.takeNextEndpoint(of: attempt.plan.connection?.endpointCount ?? 0, isUnreached: isUnreached)
    }

    // MARK: - Proxies

    /// Returns the step after a proxy refused to connect to the server; nil without such a refusal.
    func refusalOfProxy(_ attempt: Attempt) -> NextStep? {
        guard let proxy = attempt.plan.connection?.proxy else { return nil }
        let status = cc_get_long(attempt.handle.raw, CURLINFO_HTTP_CONNECTCODE)
        guard status >= 300 else { return nil }
        let sentence =
            status == 407
            ? TransportErrors.proxyCredentials(PeerLabels.proxy("\(proxy)"))
            : TransportErrors.tunnelRefused(PeerLabels.proxy("\(proxy)"), hostName, Int(status))
        let error = SessionError(.http, sentence, failingURL: request.url, statusCode: Int(status))
        if let question = questionOfTunnel(attempt, refusal: error) { return question }
        return status >= 500 ? .retry(error, afterMilliseconds: nil) : .fail(error)
    }
}

extension LoopCore {
    /// Returns the key of a request's route to its server; the origin for nearly every request.
    func routeKey(of request: TransferRequest, to origin: String) -> String {
        guard let options = options(of: request.sharedOptions), options.leadsElsewhere else { return origin }
        return RequestRoute(to: request.url, options: options.values, origin: origin).key
    }
}

/// Caches requests' options, completed by the session's, and the certificate authorities they name.
///
/// The requests of a list share their options, so only the latest pair is kept. Confined to the transfer loop.
final class OptionsCache {
    private let session: SharedOptions?
    private var latest: (given: SharedOptions, completed: SharedOptions)?
    private var authorities: [AuthorityFiles: Authorities] = [:]

    init(_ session: RequestOptions?) {
        self.session = session.map { SharedOptions($0) }
    }

    func options(of given: SharedOptions?) -> SharedOptions? {
        guard let given else { return session }
        guard let session else { return given }
        if let latest, latest.given === given { return latest.completed }
        let completed = SharedOptions(given.values.completed(by: session.values))
        latest = (given, completed)
        return completed
    }

    func authorities(of files: AuthorityFiles) throws(SessionError) -> Authorities {
        if let known = authorities[files] { return known }
        let fresh = try Authorities(files)
        authorities[files] = fresh
        return fresh
    }
}
