import Dashboard

/// The standing of one transfer when the run ended.
enum TransferResult: Sendable, Equatable {
    case completed
    /// Behind a reference, because a run may have a million results, few of which are failures.
    indirect case failed(TransferFailure)
    case cancelled
    /// The transfer has not ended: it is paused, waits or moves.
    case unfinished
}

/// The reason why a transfer failed, in the words of every output.
struct TransferFailure: Error, Sendable, Equatable {
    /// The kind of failure that the exit code tells.
    enum Category: Sendable, Equatable {
        case ordinary
        /// The disk is full or read-only.
        case disk
        /// The host could not be reached at all.
        case network
        /// A checksum or certificate was wrong.
        case check
    }

    /// A stable word for programs, such as `timedOut`.
    var kind: String
    var category: Category
    /// One sentence, without a trailing stop.
    var message: String
    var httpStatus: Int?
    /// The part that was kept, when one was.
    var partPath: String?
}

/// The outcome of a whole run in figures.
struct RunSummary: Sendable, Equatable {
    var completed = 0
    var failed = 0
    var cancelled = 0
    var paused = 0
    /// Body bytes moved, both directions.
    var bytes: Int64 = 0
    var seconds = 0.0

    /// Counts the results of a run; whatever has not ended counts as paused.
    init(results: some Sequence<TransferResult>, bytes: Int64, seconds: Double) {
        self.bytes = bytes
        self.seconds = seconds
        for result in results {
            switch result {
            case .completed: completed += 1
            case .failed: failed += 1
            case .cancelled: cancelled += 1
            case .unfinished: paused += 1
            }
        }
    }

    /// The run in one sentence.
    var sentence: SafeText {
        var parts: [SafeText] = [SafeText(completed) + " completed"]
        if failed > 0 { parts.append(SafeText(failed) + " failed") }
        if cancelled > 0 { parts.append(SafeText(cancelled) + " cancelled") }
        if paused > 0 { parts.append(SafeText(paused) + " unfinished") }
        let taken = DurationText.elapsed(milliseconds: Int64(seconds * 1000))
        parts.append(SizeText.long(bytes) + " in " + taken)
        return parts.joined(by: ", ")
    }
}
