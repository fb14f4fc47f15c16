import SessionSupport

/// The text of events for lines, logs and screens; secrets of URLs are masked.
extension TransferEvent.What {
    /// One fact without the name of its transfer: a line may add the URL or the path.
    package var words: SafeText {
        switch self {
        case .added(let job): job.words
        case .started: EventLog.started
        case .response(let status, _, let continuation, _):
            continuation == .yes ? EventLog.resumableResponse(status) : EventLog.response(status)
        case .progress(let figures): figures.words
        case .paused: EventLog.paused
        case .resumed: EventLog.resumed
        case .retrying(let attempt, let after, let reason):
            EventLog.retrying(
                attempt, in: DurationText.elapsed(milliseconds: Int64(max(after, 0) * 1000)),
                SafeText(untrusted: reason))
        case .restarted(let reason): EventLog.restarted(SafeText(untrusted: reason))
        case .mirrorDropped(let url, let reason):
            EventLog.mirrorDropped(SafeText(url: url), SafeText(untrusted: reason))
        case .mirrorSwitched(let url, let earlier, let reason):
            EventLog.mirrorChanged(
                from: SafeText(url: earlier), SafeText(untrusted: reason),
                to: SafeText(url: url))
        case .notice(let sentence): SafeText(untrusted: sentence)
        case .completed(let completion): completion.words
        case .failed(let failure): EventLog.failed(SafeText(untrusted: failure.message))
        case .cancelled: EventLog.cancelled
        }
    }

    /// Its line in the log of a row; nil for what the row itself shows.
    package var logLine: SafeText? {
        switch self {
        case .added, .progress: nil
        case .completed(let completion):
            completion.note.map { EventLog.noted(words, SafeText(untrusted: $0)) } ?? words
        default: words
        }
    }
}

extension TransferEvent.Description {
    fileprivate var words: SafeText {
        var task = EventLog.task(kind.word, SafeText(untrusted: method), SafeText(url: url))
        if let path {
            let file = SafeText(untrusted: path)
            task = kind == .upload ? EventLog.taskFrom(file, task) : EventLog.taskTo(file, task)
        }
        return isRepeated ? EventLog.known(task) : EventLog.added(task)
    }
}

extension TransferEvent.Figures {
    fileprivate var words: SafeText {
        var share = SizeText.long(moved)
        if let expected, let percent = PercentText.percent(moved, of: expected) {
            share = EventLog.share(moved, of: expected, percent)
        }
        let rate = bytesPerSecond.map { SizeText.longRate(Double($0)) } ?? .empty
        return [isSending ? EventLog.sent(share) : EventLog.received(share), rate].joined(by: ", ")
    }
}

extension TransferEvent.Completion {
    fileprivate var words: SafeText {
        guard !isUnchanged else { return EventLog.unchanged }
        guard !isArchived else { return EventLog.archived }
        guard !wasSkipped else { return EventLog.skipped }
        let time = seconds.map { DurationText.elapsed(milliseconds: Int64(max($0, 0) * 1000)) }
        let checksum: SafeText =
            switch proof {
            case .matches: EventLog.checksumMatches
            case .notFound: EventLog.noChecksum
            case nil: .empty
            }
        let size = time.map { time in
            earlierBytes.map { EventLog.size(bytes, rest: bytes - $0, in: time) } ?? EventLog.size(bytes, in: time)
        }
        let parts = [
            EventLog.completed, size ?? SizeText.long(bytes), checksum,
            lengthWasVerified ? .empty : EventLog.lengthUnverified,
        ]
        return parts.joined(by: ", ")
    }
}
