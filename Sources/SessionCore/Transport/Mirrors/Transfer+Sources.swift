import SessionSupport

/// The choice of the lead's source, and of its successor when it fails.
extension Transfer {
    /// The next step after the sources were reviewed.
    enum AfterSources {
        /// Another attempt follows at once: at another source, or at the same one after a comparison.
        case again
        case carryOut(NextStep)
    }

    /// Decides whether another source replaces one that has failed.
    func review(
        _ next: NextStep, _ sources: DownloadSources, of attempt: Attempt?, madeProgress: Bool
    ) -> AfterSources {
        if madeProgress { sources.board.progressed() }
        switch next {
        case .fail(let error):
            return error.concernsSource ? turn(after: Failure(error, passes: false, attempt), sources) : .carryOut(next)
        case .retry(let error, let delay):
            // A lead that was disconnected while others work is retried once.
            if madeProgress, delay == nil, (handler.segments?.working ?? 1) > 1 { return .carryOut(next) }
            return turn(after: Failure(error, passes: true, attempt, askedWait: delay), sources)
        case .restart(let reason) where sources.board.isLeadForeign:
            return turn(after: Failure(SessionError(.resourceChanged, reason), passes: false, attempt), sources)
        case .takeBack(let reason) where sources.board.isLeadForeign:
            if !handler.takeBack() { core.emit(.restarted(id, reason: reason)) }
            return turn(after: Failure(SessionError(.badResponse, reason), passes: false, attempt), sources)
        case .compared:
            return compared(sources, attempt)
        case .follow, .restart, .takeBack, .complete, .nextRange, .authenticate, .sendUnasked, .askForTrust,
            .askForProxy,
            .useNewConnection, .uploadStep:
            return .carryOut(next)
        }
    }

    private func compared(_ sources: DownloadSources, _ attempt: Attempt?) -> AfterSources {
        switch (handler as? any SourcedFile)?.compareFirstBlock(sources) {
        case .same:
            sources.leadHasFirstBlock = true
            return .again
        case .differs:
            sources.board[sources.board.lead].hasOther = true
            let error = SessionError(.resourceChanged, MirrorReasons.otherBytes)
            return turn(after: Failure(error, passes: false, attempt), sources)
        case .incomplete, nil:
            return turn(
                after: Failure(SessionError(.connectionLost, MirrorReasons.closed), passes: true, attempt), sources)
        }
    }

    /// A source's failure.
    private struct Failure {
        var error: SessionError
        /// Whether it may be temporary.
        var passes: Bool
        /// The failed attempt; nil if none was made.
        var attempt: Attempt?
        /// Milliseconds of the server's `Retry-After`.
        var askedWait: Int64?

        init(_ error: SessionError, passes: Bool, _ attempt: Attempt?, askedWait: Int64? = nil) {
            (self.error, self.passes, self.attempt, self.askedWait) = (error, passes, attempt, askedWait)
        }
    }

    private func turn(after failure: Failure, _ sources: DownloadSources) -> AfterSources {
        let (error, passes) = (failure.error, failure.passes)
        let failed = sources.board.lead
        if passes {
            sources.lastPassing = error
        } else {
            dropSource(failed, error.message, passes: sources.board[failed].lacksRanges, sources)
        }
        switch sources.board.leadFailed(passes: passes) {
        case .next(let index, let wholly):
            // Transfers that wait for that server have to learn of the failure, also if this one was its probe.
            if let attempt = failure.attempt { tellServer(of: failure, attempt) }
            if wholly { beginAgain(ResumeReasons.mirrorLacksRanges) }
            turnLead(to: index, from: failed, error.message, sources)
            return .again
        case .wait:
            guard !passes else { return .carryOut(.retry(error, afterMilliseconds: nil)) }
            return .carryOut(.retry(sources.lastPassing ?? error, afterMilliseconds: nil))
        case .over:
            var error = error
            if sources.board.sources.count > 1 { error.message = Self.summary(sources.board) }
            return .carryOut(.fail(error))
        }
    }

