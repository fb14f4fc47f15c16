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

    /// Returns the user name and password for the server of an attempt's request, and their source.
    func ownCredentials(_ attempt: Attempt) -> (RequestCredentials, OriginCredentials.Source)? {
        guard let requestTarget = attempt.requestTarget else {
            return RequestIdentity.credentials(
                of: request, attempt.plan.connection?.options, hasLeftOrigin: asking.redirects.context.hasLeftOrigin)
        }
        let options = core.options(of: description.request.sharedOptions)?.values
        return RequestIdentity.credentials(
            of: requestTarget.request, options, hasLeftOrigin: requestTarget.hasLeftOrigin)
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
