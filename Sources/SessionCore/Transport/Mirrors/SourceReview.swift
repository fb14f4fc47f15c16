import SessionSupport

/// The failure of a download's source.
struct SourceFailure: Sendable, Equatable {
    var error: SessionError
    /// Whether it may be temporary.
    var passes: Bool
    /// Milliseconds of the server's `Retry-After`.
    var askedWait: Int64?
    /// Whether another source is asked next.
    var hasSuccessor = false
}

/// The review of the lead's next step, where the file has several sources.
enum SourceReview: Sendable, Equatable {
    case carryOut(NextStep)
    /// The lead's source has failed.
    indirect case failed(SourceFailure)
    /// The same, and the bytes of its response are taken back.
    indirect case tookBack(SourceFailure, reason: String)
    /// The lead's first block has arrived and is compared.
    case compare
}

extension DownloadSources {
    /// Decides whether the lead's next step is a failure of its source, which another one may avoid.
    ///
    /// - Parameter working: the connections that receive bytes, including the lead.
    func review(_ next: NextStep, madeProgress: Bool, working: Int, now: Int64) -> SourceReview {
        if madeProgress { board.progressed(now: now) }
        switch next {
        case .fail(let error):
            return error.concernsSource ? .failed(SourceFailure(error: error, passes: false)) : .carryOut(next)
        case .retry(let error, let delay):
            // A lead that was disconnected while others work is retried once.
            if madeProgress, delay == nil, working > 1 { return .carryOut(next) }
            return .failed(SourceFailure(error: error, passes: true, askedWait: delay))
        case .restart(let reason) where board.isLeadForeign:
            return .failed(SourceFailure(error: SessionError(.resourceChanged, reason), passes: false))
        case .takeBack(let reason) where board.isLeadForeign:
            let failure = SourceFailure(error: SessionError(.badResponse, reason), passes: false)
            return .tookBack(failure, reason: reason)
        case .compared: return .compare
        case .follow, .restart, .takeBack, .complete, .nextRange, .authenticate, .sendUnasked, .askForTrust,
            .askForProxy, .useNewConnection, .uploadStep, .uploadAnswer:
            return .carryOut(next)
        }
    }

    /// Records the comparison of the lead's first block, and returns the source's failure; nil if it is the same.
    func compared(_ comparison: BlockComparison?) -> SourceFailure? {
        switch comparison {
        case .same:
            leadHasFirstBlock = true
            return nil
        case .differs:
            board[board.lead].hasOther = true
            return SourceFailure(error: SessionError(.resourceChanged, MirrorReasons.otherBytes), passes: false)
        case .incomplete, nil:
            return SourceFailure(error: SessionError(.connectionLost, MirrorReasons.closed), passes: true)
        }
    }

    /// The consequence of a failure of the lead's source for the transfer.
    enum Turn: Sendable, Equatable {
        /// Another source becomes the lead at once; `wholly` if it sends no ranges.
        case next(Int, wholly: Bool)
        case carryOut(NextStep)
    }

    /// Chooses the next lead.
    func turn(after failure: SourceFailure, now: Int64) -> Turn {
        if failure.passes { lastPassing = failure.error }
        switch board.leadFailed(passes: failure.passes, askedWait: failure.askedWait, now: now) {
        case .next(let index, let wholly): return .next(index, wholly: wholly)
        case .wait(let milliseconds):
            let error = failure.passes ? failure.error : lastPassing ?? failure.error
            return .carryOut(.retry(error, afterMilliseconds: milliseconds))
        case .over:
            var error = failure.error
            if hasChoice { error.message = summary }
            return .carryOut(.fail(error))
        }
    }

    /// Forgets what was compared with the earlier lead.
    func leadChanges() { (leadHasFirstBlock, leadMetadata) = (false, nil) }

    /// The reasons of all sources in one sentence.
    private var summary: String {
        let reasons = board.sources.map { source -> String in
            let host = Origin.serverName(of: source.url)
            guard case .dropped(let reason, _) = source.standing else { return host }
            return MirrorReasons.failed(host, reason)
        }
        return MirrorReasons.allFailed(board.sources.count, reasons)
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
