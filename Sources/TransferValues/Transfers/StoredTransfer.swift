/// One transfer in the store of a persistent session: enough to show it and to resume it in a later run.
///
/// Secrets are never part of it. If the request's URL or header fields contained some, ``needsCredentials`` is set: its
/// text is then only for showing, and resuming requires the complete request.
///
/// ```swift
/// for transfer in try manager.store.transfers where transfer.needsCredentials { print(transfer.request.url) }
/// ```
public struct StoredTransfer: Sendable, Equatable {
    /// Unique in every run.
    public var id: TransferID
    /// The kind of transfer.
    public var kind: TransferKind
    /// The request, without secrets.
    public var request: TransferRequest
    /// Whether secrets were left out, so that only its user can start it again.
    public var needsCredentials: Bool
    /// The destination of the response body.
    package var destination: Destination
    /// The latest command.
    package var wanted: Wanted
    /// Whether it was ever resumed: a request that must not be repeated may have reached its server.
    package var wasStarted: Bool
    /// The state of the transfer.
    package var standing: Status
    /// Whether the transfer has ended and will not change any more.
    public var isFinal: Bool { standing.isFinal }
    /// The transferred body bytes, at most a second old.
    package var counts: BodyCounts
    /// The partial file of the latest stop, as far as it is known.
    public var partPath: String?
    /// The finished file.
    public var filePath: String?
    /// The user's own label.
    package var label: String?
    /// The position among the transfers; lower ones come first.
    package var position: Int64
    /// Seconds since 1970.
    package var createdAt: Double
    /// Seconds since 1970.
    package var finishedAt: Double?
    /// When the ended run began to use the network, moved by the length of its pauses, in seconds since 1970.
    package var startedAt: Double?
    /// The status code of the final response.
    package var statusCode: Int?
    /// Attempts in a row without progress.
    package var failedAttempts = 0
    /// The steps of the final attempt; nil when there was none.
    package var timings: Timings? {
        get { rarities?.timings }
        set { rarities = Rarities(timings: newValue, annotation: annotation) }
    }
    /// The program's own data for a later run, such as what it needs to send the request; no secrets.
    package var annotation: String? {
        get { rarities?.annotation }
        set { rarities = Rarities(timings: timings, annotation: newValue) }
    }
    /// A reference, because few of a session's hundred thousand transfers have ended or are annotated.
    private var rarities: Rarities?

    /// A transfer that has not begun.
    ///
    /// The request is unchanged; the code that writes the store removes its secrets first.
    package init(
        id: TransferID, kind: TransferKind, request: TransferRequest, needsCredentials: Bool = false,
        destination: Destination = .memory, createdAt: Double
    ) {
        self.id = id
        self.kind = kind
        self.request = request
        self.needsCredentials = needsCredentials
        self.destination = destination
        self.createdAt = createdAt
        wanted = .paused
        wasStarted = false
        standing = .unfinished
        counts = BodyCounts()
        position = Int64(clamping: id.rawValue)
    }
}

extension StoredTransfer {
    /// The latest command of a transfer.
    package enum Wanted: String, Sendable, CaseIterable {
        /// Resumed: it runs or is queued.
        case running
        /// Never resumed, or suspended.
        case paused
        /// Removed while it ran: it is gone once it has ended, and in the next run; its partial file stays.
        case removed
        /// Removed with its partial file.
        case removedWithPart

        package var isRemoval: Bool { self == .removed || self == .removedWithPart }
    }

    /// The destination of a response body.
    package enum Destination: Sendable, Equatable {
        /// The caller gets the body in memory.
        case memory
        /// A temporary file, moved to a destination that is decided at the end.
        case staged
        /// A file in a folder.
        case target(DownloadTarget)
    }

