import CCurl

/// The life of an attempt: the request goes out, its head is judged, its end is interpreted.
extension Transfer {
    // MARK: - Start

    func startAttempt() {
        do throws(SessionError) {
            let message = try makeMessage()
            let attempt = try Attempt(transfer: self, url: request.url, source: message.body)
            status.sent = 0
            reach.note(handler.received)
            status.expectedToSend = message.body == nil ? 0 : message.body?.length
            attempt.expectsContinue = message.expectsContinue
            attempt.trust = makeTrustReview()
            try attempt.handle.configure(
                settings(attempt, message), context: Unmanaged.passUnretained(attempt).toOpaque())
            try core.start(attempt)
            self.attempt = attempt
            metrics.noteAttemptStart(at: core.now)
            noteNewFigures()
            watchForStall()
        } catch {
            var error = error
            error.failingURL = error.failingURL ?? request.url
            fail(error)
        }
    }

    // MARK: - Head

    /// Called inside libcurl's header callback with the final head: only decides, and notes what follows.
    func judge(_ head: ResponseHead, of attempt: Attempt) {
        self.head = head
        errorPage = nil
        status.statusCode = head.statusCode
        noteConnection(of: attempt)
        if head.statusCode == 417, attempt.expectsContinue { return judgeRefusedExpectation(head, attempt) }
        if RedirectPolicy.isRedirect(head.statusCode), judgeRedirect(head, attempt) { return }
        if !askForCredentials(head, attempt) { accept(head, attempt) }
    }

    /// Takes a head as the answer.
    func accept(_ head: ResponseHead, _ attempt: Attempt) {
        let handler = handler
        handler.judge(head, of: attempt)
        if attempt.verdict == .accepted {
            reach.begin(at: handler.received)
            headAccepted()
            if !becameDownload, description.asks(.disposition) {
                awaitsDisposition = true
                attempt.pause.insert(.decision)
            }
            core.emit(.response(id, head, awaitsDisposition: awaitsDisposition))
            if handler.resumedAt > 0 {
                core.emit(.resumedAtOffset(id, offset: handler.resumedAt, expectedTotal: handler.expected))
            }
        } else if attempt.sink == nil {
            keepPage(attempt)
        }
        noteProgress()
    }

    func settle(_ attempt: Attempt, _ next: Attempt.Next, keepingPage: Bool) {
        attempt.verdict = .settled(next)
        attempt.sink = MemorySink(limit: 64 << 10, truncates: true)
        if keepingPage { keepPage(attempt) }
    }

    /// Reads an unwanted body to its end when it is short, so that the connection can be used again.
    private func keepPage(_ attempt: Attempt) {
        let sink = MemorySink(limit: 64 << 10, truncates: true)
        attempt.sink = sink
        errorPage = sink
    }

    // MARK: - End

    /// libcurl has finished with an attempt.
    func attemptEnded(_ attempt: Attempt, result: CURLcode) {
        guard self.attempt === attempt else { return }
        if awaitsDisposition || awaitsCredentials {
            undecidedEnd = result
            return
        }
        let madeProgress = reach.isExceeded(by: handler.received)
        takeOff(attempt)
        if result == CURLE_OK { status.sent = attempt.sent }
        let next = interpret(attempt, result: result)
        if case .complete = next {} else if attempt.verdict == .accepted { handler.attemptBroke() }
        perform(next, madeProgress: madeProgress)
    }

    private func interpret(_ attempt: Attempt, result: CURLcode) -> Attempt.Next {
        if var error = attempt.failure {
            error.failingURL = error.failingURL ?? request.url
            return .fail(error)
        }
        if let question = attempt.trust?.question { return .askForTrust(question) }
        switch attempt.verdict {
        case .settled(.complete): return handler.bodyEnded()
        case .settled(let next): return next
        case .accepted:
            return result == CURLE_OK ? handler.bodyEnded() : .retry(error(attempt, result), afterMilliseconds: nil)
        case .pending:
            if result != CURLE_OK { return .retry(error(attempt, result), afterMilliseconds: nil) }
            return .fail(SessionError(.badResponse, "\(hostName) closed the connection without an answer"))
        }
    }

    private func error(_ attempt: Attempt, _ result: CURLcode) -> SessionError {
        let system = cc_get_long(attempt.handle.raw, CURLINFO_OS_ERRNO)
        var error = CurlFailure.error(result, url: request.url, host: hostName, systemError: system)
        if result == CURLE_OPERATION_TIMEDOUT, cc_get_offset(attempt.handle.raw, CURLINFO_PRETRANSFER_TIME_T) > 0 {
            error.code = .stalled
            error.message = "\(hostName) stopped sending"
        }
        if error.code == .certificate { error.peerCertificates = attempt.trust?.peer?.certificates ?? [] }
        return error
    }

    var hostName: String { ((try? Origin(request.url)) ?? nil)?.host ?? displayHost }

    // MARK: - What follows

    private func perform(_ next: Attempt.Next, madeProgress: Bool) {
        switch next {
        case .complete:
            perform(end: .bodyComplete)
        case .fail(let error):
            failure = error
            perform(end: .failed)
        case .nextRange:
            attemptsWithoutProgress = 0
            startOver()
            perform(end: .again)
        case .restart(let reason):
            handler.restart()
            errorPage = nil
            core.emit(.restarted(id, reason: reason))
            startOver()
            perform(end: .again)
        case .authenticate, .sendUnasked:
            if let head { metrics.earlierHeads.append(head) }
            perform(end: .again)
        case .askForTrust(let question):
            undecidedTrust = question
            perform(end: .again)
        case .follow(let redirect):
            if description.asksForRedirect { undecidedRedirect = redirect } else { noteHop(to: redirect.request) }
            perform(end: .again)
        case .retry(let error, let delay):
            retry(error, afterMilliseconds: delay, madeProgress: madeProgress)
        }
    }

