import CCurl

/// The metrics of an attempt: its connection, its times, and the body bytes its peer has received.
extension Transfer {
    /// Enqueues the metrics for the next publication.
    ///
    /// A transfer that ends sooner collects them at its end.
    func enqueueFigures() {
        guard let attempt, !attempt.figures.areNew else { return }
        attempt.figures.areNew = true
        core.enqueueFigures(of: self)
    }

    /// Records what libcurl can report only while the response arrives.
    func recordConnection(of attempt: Attempt) {
        attempt.hear()
        asking.trust.questionCount = 0
        if !attempt.parser.interimHeads.isEmpty { figures.metrics.recordEarlier(attempt.parser.interimHeads) }
        let connection = isEncrypted ? SecureConnection(of: attempt.handle) : nil
        if connection != nil || figures.metrics.secureConnection != nil {
            figures.metrics.secureConnection = connection
        }
        enqueueFigures()
    }

    /// Publishes an attempt's metrics.
    ///
    /// libcurl updates the total time only while bytes move and at the end; a caller at another time passes the
    /// attempt's age, in seconds.
    func collectMetrics(_ attempt: Attempt, age: Double = 0) {
        attempt.figures.areNew = false
        let raw = attempt.handle.raw
        func seconds(_ info: CURLINFO) -> Double { Double(cc_get_offset(raw, info)) / 1_000_000 }
        figures.metrics.nameLookup = seconds(CURLINFO_NAMELOOKUP_TIME_T)
        figures.metrics.connect = seconds(CURLINFO_CONNECT_TIME_T)
        figures.metrics.secureConnect = seconds(CURLINFO_APPCONNECT_TIME_T)
        figures.metrics.requestSent = seconds(CURLINFO_PRETRANSFER_TIME_T)
        figures.metrics.firstByte = seconds(CURLINFO_STARTTRANSFER_TIME_T)
        figures.metrics.total = max(seconds(CURLINFO_TOTAL_TIME_T), age)
        figures.metrics.redirects = asking.redirects.context.hops
        figures.metrics.version = answer.head?.version
        recordEndpoints(of: attempt)
        // libcurl also reports no new connection when it failed to make one.
        figures.metrics.reusedConnection = attempt.figures.haveEndpoints && cc_get_long(raw, CURLINFO_NUM_CONNECTS) == 0
        control.publish(figures.metrics)
    }

    /// Records the addresses of an attempt's connection, which do not change once known.
    private func recordEndpoints(of attempt: Attempt) {
        guard !attempt.figures.haveEndpoints else { return }
        let raw = attempt.handle.raw
        let port = cc_get_long(raw, CURLINFO_PRIMARY_PORT)
        if let address = cc_get_string(raw, CURLINFO_PRIMARY_IP), port > 0 {
            attempt.figures.haveEndpoints = true
            figures.metrics.peer = core.recent.endpoints.text(address, port: port)
        }
        let localPort = cc_get_long(raw, CURLINFO_LOCAL_PORT)
        if let address = cc_get_string(raw, CURLINFO_LOCAL_IP), localPort > 0 {
            figures.metrics.localAddress = core.recent.endpoints.text(address, port: localPort)
        }
    }

    /// Publishes an attempt's metrics to all threads, unless the transfer has done so at its end.
    ///
    /// Before the response arrives libcurl's figures are not used: zero new connections then only means that none was
    /// made yet.
    func publishMetrics() {
        guard let attempt, attempt.figures.areNew else { return }
        guard !attempt.isAnswered else { return collectMetrics(attempt) }
        attempt.figures.areNew = false
        control.publish(figures.metrics)
    }

    /// Seconds since the current attempt began.
    var attemptAge: Double { Double(core.now - (figures.metrics.attemptStartedAt ?? core.now)) / 1000 }

    // MARK: - Bytes received by the peer

    /// Milliseconds until the next check for bytes the peer has received, which no event announces.
    private static let arrivalInterval: Int64 = 250
    /// The same while no bytes move.
    private static let arrivalIntervalAtRest: Int64 = 1_000

    /// Returns the bytes of an attempt's body that its peer has received.
    ///
    /// The kernel buffers megabytes that a slow line needs a minute to send; a gauge that counted them would be full
    /// long before the upload ends. Encryption makes the unacknowledged bytes slightly more than the body's share of
    /// them.
    func bytesArrived(of attempt: Attempt) -> Int64 {
        guard attempt.sent > 0 else { return 0 }
        let inFlight = core.bytesInFlight(for: attempt)
        if inFlight > 0 { core.setDeadline(.arrival(id), afterMilliseconds: Self.arrivalInterval) }
        return max(attempt.sent - inFlight, 0)
    }