    /// The state of a transfer.
    package enum Status: Sendable, Equatable {
        /// Next: finishing for a download, or one of the three ends.
        case unfinished
        /// The partial file is complete and about to get its name: next is one of the three ends.
        ///
        /// After a crash the file's identity shows whether it got the name.
        case finishing(FinishingFile)
        /// Succeeded. Final.
        case completed
        /// Failed, with the error's kind and sentence. Final.
        case failed(SessionError.Code, message: String)
        /// Cancelled. Final.
        case cancelled

        package var isFinal: Bool {
            switch self {
            case .unfinished, .finishing: false
            case .completed, .failed, .cancelled: true
            }
        }
    }

    /// The file that a partial file is about to become.
    package struct FinishingFile: Sendable, Equatable {
        /// Its final path.
        package var path: String
        /// Its device number.
        package var device: UInt64
        /// Its inode, which a rename does not change.
        package var inode: UInt64

        package init(path: String, device: UInt64, inode: UInt64) {
            self.path = path
            self.device = device
            self.inode = inode
        }
    }
}

/// Data that few transfers have.
///
/// A class, because a missing one takes no memory.
private final class Rarities: Sendable, Equatable {
    let timings: StoredTransfer.Timings?
    let annotation: String?

    /// Stores the data of a transfer; nil when it has neither.
    init?(timings: StoredTransfer.Timings?, annotation: String?) {
        guard timings != nil || annotation != nil else { return nil }
        (self.timings, self.annotation) = (timings, annotation)
    }

    static func == (left: Rarities, right: Rarities) -> Bool {
        left.timings == right.timings && left.annotation == right.annotation
    }
}

/// Records that a complete file is about to get its name.
///
/// A program that is killed between the rename and the record of the end finds the file by it, and neither downloads it
/// again nor loses it.
package protocol FinishJournal: Sendable {
    /// Records all files at once.
    ///
    /// Blocks until the disk has them, or has refused: then the files get their names nevertheless, because a missing
    /// record costs at most a repeated download. Call it on a storage thread.
    func record(_ files: [TransferID: StoredTransfer.FinishingFile])
}

extension StoredTransfer {
    /// The steps of a transfer's final attempt, in seconds since it began; zero for a skipped step.
    package struct Timings: Sendable, Equatable {
        /// Until the name was resolved.
        package var nameLookup: Double
        /// Until the connection was established.
        package var connect: Double
        /// Until the TLS handshake was complete.
        package var secureConnect: Double
        /// Until the request was sent.
        package var requestSent: Double
        /// Until the first byte of the response.
        package var firstByte: Double
        /// The length of the attempt.
        package var total: Double

        /// Creates the timings of the last attempt; nil when there was none.
        package init?(_ metrics: TransferMetrics) {
            guard metrics.total > 0 else { return nil }
            nameLookup = metrics.nameLookup
            connect = metrics.connect
            secureConnect = metrics.secureConnect
            requestSent = metrics.requestSent
            firstByte = metrics.firstByte
            total = metrics.total
        }

        /// Metrics with only these steps.
        package var metrics: TransferMetrics {
            var metrics = TransferMetrics()
            metrics.nameLookup = nameLookup
            metrics.connect = connect
            metrics.secureConnect = secureConnect
            metrics.requestSent = requestSent
            metrics.firstByte = firstByte
            metrics.total = total
            return metrics
        }
    }
}

extension StoredTransfer.Timings {
    /// The text for the store: microseconds separated by blanks.
    package var text: String {
        [nameLookup, connect, secureConnect, requestSent, firstByte, total]
            .map { String(Int64(($0 * 1e6).rounded())) }.joined(separator: " ")
    }

    /// Reads what ``text`` has written; nil for anything else.
    package init?(text: String) {
        let steps = text.split(separator: " ").compactMap { Int64($0) }.map { Double($0) / 1e6 }
        guard steps.count == 6 else { return nil }
        var metrics = TransferMetrics()
        (metrics.nameLookup, metrics.connect, metrics.secureConnect) = (steps[0], steps[1], steps[2])
        (metrics.requestSent, metrics.firstByte, metrics.total) = (steps[3], steps[4], steps[5])
        self.init(metrics)
    }
}
