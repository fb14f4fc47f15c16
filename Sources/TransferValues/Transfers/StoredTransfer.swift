/// One transfer as the store of a persistent session keeps it: enough to show it and to go on with it in a later run.
///
/// Secrets are never part of it. A request whose URL or header fields held some has ``needsCredentials`` set: its text
/// here is for showing, and going on takes the full request again.
///
/// ```swift
/// for transfer in try manager.store.transfers where transfer.needsCredentials { print(transfer.request.url) }
/// ```
public struct StoredTransfer: Sendable, Equatable {
    /// Names the transfer in every run.
    public var id: TransferID
    /// What it is.
    public var kind: TransferKind
    /// The request, without secrets.
    public var request: TransferRequest
    /// Whether secrets were left out, so that only its user can start it again.
    public var needsCredentials: Bool
    /// Where the response body goes.
    package var destination: Destination
    /// What was last asked for.
    package var wanted: Wanted
    /// Whether it was ever resumed: a request that must not be repeated may have reached its server.
    package var wasStarted: Bool
    /// How far it is.
    package var standing: Status
    /// Whether the transfer has ended, so that nothing of it will change any more.
    public var isFinal: Bool { standing.isFinal }
    /// The body bytes that were moved, at most a second old.
    package var counts: BodyCounts
    /// The part that was kept when the transfer last stopped, as far as it is known here.
    public var partPath: String?
    /// The finished file.
    public var filePath: String?
    /// The user's own words for it.
    package var label: String?
    /// The transfer's place among the others: lower ones come first.
    package var position: Int64
    /// When it was created, in seconds since 1970.
    package var createdAt: Double
    /// When it ended, in seconds since 1970.
    package var finishedAt: Double?
    /// When the run that ended began to use the network, in seconds since 1970.
    package var startedAt: Double?
    /// The status code of the answer that it ended with.
    package var statusCode: Int?
    /// Attempts in a row that had ended without progress.
    package var failedAttempts = 0
    /// The steps of the attempt that it ended with; nil when there was none.
    package var timings: Timings? {
        get { rarities?.timings }
        set { rarities = Rarities(timings: newValue, annotation: annotation) }
    }
    /// What the program keeps with the transfer for itself, such as what a later run needs to send the request; no secrets.
    package var annotation: String? {
        get { rarities?.annotation }
        set { rarities = Rarities(timings: timings, annotation: newValue) }
    }
    /// A reference, because a session may have a hundred thousand transfers, few of which have ended or are annotated.
    private var rarities: Rarities?

    /// A transfer that has not begun.
    ///
    /// The request is taken as it is; what leads to the store removes its secrets first.
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
    /// What was last asked of a transfer.
    package enum Wanted: String, Sendable, CaseIterable {
        /// Resumed: it runs, or waits for its turn.
        case running
        /// Never resumed, or suspended.
        case paused
    }

    /// Where a response body goes.
    package enum Destination: Sendable, Equatable {
        /// The body goes to the caller, in memory.
        case memory
        /// The body goes to a temporary file whose place is asked for at the end.
        case staged
        /// The body goes to a file in a folder.
        case target(DownloadTarget)
    }

    /// How far a transfer is.
    package enum Status: Sendable, Equatable {
        /// Next: finishing for a download, or one of the three ends.
        case unfinished
        /// The part is whole and about to get its name: next is one of the three ends.
        ///
        /// After a crash the file's identity tells whether it got there.
        case finishing(FinishingFile)
        /// Ended well. Final.
        case completed
        /// Ended badly, with the error's kind and sentence. Final.
        case failed(SessionError.Code, message: String)
        /// Cancelled. Final.
        case cancelled

        /// Whether nothing will change any more.
        package var isFinal: Bool {
            switch self {
            case .unfinished, .finishing: false
            case .completed, .failed, .cancelled: true
            }
        }
    }

    /// The file a part is about to become.
    package struct FinishingFile: Sendable, Equatable {
        /// The path it is to have.
        package var path: String
        /// The device it lies on.
        package var device: UInt64
        /// The file's number on its device, which a rename does not change.
        package var inode: UInt64

        /// A file from its parts.
        package init(path: String, device: UInt64, inode: UInt64) {
            self.path = path
            self.device = device
            self.inode = inode
        }
    }
}

/// What few transfers have.
///
/// A class because a missing one takes no room.
private final class Rarities: Sendable, Equatable {
    let timings: StoredTransfer.Timings?
    let annotation: String?

    /// Nil where there is nothing to keep.
    init?(timings: StoredTransfer.Timings?, annotation: String?) {
        guard timings != nil || annotation != nil else { return nil }
        (self.timings, self.annotation) = (timings, annotation)
    }

    static func == (left: Rarities, right: Rarities) -> Bool {
        left.timings == right.timings && left.annotation == right.annotation
    }
}

/// Where it is written down that a complete file is about to get its name.
///
/// A program that is killed between the naming and the record of the end finds the file by it, and neither fetches it
/// again nor loses it.
package protocol FinishJournal: Sendable {
    /// Writes the files down, all at once.
    ///
    /// Blocks until the disk has them, or has refused: then the files get their names all the same, because a record
    /// that is missing costs at most a repeated download. Belongs on a storage thread.
    func record(_ files: [TransferID: StoredTransfer.FinishingFile])
}

extension StoredTransfer {
    /// The steps of the attempt that a transfer ended with, in seconds since it began; zero for one that did not happen.
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
        /// The attempt's whole length.
        package var total: Double

        /// The steps of an attempt; nil when there was none.
        package init?(_ metrics: TransferMetrics) {
            guard metrics.total > 0 else { return nil }
            nameLookup = metrics.nameLookup
            connect = metrics.connect
            secureConnect = metrics.secureConnect
            requestSent = metrics.requestSent
            firstByte = metrics.firstByte
            total = metrics.total
        }

        /// Metrics that know these steps and nothing else.
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
    /// The steps as the store keeps them: whole microseconds between blanks.
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
