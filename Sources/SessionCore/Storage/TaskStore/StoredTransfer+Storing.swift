import CLinux
import Glibc
import SessionSupport

/// The part of a request that may lie on a disk.
extension StoredTransfer {
    /// Bytes of a body in memory that are stored; a larger one belongs in a file.
    static let bodyLimit = 1 << 20

    /// A transfer as it may be stored: without header fields, parts of the URL and a body that hold secrets.
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

    /// Whether it can be sent again without its user: nothing is missing, and a request that must not be repeated, or whose
    /// body was taken, was never sent, or is an upload whose server tells what it has.
    var canResumeUnattended: Bool {
        !needsCredentials
            && (!wasStarted || request.isIdempotent && !mayHaveArrived || request.uploadLocation != nil)
    }

    /// Whether its server had taken the whole body of its request when the run ended that was to hear the answer.
    package var mayHaveArrived: Bool {
        guard !standing.isFinal, let length = counts.expectedToSend, length > 0 else { return false }
        return counts.sent >= length
    }

    /// Whether a header field's name says that its value opens doors.
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
    /// The target without mirrors whose URLs hold secrets.
    fileprivate var withoutSecrets: DownloadTarget {
        guard mirrors != nil else { return self }
        var safe = self
        safe.mirrors?.urls.removeAll { Redaction.url($0, userInfo: .removed) != $0 }
        return safe
    }
}

/// How a transfer ended, as it is stored.
struct StoredEnd: Sendable, Equatable {
    /// How the transfer ended: one of the three final standings.
    var standing: StoredTransfer.Status
    var counts: BodyCounts
    var partPath: String?
    var filePath: String?
    /// In seconds since 1970.
    var finishedAt: Double
    /// In seconds since 1970; nil for a transfer that never began.
    var startedAt: Double?
    var statusCode: Int?
    var failedAttempts = 0
    var timings: StoredTransfer.Timings?
}

extension StoredEnd {
    /// The end of a transfer whose program was killed between naming the file and writing that down.
    init(_ found: FinishedFileSearch.Found, of stored: StoredTransfer) {
        var counts = stored.counts
        (counts.received, counts.expectedToReceive) = (found.size, found.size)
        self.init(standing: .completed, counts: counts, filePath: found.path, finishedAt: WallClock.now())
    }
}

/// Looks for a file that was about to get its name when its program ended.
enum FinishedFileSearch {
    /// A file that has got its name.
    struct Found: Sendable, Equatable {
        var path: String
        var size: Int64
    }

    /// Numbers that are tried after the name itself.
    private static let numbers = 100

    /// The file, and nothing left to be done for it: its name is on the disk, and the meta of the part it was is gone.
    ///
    /// Nil when it is nowhere near the name it wanted. Blocks.
    static func find(_ file: StoredTransfer.FinishingFile) -> Found? {
        guard let slash = file.path.lastIndex(of: "/") else { return nil }
        let folderPath = file.path[..<slash].isEmpty ? "/" : String(file.path[..<slash])
        let name = String(file.path[file.path.index(after: slash)...])
        guard let folder = try? Folder(path: folderPath, creating: false) else { return nil }
        for candidate in [name] + (1...numbers).map({ FileNames.numbered(name, $0) }) {
            // Device numbers may change when the machine starts again; the inode does not.
            guard let status = folder.status(candidate), status.kind == .regular, status.owner == geteuid(),
                status.identity.inode == file.inode
            else { continue }
            // A disk that refuses this now would not be helped by fetching the file again.
            try? folder.sync()
            PartFile.removeMetas(describing: file.inode, in: folder)
            return Found(path: folder.path(of: candidate), size: status.size)
        }
        return nil
    }
}

extension StoredTransfer.FinishingFile {
    /// A file by what the system calls it, and the path it is to have.
    init(_ path: String, _ identity: FileStatus.Identity) {
        self.init(path: path, device: identity.device, inode: identity.inode)
    }
}

/// The time of day, for showing alone: it may jump, so nothing is measured with it.
enum WallClock {
    /// Seconds since 1970.
    static func now() -> Double {
        Double(SystemTime.now ?? 0) / 1e9
    }

    /// Seconds since 1970 of a moment in milliseconds of the monotonic clock.
    static func time(ofMonotonic milliseconds: Int64) -> Double {
        now() - Double(cl_monotonic_milliseconds() - milliseconds) / 1000
    }
}
