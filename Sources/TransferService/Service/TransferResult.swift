/// The standing of one transfer when the run ended.
package enum TransferResult: Sendable, Equatable, Codable {
    case completed
    /// Behind a reference, because a run may have a million results, few of which are failures.
    indirect case failed(TransferFailure)
    case cancelled
    /// The transfer has not ended: it is paused, waits or moves.
    case unfinished
}

/// The reason why a transfer failed, in the words of every output.
package struct TransferFailure: Error, Sendable, Equatable, Codable {
    /// The kind of failure that the exit code tells.
    package enum Category: Sendable, Equatable, Codable {
        case ordinary
        /// The disk is full or read-only.
        case disk
        /// The host could not be reached at all.
        case network
        /// A checksum or certificate was wrong.
        case check
    }

    /// A stable word for programs, such as `timedOut`.
    package var kind: String
    package var category: Category
    /// One sentence, without a trailing stop.
    package var message: String
    package var httpStatus: Int?
    /// The part that was kept, when one was.
    package var partPath: String?
}

/// The outcome of a whole run in figures.
package struct RunSummary: Sendable, Equatable, Codable {
    package var completed = 0
    package var failed = 0
    package var cancelled = 0
    package var paused = 0
    /// Body bytes that were received, and those of uploads that their servers have taken.
    package var bytes: Int64 = 0
    package var seconds = 0.0

    /// Counts the results of a run; whatever has not ended counts as paused.
    package init(results: some Sequence<TransferResult>, bytes: Int64, seconds: Double) {
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
    package var sentence: SafeText {
        var parts: [SafeText] = [ServiceLines.completed(completed)]
        if failed > 0 { parts.append(ServiceLines.failed(failed)) }
        if cancelled > 0 { parts.append(ServiceLines.cancelled(cancelled)) }
        if paused > 0 { parts.append(ServiceLines.unfinished(paused)) }
        let taken = DurationText.elapsed(milliseconds: Int64(seconds * 1000))
        parts.append(ServiceLines.sum(bytes, taken))
        return parts.joined(by: ", ")
    }
}
