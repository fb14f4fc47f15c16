import SessionSupport

/// Which source works at the front, and who takes its place when it fails.
extension Transfer {
    /// What follows an attempt, after the sources were looked at.
    enum AfterSources {
        /// Another attempt follows at once: at another source, or at the same one, which was compared.
        case again
        case carryOut(NextStep)
    }

    /// Looks whether another source takes the place of one that has failed.
    func review(
        _ next: NextStep, _ sources: DownloadSources, of attempt: Attempt?, madeProgress: Bool
    ) -> AfterSources {
        if madeProgress { sources.board.progressed() }
        switch next {
        case .fail(let error):
            return error.concernsSource ? turn(after: Failure(error, passes: false, attempt), sources) : .carryOut(next)
        case .retry(let error, let delay):
            // A lead that was cut while others work is asked again, once.
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

    /// Why a source gave nothing.
    private struct Failure {
        var error: SessionError
        /// Whether it may be right again later.
        var passes: Bool
        /// The attempt that has failed; nil where none was made.
        var attempt: Attempt?
        /// Milliseconds for which its server asked to be left alone.
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
            // Whoever waits for that server has to know, also where this transfer asked it for all of them.
            if let attempt = failure.attempt { tellServer(of: failure, attempt) }
            if wholly { beginAgain(ResumeReasons.mirrorSendsWhole) }
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

    /// A server that has only kept this download waiting, which has others to ask, is in no trouble for those who have none.
    private func tellServer(of failure: Failure, _ attempt: Attempt) {
        guard attempt.watches.stall?.wasImpatient == true, asksItsHost else {
            tellHost(of: failure.error, attempt, askedWait: failure.askedWait)
            return
        }
        core.hosts.keptWaiting(host, now: core.now)
    }

    /// Gives the lead to a source.
    private func turnLead(to index: Int, from earlier: Int, _ reason: String, _ sources: DownloadSources) {
        sources.leadHasFirstBlock = false
        sources.leadFacts = nil
        answer.page = nil
        figures.metrics.recordFailedAttempt()
        core.emit(.source(id, .turned(to: sources.board[index].url, from: sources.board[earlier].url, reason: reason)))
        startOver()
        core.emit(.hop(id, request))
        publishSources()
    }

    private func beginAgain(_ reason: String) {
        let hadBytes = handler.received > 0
        handler.restart(keepingPart: false)
        if hadBytes { core.emit(.restarted(id, reason: reason)) }
    }

    /// What every source has said, in a sentence.
    private static func summary(_ board: SourceBoard) -> String {
        let reasons = board.sources.map { source -> String in
            let host = Origin.serverName(of: source.url)
            guard case .dropped(let reason, _) = source.standing else { return host }
            return MirrorReasons.failed(host, reason)
        }
        return MirrorReasons.allFailed(board.sources.count, reasons)
    }

    /// Asks a source no more; connections that still bring bytes of the right version go on.
    func dropSource(_ index: Int, _ reason: String, passes: Bool, _ sources: DownloadSources) {
        guard sources.board.drop(index, reason, passes: passes) else { return }
        core.emit(.source(id, .dropped(url: sources.board[index].url, reason: reason)))
        publishSources()
    }

    /// The whole was wrong: the next source brings all of it; false when none is left, and where one alone has to.
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

    /// The request to the source at the front.
    func leadRequest(_ sources: DownloadSources) -> TransferRequest {
        let index = sources.board.lead
        return index == 0
            ? description.request : RedirectPolicy.request(description.request, at: sources.board[index].url)
    }

    /// A branch has become the lead, and with it its source.
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
    /// Whether another source may do better.
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