    private func retry(_ error: SessionError, afterMilliseconds delay: Int64?, madeProgress: Bool) {
        attemptsWithoutProgress = madeProgress && handler.isResumable ? 0 : attemptsWithoutProgress + 1
        var failed = RetryPolicy.Failure(
            attemptsWithoutProgress: attemptsWithoutProgress, error: error, request: description.request)
        failed.retryAfterMilliseconds = delay
        failed.canReplaceBody = description.asksForBody
        let policy = RetryPolicy(maximumRetries: core.configuration.maximumRetries)
        let decision = policy.decide(failed, random: Double.random(in: 0..<1))
        guard case .retry(let wait) = decision, handler.canRestart else {
            failure = error
            perform(end: .failed)
            return
        }
        errorPage = nil
        retryDelay = wait
        if !handler.isResumable, handler.received > 0 {
            handler.restart()
            core.emit(.restarted(id, reason: "\(error.message), and the server cannot continue it"))
        }
        metrics.noteFailedAttempt()
        startOver()
        core.emit(
            .retrying(id, attempt: attemptsWithoutProgress, afterMilliseconds: wait, reason: error.message))
        perform(end: .retry)
    }

    // MARK: - Answers of the caller

    /// The caller has decided about the response.
    func decide(_ disposition: ResponseDisposition) {
        guard awaitsDisposition else { return }
        switch disposition {
        case .allow:
            proceed()
        case .cancel:
            awaitsDisposition = false
            control.setWish(.cancelled(keepsPart: true))
            reconcile()
        case .becomeDownload:
            guard let head, let attempt, attempt.received == 0 else { return proceed() }
            becameDownload = true
            let writer = makeWriter(nil)
            writer.isOfSeenAnswer = true
            handler = writer
            // The response stays held until storage has made a place for it.
            writer.prepare { [weak self] in self?.becomeDownload($0, writer, head, attempt) }
        }
    }

    private func becomeDownload(
        _ preparation: Preparation, _ writer: DownloadWriter, _ head: ResponseHead, _ attempt: Attempt
    ) {
        if self.attempt === attempt {
            switch preparation {
            case .ready, .nothingToTransfer: writer.judge(head, of: attempt)
            case .failed(let error): settle(attempt, .fail(error), keepingPage: false)
            }
        }
        proceed()
    }

    /// Lets a held response go on, or its end take effect that came meanwhile.
    func proceed() {
        awaitsDisposition = false
        awaitsCredentials = false
        if let result = undecidedEnd, let attempt {
            undecidedEnd = nil
            attemptEnded(attempt, result: result)
        } else {
            unpause(.decision)
        }
    }

    // MARK: - Metrics

    /// Whether the current request goes to an https URL; there are only two schemes.
    var isEncrypted: Bool {
        let bytes = request.url.utf8Span.span
        return bytes.count > 5 && bytes[4] | 0x20 == 0x73 && bytes[5] == 0x3A
    }

    /// Has the figures collected with what is published next; those of a transfer that ends before that are collected at
    /// its end.
    private func noteNewFigures() {
        guard !metricsAreStale else { return }
        metricsAreStale = true
        core.noteNewFigures(self)
    }

    /// Notes what is there only while the answer arrives.
    private func noteConnection(of attempt: Attempt) {
        attempt.isAnswered = true
        trustQuestions = 0
        if !attempt.parser.interimHeads.isEmpty { metrics.earlierHeads += attempt.parser.interimHeads }
        let connection = isEncrypted ? SecureConnection(of: attempt.handle) : nil
        if connection != nil || metrics.secureConnection != nil { metrics.secureConnection = connection }
        noteNewFigures()
    }

    /// Publishes an attempt's figures.
    ///
    /// libcurl brings the whole up to date only while bytes move and at the end; whoever asks at another moment knows
    /// the attempt's age in seconds.
    func collectMetrics(_ attempt: Attempt, age: Double = 0) {
        metricsAreStale = false
        let raw = attempt.handle.raw
        func seconds(_ info: CURLINFO) -> Double { Double(cc_get_offset(raw, info)) / 1_000_000 }
        metrics.nameLookup = seconds(CURLINFO_NAMELOOKUP_TIME_T)
        metrics.connect = seconds(CURLINFO_CONNECT_TIME_T)
        metrics.secureConnect = seconds(CURLINFO_APPCONNECT_TIME_T)
        metrics.requestSent = seconds(CURLINFO_PRETRANSFER_TIME_T)
        metrics.firstByte = seconds(CURLINFO_STARTTRANSFER_TIME_T)
        metrics.total = max(seconds(CURLINFO_TOTAL_TIME_T), age)
        metrics.redirects = redirects.hops
        metrics.reusedConnection = cc_get_long(raw, CURLINFO_NUM_CONNECTS) == 0
        metrics.version = head?.version
        noteEndpoints(of: attempt)
        control.publish(metrics)
    }

    /// The addresses of an attempt's connection, which stay the same once they are known.
    private func noteEndpoints(of attempt: Attempt) {
        guard !attempt.hasNotedEndpoints else { return }
        let raw = attempt.handle.raw
        let port = cc_get_long(raw, CURLINFO_PRIMARY_PORT)
        if let address = cc_get_string(raw, CURLINFO_PRIMARY_IP), port > 0 {
            attempt.hasNotedEndpoints = true
            metrics.peer = core.endpoints.text(address, port: port)
        }
        let localPort = cc_get_long(raw, CURLINFO_LOCAL_PORT)
        if let address = cc_get_string(raw, CURLINFO_LOCAL_IP), localPort > 0 {
            metrics.localAddress = core.endpoints.text(address, port: localPort)
        }
    }
}
