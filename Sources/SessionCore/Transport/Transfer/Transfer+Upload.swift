import CCurl

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
