import Foundation
import Glibc
import SessionCore
import SessionSupport

/// The file of what was ever downloaded, one sealed line for each download: its checksum, where one was given, and its
/// URL without secrets.
///
/// Several programs may use one file: each appends under a lock, and reads what the others have added.
final class DownloadArchive: Sendable {
    private struct State: Sendable {
        /// Hashes of ``Entry/key``, because a million URLs take a hundred megabytes.
        var known: Set<UInt64> = []
        /// The bytes that were read.
        var position: Int64 = 0
        /// The beginning of a line that another program is writing.
        var rest: [UInt8] = []
        var failure: Int32?
    }

    private static let pageLength = 256 << 10
    /// Tries for the lock, ten milliseconds apart: a program that is stopped while it has the lock delays nothing.
    private static let lockTries = 200

    private let path: String
    private let descriptor: Int32
    private let state = Locked(State())
    /// Writes wait for a disk and for other programs.
    private let queue = DispatchQueue(label: "netdash.archive")

    /// Opens a file for its user alone, created where missing.
    init(path: String) {
        self.path = path
        descriptor = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0o600)
        if descriptor < 0 { state.withLock { [number = errno] in $0.failure = number } }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// A sentence about a file that cannot be read or written; nil without one.
    var complaint: SafeText? {
        state.withLock { $0.failure }.map {
            SafeText(untrusted: QueueLines.archiveFailed(path, reason: SystemWords.text($0)))
        }
    }

    /// Whether a download is in the archive: by its checksum where it has one, else by its URL.
    func contains(_ job: Job) -> Bool {
        let key = ArchiveEntry(job).key
        return state.withLock { state in
            readOn(&state)
            return state.known.contains(StableHash.value(key))
        }
    }

    /// Adds a completed download; the line is written a moment later.
    func add(_ job: Job) {
        let entry = ArchiveEntry(job)
        state.withLock { state in
            for key in entry.keys { state.known.insert(StableHash.value(key)) }
        }
        queue.async { [self] in write(entry.line) }
    }

    /// Waits until every line is written.
    func finish() { queue.sync {} }

    // MARK: - The file

    /// Reads what was appended since the last time.
    private func readOn(_ state: inout State) {
        var facts = stat()
        guard descriptor >= 0, fstat(descriptor, &facts) == 0, facts.st_size > state.position else { return }
        var page = [UInt8](repeating: 0, count: Self.pageLength)
        while true {
            let count = pread(descriptor, &page, page.count, off_t(state.position))
            if count < 0, errno == EINTR { continue }
            if count < 0 { state.failure = state.failure ?? errno }
            guard count > 0 else { return }
            state.position += Int64(count)
            state.rest += page[..<count]
            guard let end = state.rest.lastIndex(of: UInt8(ascii: "\n")) else { continue }
            for line in state.rest[..<end].split(separator: UInt8(ascii: "\n")) {
                for key in ArchiveEntry(line: line)?.keys ?? [] { state.known.insert(StableHash.value(key)) }
            }
            state.rest.removeFirst(end + 1)
        }
    }

    private func write(_ line: [UInt8]) {
        guard descriptor >= 0 else { return }
        let isLocked = lock()
        defer { if isLocked { _ = flock(descriptor, LOCK_UN) } }
        // A line that a crash has cut off stays alone.
        let bytes = (endsWithLine ? [] : [UInt8(ascii: "\n")]) + line
        var start = 0
        while start < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.write(descriptor, $0.baseAddress.map { $0 + start }, $0.count - start)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return state.withLock { [number = errno] in $0.failure = number } }
            start += count
        }
    }

    private func lock() -> Bool {
        for _ in 0..<Self.lockTries {
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
            guard errno == EWOULDBLOCK || errno == EINTR else { return false }
            usleep(10_000)
        }
        return false
    }

    private var endsWithLine: Bool {
        var facts = stat()
        guard fstat(descriptor, &facts) == 0, facts.st_size > 0 else { return true }
        var last: UInt8 = 0
        return pread(descriptor, &last, 1, facts.st_size - 1) != 1 || last == UInt8(ascii: "\n")
    }
}

/// One download of an archive.
struct ArchiveEntry: Sendable, Equatable {
    private static let form = SealedLine("fetched", length: 0)

    /// The checksum as `sha-256=9f86d0…`; nil where none was given.
    private let checksum: String?
    /// The URL without secrets and blanks.
    private let url: String

    init(_ job: Job) {
        checksum = job.checksum.map { "\($0.algorithm.rawValue)=\($0.hex.lowercased())" }
        url = Redaction.url(job.url, userInfo: .removed).replacing(" ", with: "%20")
    }

    /// Reads a line; nil for a damaged one.
    init?(line: some Collection<UInt8>) {
        guard let words = Self.form.words(line), words.count == 2 else { return nil }
        checksum = words[0] == "-" ? nil : String(words[0])
        url = String(words[1])
    }

    var line: [UInt8] { Self.form.bytes("\(checksum ?? "-") \(url)") }

    /// The text by which a download is looked up.
    var key: String { checksum ?? url }

    /// The texts by which this one is found.
    var keys: [String] { [url, checksum].compactMap(\.self) }
}
