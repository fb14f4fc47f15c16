import CCurl

/// A transfer's status and metrics, as published to its task.
struct TransferFigures {
    private(set) var status = TaskStatus()
    private(set) var metrics = TransferMetrics()
    /// When the latest attempt began, which may have ended, moved by its pauses; in milliseconds of the loop's clock.
    private(set) var attemptBegan: Int64?
    /// Milliseconds of the latest attempt's pauses, which libcurl counts.
    private var attemptPauses: Int64 = 0
    /// Whether a redirect has left the body behind, whose figures then stay.
    private var hasLeftBody = false

    init(sendsBody: Bool) { status.expectedToSend = sendsBody ? nil : 0 }

    // MARK: - Phases and waits

    /// Enters a phase; returns false if it is the present one.
    mutating func enter(_ phase: Phase) -> Bool {
        guard phase != status.phase else { return false }
        status.phase = phase
        if phase != .retrying { (status.retryAt, status.retryCause, status.backoffReason) = (nil, nil, nil) }
        return true
    }

    /// Records why the next attempt has to wait.
    mutating func waits(because cause: SessionError.Code?) { status.retryCause = cause }

    /// Records when the next attempt begins; it may wait for its host.
    mutating func waits(until time: Int64) { status.retryAt = time }

    /// Records the trouble of the host that the transfer waits for.
    mutating func waitsForHost(_ reason: HostBackoff.Reason?) { status.backoffReason = reason }

    mutating func stopWaiting() { status.retryAt = nil }

    // MARK: - An attempt

    /// Records what an attempt is about to send: the bytes that its server has already, and the body's length.
    mutating func send(behind base: Int64, of length: Int64?) {
        guard !hasLeftBody else { return }
        (status.sent, status.expectedToSend) = (base, length)
    }

    /// Records the bytes of the request's body that an attempt has sent by its end.
    ///
    /// A length that was unknown is known when they are all.
    mutating func sent(_ count: Int64, isAll: Bool) {
        guard !hasLeftBody else { return }
        status.sent = count
        if isAll, status.expectedToSend == nil { status.expectedToSend = count }
    }

    /// Keeps the figures of the body, which the following requests do not have.
    mutating func leaveBody() { hasLeftBody = true }

    mutating func beginAttempt(at time: Int64, with fields: HeaderFields) {
        (attemptBegan, attemptPauses) = (time, 0)
        metrics.beginAttempt(at: time)
        metrics.requestHeaders = fields
    }

    /// Records that another connection has become the lead: the attempt goes on.
    mutating func takeOver() { metrics.attemptStartedAt = attemptBegan }

    mutating func endAttempt() { metrics.attemptStartedAt = nil }

    mutating func keepTime(isStopped: Bool, at time: Int64) {
        let before = metrics.attemptStartedAt
        metrics.keepTime(isStopped: isStopped, at: time)
        guard let before, let after = metrics.attemptStartedAt else { return }
        attemptBegan = after
        attemptPauses += after - before
    }

    /// Seconds since the latest attempt began, without its pauses.
    func attemptAge(at now: Int64) -> Double {
        attemptBegan.map { Double(now - $0 - presentPause(at: now)) / 1000 } ?? 0
    }

    /// Milliseconds of the pause that the latest attempt is in.
    private func presentPause(at now: Int64) -> Int64 {
        metrics.pausedSince.map { max(now - max($0, attemptBegan ?? now), 0) } ?? 0
    }

    mutating func recordFailedAttempt() { metrics.recordFailedAttempt() }

    // MARK: - Responses

    mutating func answered(statusCode: Int) { status.statusCode = statusCode }

    /// Adds responses that another request follows.
    mutating func recordEarlier(_ heads: [ResponseHead]) { metrics.recordEarlier(heads) }

    /// Forgets the responses before the final one, because the request starts over.
    mutating func forgetEarlier() { (metrics.earlierHeads, hasLeftBody) = ([], false) }

    // MARK: - What libcurl reports

    /// Records the protection of an attempt's connection.
    mutating func show(_ connection: SecureConnection?) {
        if connection != nil || metrics.secureConnection != nil { metrics.secureConnection = connection }
    }