    /// Checks whether the peer has received more, since libcurl may have nothing left to send.
    func arrivalDue() {
        guard let attempt else { return }
        let isNewlyAwaited = figures.status.answerAwaitedSince == nil && attempt.awaitedSince(now: core.now) != nil
        if isNewlyAwaited || uploadBase + attempt.sent - core.bytesInFlight(for: attempt) > figures.status.sent {
            enqueueStatus()
        } else {
            core.setDeadline(.arrival(id), afterMilliseconds: Self.arrivalIntervalAtRest)
        }
    }
}

/// The limit on a body's size.
extension Transfer {
    /// The most bytes a body may have.
    var sizeLimit: Int64? { core.options(of: request.sharedOptions)?.values.sizeLimit }

    /// Limits a body that was accepted without an announced length.
    func limitSize(of attempt: Attempt) {
        guard attempt.verdict == .accepted, handler.expected == nil, let limit = sizeLimit else { return }
        attempt.boundBody(to: max(limit - handler.resumedAt, 0))
    }

    /// Fails after more bytes than allowed; the part is discarded, because the rest will never be fetched.
    func passedSizeLimit(_ attempt: Attempt) {
        let limit = sizeLimit ?? 0
        attempt.fail(
            SessionError(.bodyTooLarge, ResponseErrors.overLimit(limit), failingURL: request.url))
        handler.restart(keepingPart: false)
    }
}

/// The requests of a resumable upload.
extension Transfer {
    /// The offset in the upload at which the current request begins.
    var uploadBase: Int64 { upload?.base ?? 0 }

    /// Prepares the upload's next request; if the file has changed, the upload restarts.
    func prepareUpload() {
        let original = description.request
        guard description.kind == .upload,
            let begun = UploadState.begin(original, content: UploadContent(of: original.body), after: upload)
        else { return }
        upload = begun.state
        if begun.restarts {
            core.emit(.restarted(id, reason: ResumeReasons.bodyFileChanged))
            core.emit(.uploadPlaced(id, nil))
        }
        turnToUpload()
    }

    /// Makes the current step's request the next one that is sent.
    func turnToUpload() {
        if let upload { ask(upload.nextRequest()) }
    }

    /// Handles an interim response; returns false when the attempt has to end.
    func hearInterim(of attempt: Attempt) -> Bool {
        guard let upload else { return true }
        let goesOn = upload.hear(attempt.parser.interimHeads)
        reportLocation(of: upload)
        guard !goesOn, let head = attempt.parser.interimHeads.last else { return true }
        attempt.decide(UploadState.step(after: uploadOutcome(of: head, attempt) ?? .answer))
        return false
    }

    /// Returns what an upload concludes from a response; nil for any other transfer.
    func uploadOutcome(of head: ResponseHead, _ attempt: Attempt) -> ResumableUpload.Outcome? {
        guard let upload else { return nil }
        recordUploaded(by: attempt)
        let outcome = upload.judge(head)
        reportLocation(of: upload)
        return outcome
    }

    /// Returns the step after a server did not answer the OPTIONS request about resumable uploads; nil for any other
    /// request, and when this machine has no network.
    func nextAfterSilence(_ attempt: Attempt, _ result: CURLcode) -> NextStep? {
        guard let upload, attempt.handle.hasSentRequest, !attempt.isAnswered,
            isLocal(attempt) || core.network.hasRoute(nil),
            upload.foundNoAnswer(stalled: result == CURLE_OPERATION_TIMEDOUT)
        else { return nil }
        return .uploadStep(restarts: ResumeReasons.noOptions(hostName))
    }

    /// Moves to the upload's next request; the metrics keep its earlier responses.
    func takeUploadStep(restarts reason: String?) {
        let heads = figures.metrics.earlierHeads + (answer.head.map { [$0] } ?? [])
        if upload?.takeProgress() == true { tries.succeeded() }
        if let reason { core.emit(.restarted(id, reason: reason)) }
        answer.page = nil
        startOver()
        figures.metrics.recordEarlier(heads)
    }

    /// Records how much of its piece an attempt has sent.
    func recordUploaded(by attempt: Attempt) {
        upload?.moved(handedOut: attempt.sent, arrived: bytesArrived(of: attempt))
    }

    /// Reports the upload's URL on the server if it is new.
    private func reportLocation(of upload: UploadState) {
        if let location = upload.takeNewLocation() { core.emit(.uploadPlaced(id, location)) }
    }
}
