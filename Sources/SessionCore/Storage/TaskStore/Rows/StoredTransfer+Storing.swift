import CLinux
import Glibc
import SessionSupport

/// The properties of a request that may be stored on disk.
extension StoredTransfer {
    /// Bytes of the largest body in memory that is stored; a larger one belongs in a file.
    static let bodyLimit = 1 << 20

    /// Creates the stored form of a transfer: without header fields, URL parts and a body that contain secrets.
    ///
    /// Throws `invalidRequest` for a body that cannot be stored: one of more than ``bodyLimit`` bytes in memory, or a
    /// descriptor, which means nothing to a later run.
    init(
        storing request: TransferRequest, id: TransferID, kind: TransferKind, destination: Destination,
        createdAt: Double
    ) throws(SessionError) {
        try Self.check(request.body, of: request)
        var safe = request
        safe.url = Redaction.url(request.url, userInfo: .removed)
        safe.options = nil
        safe.headers = HeaderFields()
        for field in request.headers where !Self.isSecret(field.name) {
            safe.headers.append(name: field.name, value: field.value)
        }
        if case .bytes(let bytes) = request.body, Redaction.hidesBody(bytes) { safe.body = .none }
        var destination = destination
        if case .target(let target) = destination { destination = .target(target.withoutSecrets) }
        self.init(
            id: id, kind: kind, request: safe,
            needsCredentials: safe.body != request.body || safe.url != request.url
                || safe.headers.count != request.headers.count
                || request.options != nil,
            destination: destination, createdAt: createdAt)
    }

    /// True if it can be sent again without its user: no part is missing, and a request that must not be repeated, or
    /// whose body had arrived, was never sent, or is an upload whose server reports its offset.
    var canResumeUnattended: Bool {
        !needsCredentials
            && (!wasStarted || request.isIdempotent && !mayHaveArrived || request.uploadLocation != nil)
    }

    /// True if its server had received the full request body when the run ended before the response.
    package var mayHaveArrived: Bool {
        guard !standing.isFinal, let length = counts.expectedToSend, length > 0 else { return false }
        return counts.sent >= length
    }

    static func isSecret(_ name: String) -> Bool {
        Redaction.hidesField(name)
    }

    private static func check(_ body: BodySpecification, of request: TransferRequest) throws(SessionError) {
        switch body {
        case .none, .file:
            return
        case .bytes(let bytes):
            guard bytes.count > bodyLimit else { return }
            throw SessionError(
                .invalidRequest, StoreErrors.bodyTooLarge(bodyLimit), failingURL: request.url)
        case .pieces:
            throw SessionError(.invalidRequest, StoreErrors.bodyOfPieces, failingURL: request.url)
        case .descriptor:
            throw SessionError(.invalidRequest, StoreErrors.bodyOfStream, failingURL: request.url)
        }
    }
}

extension DownloadTarget {
    /// The target without mirrors whose URLs contain secrets.
    fileprivate var withoutSecrets: DownloadTarget {
        guard mirrors != nil else { return self }
        var safe = self
        safe.mirrors?.urls.removeAll { Redaction.url($0, userInfo: .removed) != $0 }
        return safe
    }
}

/// The stored end of a transfer.
struct StoredEnd: Sendable, Equatable {
    /// One of the three final states.
    var standing: StoredTransfer.Status
    var counts: BodyCounts
    var partPath: String?
    var filePath: String?
    /// Seconds since 1970.
    var finishedAt: Double
    /// Seconds since 1970; nil for a transfer that never began.
    var startedAt: Double?
    var statusCode: Int?
    var failedAttempts = 0
    var timings: StoredTransfer.Timings?
}

extension StoredEnd {
    /// The end of a transfer whose program was killed between naming the file and recording it.
    init(_ found: FinishedFileSearch.Found, of stored: StoredTransfer) {
        var counts = stored.counts
        (counts.received, counts.expectedToReceive) = (found.size, found.size)
        self.init(standing: .completed, counts: counts, filePath: found.path, finishedAt: WallClock.now())
    }
}

/// Searches for a file that was about to get its name when its program ended.
enum FinishedFileSearch {
    /// A file that has its name.
    struct Found: Sendable, Equatable {
        var path: String
        var size: Int64
    }

    /// Numbers that are tried after the plain name.
    private static let numbers = 100

    /// Returns the file, with all work on it done: its name is durable, and its part's meta is removed.
    ///
    /// Nil if no file under the wanted name or its numbers matches. Blocks.
    static func find(_ file: StoredTransfer.FinishingFile) -> Found? {
        guard let slash = file.path.lastIndex(of: "/") else { return nil }
        let folderPath = file.path[..<slash].isEmpty ? "/" : String(file.path[..<slash])
        let name = String(file.path[file.path.index(after: slash)...])
        guard let folder = try? Folder(path: folderPath, creating: false) else { return nil }
        for candidate in [name] + (1...numbers).map({ FileNames.numbered(name, $0) }) {
            // Device numbers may change with a reboot; the inode does not.
            guard let status = folder.status(candidate), status.kind == .regular, status.owner == geteuid(),
                status.identity.inode == file.inode
            else { continue }
            // If the disk refuses this now, downloading the file again would not help.
            try? folder.sync()
            PartFile.removeMetas(describing: file.inode, in: folder)
            return Found(path: folder.path(of: candidate), size: status.size)
        }
        return nil
    }
}

extension StoredTransfer.FinishingFile {
    /// Creates the record of a file from its intended path and its identity.
    init(_ path: String, _ identity: FileStatus.Identity) {
        self.init(path: path, device: identity.device, inode: identity.inode)
    }
}

/// The time of day, for display only: it may jump, so it is not used for measuring.
enum WallClock {
    /// Returns seconds since 1970.
    static func now() -> Double {
        Double(SystemTime.now ?? 0) / 1e9
    }

    /// Converts milliseconds of the monotonic clock to seconds since 1970.
    static func time(ofMonotonic milliseconds: Int64) -> Double {
        now() - Double(cl_monotonic_milliseconds() - milliseconds) / 1000
    }

    /// The start of a run that ends now, moved by its pauses, in seconds since 1970; nil for one without an attempt.
    static func activeStart(of metrics: TransferMetrics) -> Double? {
        metrics.activeStart(endingAt: cl_monotonic_milliseconds()).map(time(ofMonotonic:))
    }
}