    /// Reports a failure to the server's host; one that was only slow for a download with other sources is no trouble
    /// for transfers without them.
    private func tellServer(of failure: Failure, _ attempt: Attempt) {
        guard attempt.watches.stall?.wasImpatient == true, asksItsHost else {
            tellHost(of: failure.error, attempt, askedWait: failure.askedWait)
            return
        }
        core.hosts.keptWaiting(host, now: core.now)
    }

    /// Makes a source the lead.
    private func turnLead(to index: Int, from earlier: Int, _ reason: String, _ sources: DownloadSources) {
        sources.leadHasFirstBlock = false
        sources.leadMetadata = nil
        answer.page = nil
        figures.metrics.recordFailedAttempt()
        core.emit(
            .source(id, .switched(to: sources.board[index].url, from: sources.board[earlier].url, reason: reason)))
        startOver()
        core.emit(.hop(id, request))
        publishSources()
    }

    private func beginAgain(_ reason: String) {
        let hadBytes = handler.received > 0
        handler.restart(keepingPart: false)
        if hadBytes { core.emit(.restarted(id, reason: reason)) }
    }

    /// Returns the reasons of all sources in one sentence.
    private static func summary(_ board: SourceBoard) -> String {
        let reasons = board.sources.map { source -> String in
            let host = Origin.serverName(of: source.url)
            guard case .dropped(let reason, _) = source.standing else { return host }
            return MirrorReasons.failed(host, reason)
        }
        return MirrorReasons.allFailed(board.sources.count, reasons)
    }

    /// Drops a source; its connections that still bring bytes of the right version continue.
    func dropSource(_ index: Int, _ reason: String, passes: Bool, _ sources: DownloadSources) {
        guard sources.board.drop(index, reason, passes: passes) else { return }
        core.emit(.source(id, .dropped(url: sources.board[index].url, reason: reason)))
        publishSources()
    }

    /// Turns to the next source after a wrong checksum, and returns the reason; nil when no source is left.
    func switchAfterMismatch(_ error: SessionError, _ sources: DownloadSources) -> String? {
        guard error.code == .checksum else { return nil }
        let reference = sources.board.reference
        let wasMixed = sources.board.isMixed
        let earlier = reference ?? sources.board.lead
        guard let next = sources.board.combinationWasWrong(error.message) else { return nil }
        if !wasMixed, let reference {
            core.emit(.source(id, .dropped(url: sources.board[reference].url, reason: error.message)))
        }
        turnLead(to: next, from: earlier, error.message, sources)
        return wasMixed ? ResumeReasons.mirrorsMixed : ResumeReasons.mirrorChecksum
    }

    /// Returns the request to the source at the front.
    func leadRequest(_ sources: DownloadSources) -> TransferRequest {
        let index = sources.board.lead
        return index == 0
            ? description.request : RedirectPolicy.request(description.request, at: sources.board[index].url)
    }

    /// Makes the source of a branch that became the lead the lead's source.
    func takeLead(_ branch: SegmentBranch, _ attempt: Attempt) {
        guard let sources = handler.sources, sources.board.lead != branch.source else { return }
        sources.board.lead = branch.source
        guard let requestTarget = attempt.requestTarget else { return }
        ask(requestTarget.request)
        asking.redirects.context = RedirectPolicy.Context()
        asking.redirects.context.hasLeftOrigin = requestTarget.hasLeftOrigin
    }
}

extension SessionError {
    /// Whether another source may avoid the failure.
    fileprivate var concernsSource: Bool {
        switch code {
        case .unknownHost, .connectionRefused, .networkUnreachable, .connectionLost, .timedOut, .stalled, .tls,
            .certificate, .badResponse, .tooManyRedirects, .redirectRefused, .http, .authenticationRequired, .noContent,
            .truncated, .resourceChanged, .unexpectedContent, .invalidURL, .unsupportedScheme:
            !isOfOwnFiles
        case .cancelled, .invalidHeader, .invalidRequest, .bodyUnreadable, .partChanged, .bodyTooLarge, .notReplayable,
            .checksum, .destinationExists, .destinationIsFolder, .permission, .notFound, .diskFull, .readOnly,
            .fileTooLarge, .partInUse, .storage, .sessionInvalidated, .sessionInUse, .internal:
            false
        }
    }
}
