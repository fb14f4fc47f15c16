import CCurl

/// The metrics of an attempt: its connection, its times, and the body bytes its peer has received.
extension Transfer {
    /// Enqueues the metrics for the next publication.
    ///
    /// A transfer that ends sooner collects them at its end.
    func enqueueFigures() {
        if let attempt, attempt.figures.change() { core.enqueueFigures(of: self) }
    }

    /// Records what libcurl can report only while the response arrives.
    func recordConnection(of attempt: Attempt) {
        attempt.hear()
        asking.hasAnswered()
        if !attempt.parser.interimHeads.isEmpty { figures.recordEarlier(attempt.parser.interimHeads) }
        figures.show(isEncrypted ? SecureConnection(of: attempt.handle) : nil)
        enqueueFigures()
    }

    /// Publishes an attempt's metrics.
    ///
    /// - Parameter age: the attempt's age in seconds, unless libcurl has just updated its times.
    func collectMetrics(_ attempt: Attempt, age: Double = 0) {
        attempt.figures.collected()
        // The latest connection of several is younger than the attempt.
        let isShared = handler.segments != nil || upload?.connections != nil
        figures.measure(
            attempt.handle, age: isShared ? attemptAge : age,
            pauses: Double(figures.metrics.attemptPauses(at: core.now)) / 1000,
            redirects: asking.redirects.hops, version: answer.head?.version)
        // An attempt's addresses do not change once known.
        if !attempt.figures.haveEndpoints, figures.locate(attempt.handle, cache: core.recent) {
            attempt.figures.recordedEndpoints()
        }
        figures.countConnections(of: attempt.handle, isConnected: attempt.figures.haveEndpoints)
        control.publish(figures.metrics)
    }

    /// Publishes an attempt's metrics to all threads, unless the transfer has done so at its end.
    ///
    /// Before the response arrives libcurl's figures are not used: zero new connections then only means that none was
    /// made yet.
    func publishMetrics() {
        guard let attempt, attempt.figures.areNew else { return }
        guard !attempt.isAnswered else { return collectMetrics(attempt) }
        attempt.figures.collected()
        control.publish(figures.metrics)
    }

