/// Trying again after an attempt that failed.
extension Transfer {
    /// What follows an answer that asks to come back later, where every status is an answer: another try as long as there
    /// may be one, so that the last of them is the answer after all.
    ///
    /// Downloads judge such an answer themselves. A redirect may have led elsewhere: the original request is the one that
    /// is sent again.
    func nextTry(after head: ResponseHead) -> Attempt.Next? {
        guard handler.takesEveryStatus, RetryPolicy.isTransient(status: head.statusCode) else { return nil }
        var error = ResumePolicy.error(.http, "The server answered \(ResumePolicy.phrase(head))", head)
        error.failingURL = request.url
        let delay = RetryAfter.milliseconds(head, now: Int64(WallClock.now()))
        guard handler.canRestart, decision(after: error, attempts: tries.withoutProgress + 1, delay) != .giveUp else {
            return nil
        }
        return .retry(error, afterMilliseconds: delay)
    }

    /// Tries again after a failed attempt, or fails with its error.
    func retry(_ error: SessionError, afterMilliseconds delay: Int64?, madeProgress: Bool) {
        tries.failed(keepingProgress: madeProgress && handler.resumability != .no)
        let decision = decision(after: error, attempts: tries.withoutProgress, delay)
        guard case .retry(let wait) = decision, handler.canRestart else {
            failure = error
            perform(end: .failed)
            return
        }
        answer.page = nil
        tries.wait(milliseconds: wait)
        if handler.resumability == .no, handler.received > 0 {
            let reason = [error.message, handler.resumeRefusal].compactMap { $0 }.joined(separator: ". ")
            handler.restart(keepingPart: false)
            core.emit(.restarted(id, reason: reason))
        }
        metrics.recordFailedAttempt()
        startOver()
        status.retryCause = error.code
        core.emit(
            .retrying(id, attempt: tries.withoutProgress, afterMilliseconds: wait, reason: error.message))
        perform(end: .retry)
    }

    private func decision(after error: SessionError, attempts: Int, _ delay: Int64?) -> RetryPolicy.Decision {
        var failed = RetryPolicy.Failure(
            attemptsWithoutProgress: attempts, error: error, request: description.request)
        failed.retryAfterMilliseconds = delay
        failed.canReplaceBody = asks(.body)
        // Behind a redirect the first server has had the request.
        failed.nothingWasSent = error.hasReachedNobody && redirects.context.hops == 0 && request.body.isReplayable
        let policy = RetryPolicy(maximumRetries: core.configuration.maximumRetries)
        return policy.decide(failed, random: Double.random(in: 0..<1))
    }
}

extension SessionError {
    /// Whether no connection was made, so that nobody has had the request.
    fileprivate var hasReachedNobody: Bool {
        switch code {
        case .unknownHost, .connectionRefused, .networkUnreachable, .timedOut: true
        default: false
        }
    }
}
