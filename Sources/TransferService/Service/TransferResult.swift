/// The result of one transfer when the run ended.
package enum TransferResult: Sendable, Equatable, Codable {
    case completed
    /// Indirect, because a run may have a million results, few of which are failures.
    indirect case failed(TransferFailure)
    case cancelled
    /// The transfer has not ended: it is paused, waiting or running.
    case unfinished
}

/// The reason why a transfer failed, worded for every output.
package struct TransferFailure: Error, Sendable, Equatable, Codable {
    /// The kind of failure that decides the exit code.
    package enum Category: Sendable, Equatable, Codable {
        case ordinary
        /// The disk is full or read-only.
        case disk
        /// The host could not be reached at all.
        case network
        /// A checksum or certificate was wrong.
        case check
        /// The response did not meet a condition.
        case condition
    }

    /// A stable word for programs, such as `timedOut`.
    package var kind: String
    package var category: Category
    /// One sentence, without a trailing full stop.
    package var message: String
    package var httpStatus: Int?
    /// The path of a kept partial file.
    package var partPath: String?

    package init(
        kind: String, category: Category, message: String, httpStatus: Int? = nil, partPath: String? = nil
    ) {
        (self.kind, self.category, self.message) = (kind, category, message)
        (self.httpStatus, self.partPath) = (httpStatus, partPath)
    }
}

extension TransferFailure {
    /// The category of a failure with a cause; an error of the library has the cause of the same word.
    package static func category(of cause: Cause?) -> Category {
        cause.flatMap { SessionError.Code(rawValue: $0.rawValue) }.map { category(of: $0) } ?? .ordinary
    }

    static func category(of code: SessionError.Code) -> Category {
        switch code {
        case .diskFull, .readOnly: .disk
        case .unknownHost, .connectionRefused, .networkUnreachable: .network
        case .checksum, .certificate: .check
        case .cancelled, .invalidURL, .unsupportedScheme, .invalidHeader, .invalidRequest, .bodyUnreadable,
            .connectionLost, .timedOut, .stalled, .tls, .badResponse, .tooManyRedirects, .redirectRefused, .http,
            .authenticationRequired, .noContent, .truncated, .resourceChanged, .unexpectedContent, .partChanged,
            .bodyTooLarge, .notReplayable,
            .destinationExists, .destinationIsFolder, .permission, .notFound, .fileTooLarge, .partInUse, .storage,
            .sessionInvalidated, .sessionInUse, .internal:
            .ordinary
        }
    }
}

extension RowSnapshot {
    /// How the transfer has ended, as far as its row tells.
    package var result: TransferResult {
        switch figures.state {
        case .done: .completed
        case .cancelled: .cancelled
        case .failed:
            .failed(
                TransferFailure(
                    kind: figures.cause?.rawValue ?? "", category: TransferFailure.category(of: figures.cause),
                    message: error?.string ?? "", httpStatus: figures.statusCode))
        case .running, .retrying, .queued, .pausing, .paused, .verifying, .saving: .unfinished
        }
    }
}

/// Body bytes by direction.
package struct MovedBytes: Sendable, Equatable, Codable {
    package var received: Int64 = 0
    /// The bytes of uploads that their servers accepted.
    package var sent: Int64 = 0

    package init(received: Int64 = 0, sent: Int64 = 0) { (self.received, self.sent) = (received, sent) }

    package var total: Int64 { received + sent }

    package static func += (left: inout MovedBytes, right: MovedBytes) {
        left.received += right.received
        left.sent += right.sent
    }

    package static func -= (left: inout MovedBytes, right: MovedBytes) {
        left.received -= right.received
        left.sent -= right.sent
    }
}

/// The outcome of a run in figures.
package struct RunSummary: Sendable, Equatable, Codable {
    package var completed = 0
    package var failed = 0
    package var cancelled = 0
    package var paused = 0
    /// The body bytes of responses and uploads.
    package var moved = MovedBytes()
    package var seconds = 0.0

    /// Counts the results of a run; unfinished ones count as paused.
    package init(results: some Sequence<TransferResult>, moved: MovedBytes, seconds: Double) {
        self.moved = moved
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

    /// For example `3 completed, 1 failed, 1.2 GiB in 5m`.
    package var sentence: SafeText {
        var parts: [SafeText] = [ServiceLines.completed(completed)]
        if failed > 0 { parts.append(ServiceLines.failed(failed)) }
        if cancelled > 0 { parts.append(ServiceLines.cancelled(cancelled)) }
        if paused > 0 { parts.append(ServiceLines.unfinished(paused)) }
        let taken = DurationText.elapsed(milliseconds: Int64(seconds * 1000))
        parts.append(ServiceLines.sum(moved.total, taken))
        return parts.joined(by: ", ")
    }
}
