import CLinux
import Glibc
import SessionSupport

/// The file a download grows in, beside its destination: `.name.<id8>.part`, with its meta in `….part.meta`.
///
/// A class because it owns a descriptor and with it a lock: whoever holds an instance is the only one, in any process,
/// that writes this part. All calls may block and belong on a storage thread; one transfer's calls come in order.
final class PartFile: Sendable {
    struct State {
        var facts: StoredFacts?
        /// Bytes that are known to be on the disk.
        var syncedOffset: Int64
        /// Whether the entries of part and meta in the folder were synced.
        var entriesAreDurable = false
        var metaIsWritten: Bool
        /// Whether somebody was told of the part, to go on with it.
        var isPromised = false
        /// See ``PartMeta/movedTo``.
        var movedTo: String?
        var isOpen = true
        /// How changes of others are noticed.
        var watch = Watch()
        /// What of the part counts where several connections have written it; nil for a part of one connection, all of
        /// whose bytes do.
        var sparse: PartRanges?
        /// Why bytes behind ``syncedOffset`` may be lost, although they can be read.
        var damage: SessionError?
    }

    /// The folder it lies in.
    let folder: Folder
    /// The part's file name in its folder.
    let name: String
    /// The name the finished file is to have, as far as it was known when the part was created.
    let finalName: String
    /// Digest of the URL that was asked for.
    let urlDigest: String
    /// Which file it is, whatever its name comes to mean.
    let identity: FileStatus.Identity
    let descriptor: Int32
    let state: Locked<State>

    init(
        folder: Folder, name: String, finalName: String, urlDigest: String, identity: FileStatus.Identity,
        descriptor: Int32, state: State
    ) {
        self.folder = folder
        self.name = name
        self.finalName = finalName
        self.urlDigest = urlDigest
        self.identity = identity
        self.descriptor = descriptor
        self.state = Locked(state)
    }

    deinit {
        closeRecord()
        if state.withLock(\.isOpen) { _ = cl_close_unlocked(descriptor) }
    }

    /// The part's path.
    var path: String { folder.path(of: name) }
    /// The facts that its meta holds or is going to hold.
    var facts: StoredFacts? { state.withLock(\.facts) }
    /// Bytes that are known to be on the disk.
    var syncedOffset: Int64 { state.withLock(\.syncedOffset) }
    var metaName: String { name + FileNames.metaSuffix }

    /// Whether the file has no name any more, because it or its folder was removed.
    var isRemoved: Bool { FileStatus(descriptor: descriptor)?.links == 0 }

    /// Marks the part as promised in its next meta: it stays until whoever was told of it goes on with it.
    func promise() { state.withLock { $0.isPromised = true } }

    // MARK: - Data

    /// Writes all bytes at an offset.
    ///
    /// Throws `diskFull`, `fileTooLarge`, `partChanged` and what else the system reports.
    ///
    /// Relies on SIGXFSZ being ignored in the process, or a file size limit would end it.
    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(SessionError) {
        guard let base = bytes.baseAddress else { return }
        var written = 0
        while written < bytes.count {
            try change(to: offset + Int64(bytes.count)) { () throws(SessionError) in
                let count = pwrite(descriptor, base + written, bytes.count - written, off_t(offset + Int64(written)))
                if count < 0, errno == EINTR { return }
                guard count > 0 else { throw failure(count < 0 ? errno : EIO, FileErrors.write) }
                written += count
            }
        }
    }

    /// Whether the part holds exactly these bytes at an offset: the test of a range that overlaps it.
    func matches(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(SessionError) -> Bool {
        guard let base = bytes.baseAddress else { return true }
        var buffer = [UInt8](repeating: 0, count: min(bytes.count, 64 << 10))
        var compared = 0
        while compared < bytes.count {
            let wanted = min(buffer.count, bytes.count - compared)
            let count = pread(descriptor, &buffer, wanted, off_t(offset + Int64(compared)))
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw failure(errno, FileErrors.read) }
            guard count > 0, memcmp(buffer, base + compared, count) == 0 else { return false }
            compared += count
        }
        return true
    }