    /// Seconds since the latest attempt began, without its pauses.
    var attemptAge: Double { figures.attemptAge(at: core.now) }

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
        if isNewlyAwaited || sentBytes(attempt.sent - core.bytesInFlight(for: attempt)) > figures.status.sent {
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

    /// Limits a body that was accepted without an announced size.
    func limitSize(of attempt: Attempt, _ head: ResponseHead) {
        guard attempt.verdict == .accepted, let limit = sizeLimit,
            AnswerSteps.announcedSize(of: head, AnsweredAttempt(self, attempt)) == nil
        else { return }
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

/// The requests of an upload that can be interrupted.
extension Transfer {
    /// The connections of an upload.
    var workingParts: Int { 1 + (upload?.connections?.attempts.count ?? 0) }

    /// Ends all connections beside the lead.
    func endFurther() {
        connectionsIfAny?.endAll()
        upload?.connections?.endAll()
    }

    /// Returns the upload's bytes at the server if it has received some of the current request's body.
    func sentBytes(_ count: Int64) -> Int64 {
        guard let upload else { return count }
        guard let connections = upload.connections else {
            return upload.base + (upload.machine.piece == nil || upload.machine.hasMovedOn ? 0 : count)
        }
        // The body of another request, such as the list of parts, is not the upload's; and a part that was answered is
        // stored, or has to be sent again.
        let isCounted = upload.machine.piece != nil && attempt?.isAnswered != true
        return upload.show(upload.base + (isCounted ? count : 0) + connections.arrived)
    }

    /// Prepares the upload's next request; if the file has changed, the upload restarts.
    func prepareUpload() {
        // A server names the upload's URL by the scheme that it was asked over.
        let original = secured(description.request) ?? description.request
        guard description.kind == .upload,
            let begun = UploadState.begin(
                original, content: UploadContent(of: original.body), after: upload,
                options: core.options(of: original.sharedOptions)?.values)
        else { return turnToPart() }
        upload?.connections?.endAll()
        begin(begun.state)
        begun.state.connect(to: self)
        if begun.restarts {
            core.emit(.restarted(id, reason: ResumeReasons.bodyFileChanged))
            core.emit(.uploadPlaced(id, nil))
        }
        turnToUpload()
        reportLocation(of: begun.state)
    }

    /// Makes the current step's request the next one that is sent.
    func turnToUpload() {
        if let upload { ask(upload.nextRequest()) }
    }

    /// The same for an upload in parts, whose next part may have changed while the transfer waited.
    private func turnToPart() {
        if upload?.connections != nil, asking.redirects.hops == 0 { turnToUpload() }
    }

    /// Records that another connection has sent a part.
    func partIsStored() { tries.succeeded() }

    /// Makes the attempt of another connection the lead.
    func takeOver(_ attempt: Attempt) {
        take(attempt)
        turnToUpload()
        figures.takeOver()
        enqueueFigures()
        tries.begin(at: handler.received)
        attempt.release(.user)
        applyPause(attempt)
        watchForStall()
        enqueueStatus()
    }

    /// Handles an interim response; returns false when the attempt has to end.
    func hearInterim(of attempt: Attempt) -> Bool {
        guard let upload, attempt.role == .lead else { return true }
        let goesOn = upload.hear(attempt.parser.interimHeads)
        reportLocation(of: upload)
        guard !goesOn, let head = attempt.parser.interimHeads.last else { return true }
        attempt.decide(UploadState.step(after: uploadOutcome(of: head, attempt) ?? .answer))
        return false
    }

    /// Returns what an upload concludes from a response; nil for any other transfer.
    func uploadOutcome(of head: ResponseHead, _ attempt: Attempt) -> ResumableUpload.Outcome? {
        if let outcome = collectionOutcome(of: head) { return outcome }
        guard let upload else { return nil }
        recordUploaded(by: attempt)
        let outcome = upload.judge(head)
        reportLocation(of: upload)
        return outcome
    }

    /// The most bytes of a response that an upload reads.
    private static let answerLimit = 1 << 20

    /// Reads the body of a response that says what follows.
    func readAnswer(of attempt: Attempt) {
        let sink = MemorySink(limit: Self.answerLimit, truncates: true)
        attempt.decide(.uploadAnswer, readingInto: sink)
        answer.keep(sink)
        enqueueStatus()
    }

    /// Returns the step after the body of a response.
    func stepAfterBody(of attempt: Attempt) -> NextStep {
        guard let upload, let head = answer.head else { return .complete }
        let body = attempt.end.facts.leavesConnection ? answer.page?.bytes : nil
        let outcome = upload.judge(body: body, of: head)
        reportLocation(of: upload)
        guard outcome != .answer else { return .complete }
        let askedWait = RetryAfter.milliseconds(head, now: Int64(WallClock.now()))
        return UploadState.step(after: outcome, askedWait: askedWait)
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
        if let reason {
            upload?.connections?.endAll()
            upload?.forgetShown()
            core.emit(.restarted(id, reason: reason))
        }
        answer.dropPage()
        startOver()
        if let collection = asking.nextCollection(for: description.request) { ask(collection) }
        figures.recordEarlier(heads)
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

/// The collections that a WebDAV server lacks for an upload.
extension Transfer {
    /// Returns what a response leads to if the upload's collections are about it; nil for any other.
    private func collectionOutcome(of head: ResponseHead) -> UploadOutcome? {
        let original = description.request
        if asking.makesCollection { return asking.judgeCollection(head, original: original) }
        let begins = head.statusCode == 409 && mayMakeCollections && asking.beginCollections(above: original.url)
        return begins ? .next : nil
    }

    /// Whether a 409 to the current request may mean that a collection is missing; object stores have none.
    private var mayMakeCollections: Bool {
        guard core.configuration.makesCollections, description.kind == .upload, request.method == "PUT", mayRepeatBody,
            upload.map({ $0.machine.sendsContent && $0.machine.location == nil }) ?? true
        else { return false }
        return core.options(of: request.sharedOptions)?.values.signsForStore(request.url) != true
    }
}

/// The removal of an upload that its caller has given up.
extension Transfer {
    /// The most milliseconds that it may take.
    private static let removalLimit: Int64 = 10_000

    /// Ends the transfer, after an upload was removed at the server if its caller keeps nothing of it.
    func partIsClosed(keeps: Bool) {
        guard !keeps, mayRemoveUpload() else { return closed() }
        turnToUpload()
        do throws(SessionError) {
            take(try begin(.lead, makeMessage()))
            core.setDeadline(.retry(id), afterMilliseconds: Self.removalLimit)
        } catch {
            closed()
        }
    }

    /// Whether an upload has something at the server that can be removed.
    private func mayRemoveUpload() -> Bool {
        if upload == nil, description.request.uploadLocation?.style == .multipart { prepareUpload() }
        return upload?.giveUp() == true
    }

    func removalEnded(_ attempt: Attempt) {
        core.clearDeadline(.retry(id))
        detach(attempt)
        closed()
    }

    /// Ends a removal that takes too long; returns false without one.
    func endRemoval() -> Bool {
        guard upload?.isGivenUp == true else { return false }
        if let attempt { letGo(attempt) }
        closed()
        return true
    }
}

/// The digests of a request's body, which are computed before the body is sent.
extension Transfer {
    /// Whether the next request waits for a digest; then it is prepared again when that is known.
    func waitsForDigests() -> Bool {
        if waitsForPart() { return true }
        guard let fields = digestFields() else { return false }
        guard let content = UploadContent(of: request.body) else {
            // A file that cannot be read fails with its own reason.
            if case .file(let path) = request.body, !BodySpecification.isReadOnce(path) { return false }
            prepared(.failed(SessionError(.invalidRequest, BodyErrors.noDigest, failingURL: request.url)))
            return true
        }
        let digests = asking.digests(of: content)
        guard let subject = fields.subjects.first(where: { digests[$0] == nil }) else { return false }
        compute([subject], of: content)
        return true
    }

    /// Whether the upload waits for the digest of a part; the parts that are stored need no request.
    private func waitsForPart() -> Bool {
        while let upload, let demand = upload.machine.demand, let content = UploadContent(of: request.body) {
            let digests = asking.digests(of: content)
            let missing = demand.subjects.filter { digests[$0] == nil }
            guard missing.isEmpty else {
                compute(missing, of: content)
                return true
            }
            upload.take(demand.subjects.compactMap { digests[$0] })
            turnToUpload()
        }
        return false
    }

    /// Returns the digests of the next request as header fields.
    func knownDigestFields() -> HeaderFields {
        digestFields().map { $0.fields(asking.digests, own: request.headers) } ?? HeaderFields()
    }

    /// Returns what the next request's digests cover; nil without any.
    private func digestFields() -> DigestFields? {
        guard request.body != .none,
            let algorithm = core.options(of: request.sharedOptions)?.values.bodyDigest
        else { return nil }
        let length = UploadContent(of: request.body)?.length ?? 0
        guard let upload else { return DigestFields(algorithm: algorithm, piece: 0..<length, whole: 0..<length) }
        guard let piece = upload.machine.piece else { return nil }
        return DigestFields(
            algorithm: algorithm, piece: piece, whole: upload.machine.sendsContent ? 0..<length : nil)
    }

    /// Hashes a range on a storage thread, by one function or several.
    private func compute(_ subjects: [BodyDigests.Subject], of content: UploadContent) {
        guard let range = subjects.first?.range else { return }
        let (body, control, loop, id) = (request.body, control, core.loop, id)
        core.storage.submit(key: id) {
            let result: Result<[[UInt8]]?, SessionError>
            do throws(SessionError) {
                result = .success(
                    try BodyDigest.of(range, in: body, subjects.map(\.algorithm)) { control.isWanted })
            } catch {
                result = .failure(error)
            }
            loop.run { $0.transfer(id)?.computed(result, subjects, of: content) }
        }
    }

    private func computed(
        _ result: Result<[[UInt8]]?, SessionError>, _ subjects: [BodyDigests.Subject], of content: UploadContent
    ) {
        guard machine.state == .preparing else { return }
        switch result {
        case .failure(let error): prepared(.failed(error))
        case .success(let found?):
            let digests = asking.digests(of: content)
            for (subject, digest) in zip(subjects, found) { digests[subject] = digest }
            prepareRequest()
        case .success(nil):
            // The caller's wish has changed; it is known here a moment later.
            reconcile()
            if machine.intent == .running { prepareRequest() } else { prepared(.ready) }
        }
    }
}

extension DigestDemand {
    var subjects: [BodyDigests.Subject] {
        algorithms.map { BodyDigests.Subject(range: range, algorithm: $0) }
    }
}