    /// Records an attempt's times.
    ///
    /// libcurl updates the total time only while bytes move and at the end, and counts pauses; a caller at another time
    /// passes the attempt's age, in seconds.
    mutating func measure(_ handle: EasyHandle, age: Double, redirects: Int, version: HTTPVersion?, at now: Int64) {
        let raw = handle.raw
        func seconds(_ info: CURLINFO) -> Double { Double(cc_get_offset(raw, info)) / 1_000_000 }
        metrics.nameLookup = seconds(CURLINFO_NAMELOOKUP_TIME_T)
        metrics.connect = seconds(CURLINFO_CONNECT_TIME_T)
        metrics.secureConnect = seconds(CURLINFO_APPCONNECT_TIME_T)
        metrics.requestSent = seconds(CURLINFO_PRETRANSFER_TIME_T)
        metrics.firstByte = seconds(CURLINFO_STARTTRANSFER_TIME_T)
        let pauses = Double(attemptPauses + presentPause(at: now)) / 1000
        metrics.total = max(seconds(CURLINFO_TOTAL_TIME_T) - pauses, age, pauses > 0 ? metrics.firstByte : 0)
        (metrics.redirects, metrics.version) = (redirects, version)
    }

    /// Records the addresses of an attempt's connection; returns false while its peer's is unknown.
    mutating func locate(_ handle: EasyHandle, cache: RecentAnswers) -> Bool {
        let raw = handle.raw
        var isKnown = false
        let port = cc_get_long(raw, CURLINFO_PRIMARY_PORT)
        if let address = cc_get_string(raw, CURLINFO_PRIMARY_IP), port > 0 {
            isKnown = true
            metrics.peer = cache.endpoints.text(address, port: port)
        }
        let localPort = cc_get_long(raw, CURLINFO_LOCAL_PORT)
        if let address = cc_get_string(raw, CURLINFO_LOCAL_IP), localPort > 0 {
            metrics.localAddress = cache.endpoints.text(address, port: localPort)
        }
        return isKnown
    }

    /// Records whether the attempt uses an existing connection.
    ///
    /// libcurl also reports no new connection when it failed to make one.
    mutating func countConnections(of handle: EasyHandle, isConnected: Bool) {
        metrics.reusedConnection = isConnected && cc_get_long(handle.raw, CURLINFO_NUM_CONNECTS) == 0
    }

    // MARK: - Publication

    /// The facts about a body's bytes at the moment of publication.
    struct Body {
        var received: Int64
        var expected: Int64?
        var resumedAt: Int64
        var resumability: Resumability
        var failedAttempts: Int
    }

    /// The facts about the running attempts at the moment of publication.
    struct Progress {
        var connections: Int
        /// The bytes of the request's body that the peer has received, and the ones on their way.
        var sent: Int64
        var inFlight: Int64
        /// Since when the peer has had the full request; nil where it still has to read, or need not answer.
        var answerAwaitedSince: Int64?
        /// Whether the attempt has sent a byte of its body.
        var hasSent: Bool
    }

    /// Records the state of the body, and of the running attempts; nil between two.
    mutating func refresh(_ body: Body, _ progress: Progress?) {
        (status.received, status.expectedToReceive, status.resumedAt) = (body.received, body.expected, body.resumedAt)
        (status.resumability, status.failedAttempts) = (body.resumability, body.failedAttempts)
        guard let progress else {
            (status.inFlight, status.connections, status.answerAwaitedSince) = (0, 0, nil)
            return
        }
        (status.connections, status.inFlight) = (progress.connections, progress.inFlight)
        if !hasLeftBody { status.sent = progress.sent }
        status.answerAwaitedSince = progress.answerAwaitedSince
        // The machine stays in `.connecting` until the response, while a body is sent long before.
        if status.phase == .connecting, progress.hasSent { status.phase = .running }
    }

    mutating func end(_ ending: TransferStateMachine.Ending) {
        switch ending {
        case .completed: status.phase = .completed
        case .failed: status.phase = .failed
        case .cancelled: status.phase = .cancelled
        }
    }
}