    /// Bytes of the part; nil where it has not so many, or they cannot be read.
    func bytes(in range: Range<Int64>) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: range.count)
        var count = 0
        while count < range.count {
            let place = off_t(range.lowerBound) + off_t(count)
            let read = bytes.withUnsafeMutableBytes { space in
                pread(descriptor, space.baseAddress.map { $0 + count }, space.count - count, place)
            }
            if read < 0, errno == EINTR { continue }
            guard read > 0 else { return nil }
            count += read
        }
        return bytes
    }

    /// The part's size.
    func size() throws(SessionError) -> Int64 {
        guard let status = FileStatus(descriptor: descriptor) else { throw failure(errno, FileErrors.examine) }
        return status.size
    }

    /// Cuts off everything from a length on.
    func truncate(to length: Int64) throws(SessionError) {
        while ftruncate(descriptor, off_t(length)) != 0 {
            guard errno == EINTR else { throw failure(errno, FileErrors.shorten) }
        }
        state.withLock { state in
            state.syncedOffset = min(state.syncedOffset, length)
            state.sparse = state.sparse?.cut(to: length)
        }
        recordAppearance()
    }

    /// Reserves space without changing the size, so that a full disk shows at the start.
    ///
    /// Does nothing where the file system cannot; throws `diskFull` when there is not enough.
    func reserve(from offset: Int64, length: Int64) throws(SessionError) {
        guard length > 0 else { return }
        defer { recordAppearance() }
        while cl_reserve(descriptor, offset, length) != 0 {
            if errno == EINTR { continue }
            var error = failure(errno, FileErrors.reserve)
            if error.code == .diskFull, let free = folder.freeBytes {
                error.message = FileErrors.spaceNeeded(error.message, length, free: free)
            }
            throw error
        }
    }

    /// Sets who may do what with the file; a file system that knows no modes keeps its own.
    func setMode(_ mode: mode_t) throws(SessionError) {
        try change(to: try size()) { () throws(SessionError) in
            guard fchmod(descriptor, mode) == 0 || cl_is_unsupported(errno) else {
                throw failure(errno, FileErrors.setMode)
            }
        }
    }

    /// Takes the mark from a part that has its final name; before that, a program that is killed would leave a file that no run
    /// knows as its own.
    func removeMark() { FileMark.remove(from: descriptor) }

    // MARK: - Durability

    /// Brings all data to the disk.
    ///
    /// A failure is final for what was not synced before: the kernel forgets which pages it could not write, so a
    /// second sync that succeeds would prove nothing. Those bytes are cut off.
    func sync() throws(SessionError) {
        try flush(.system)
    }

    /// Records that the first `offset` bytes are on the disk, in the order that a power cut cannot turn round: data,
    /// then the meta that vouches for it.
    ///
    /// The part is out of hand then: ``takeInHand()`` comes before the next write. Ranges further on count for a part that
    /// several connections have written; what lies behind the last of them is cut off.
    func checkpoint(
        offset: Int64, beyond: [Range<Int64>] = [], with disk: DiskCalls = .system
    ) throws(SessionError) {
        if state.withLock({ $0.sparse != nil }) {
            let ranges = PartRanges(front: offset, beyond: beyond)
            if try size() > ranges.end { try truncate(to: ranges.end) }
            state.withLock { $0.sparse = beyond.isEmpty ? nil : ranges }
        }
        try flush(disk)
        state.withLock { $0.syncedOffset = offset }
        guard facts != nil else { return }
        try putOutOfHand(durably: true)
        guard !state.withLock(\.entriesAreDurable) else { return }
        try folder.sync()
        state.withLock { $0.entriesAreDurable = true }
    }

    /// Brings the data to the disk, and with it the times of the file, because the meta names them.
    ///
    /// Bytes that the disk has lost are cut off.
    private func flush(_ disk: DiskCalls) throws(SessionError) {
        do throws(SessionError) {
            try flushData(disk)
        } catch {
            // Best effort: the error that is reported is the first one.
            try? truncate(to: syncedOffset)
            throw error
        }
    }

    /// The same without cutting anything off, for a part that is being written meanwhile.
    ///
    /// After a failure nothing is written to it any more, and every later sync fails too.
    func flushData(_ disk: DiskCalls) throws(SessionError) {
        if let damage = state.withLock(\.damage) { throw damage }
        while disk.sync(descriptor) != 0 {
            let number = errno
            if number == EINTR { continue }
            let error = failure(number, FileErrors.sync)
            state.withLock { $0.damage = error }
            throw error
        }
    }

    // MARK: - End

    /// Gives up the part, keeping it for a later run; the lock is free afterwards.
    ///
    /// May be called twice.
    func close() {
        recordLast()
        closeRecord()
        let wasOpen = state.withLock { state in
            defer { state.isOpen = false }
            return state.isOpen
        }
        if wasOpen { _ = cl_close_unlocked(descriptor) }
    }

    /// Deletes part and meta, as far as they still are what this instance created or adopted, and closes it.
    func discard() {
        removeMeta()
        folder.remove(name, ifIdentity: identity)
        close()
    }

    /// Deletes part and meta after a failure, and answers its error, which does not name them as kept any more.
    func discard(after error: SessionError) -> SessionError {
        discard()
        var error = error
        if error.partPath == path { error.partPath = nil }
        return error
    }

    func failure(_ number: Int32, _ sentence: FileErrors.Sentence) -> SessionError {
        var error = SystemError.error(number, sentence, path: path)
        error.partPath = path
        return error
    }
}
