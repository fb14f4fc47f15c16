import CLinux
import Glibc
import SessionSupport

/// The file that a download grows in, next to its destination: `.name.<id8>.part`, with its meta in `….part.meta`.
///
/// A class because it owns a descriptor and with it a lock: only one instance, in any process, writes a part. All calls
/// may block and belong on a storage thread; one transfer's calls come in order.
final class PartFile: Sendable {
    struct State {
        var metadata: StoredMetadata?
        /// Bytes known to be on the disk.
        var syncedOffset: Int64
        /// True once the directory entries of part and meta were synced.
        var entriesAreDurable = false
        var metaIsWritten: Bool
        /// True if a caller was given the part for a later resume.
        var isPromised = false
        /// See ``PartMeta/movedTo``.
        var movedTo: String?
        /// See ``PartMeta/movedFrom``.
        var movedFrom: PartMove?
        var isOpen = true
        var watch = Watch()
        /// The trusted ranges if several connections have written the part; nil for one connection, all of whose bytes
        /// count.
        var sparse: PartRanges?
        /// How often some of them have been given up.
        var generation = 0
        /// The error after which bytes beyond ``syncedOffset`` may be lost, although they can be read.
        var damage: SessionError?
    }

    let folder: Folder
    let name: String
    /// The intended name of the finished file, as known when the part was created.
    let finalName: String
    /// Digest of the requested URL.
    let urlDigest: String
    /// The identity of the file, independent of its name.
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

    var path: String { folder.path(of: name) }
    /// The facts that its meta has or will have.
    var metadata: StoredMetadata? { state.withLock(\.metadata) }
    /// Bytes known to be on the disk.
    var syncedOffset: Int64 { state.withLock(\.syncedOffset) }
    var metaName: String { name + FileNames.metaSuffix }

    /// True if the file has no name any more, because it or its folder was removed.
    var isRemoved: Bool { FileStatus(descriptor: descriptor)?.links == 0 }

    /// True if the part's name is free or another file's: the part has got its final name, or another program has taken
    /// it away.
    var hasLostName: Bool {
        guard let status = folder.status(name) else { return errno == ENOENT }
        return status.identity != identity
    }

    /// Marks the part as promised in its next meta: it stays until it is resumed.
    func promise() { state.withLock { $0.isPromised = true } }

    /// Ends the promise, in the next meta, of a part that a download has found by its URL: it owns the part now.
    func takePromise() { state.withLock { $0.isPromised = false } }

    /// Closes a part that another one goes before: a promised one stays for its owner, others are removed.
    func leave(isWorthless: Bool) {
        guard !isWorthless, state.withLock(\.isPromised) else { return discard() }
        closeForLater()
    }

    // MARK: - Data

    /// Writes all bytes at an offset.
    ///
    /// Throws `diskFull`, `fileTooLarge`, `partChanged` and the system's other errors.
    ///
    /// SIGXFSZ must be ignored in the process, or a file size limit would end it.
    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(SessionError) {
        guard let base = bytes.baseAddress else { return }
        var written = 0
        while written < bytes.count {
            let isRecorded = try beginChange(to: offset + Int64(bytes.count))
            defer { if isRecorded { endChange() } }
            let count = pwrite(descriptor, base + written, bytes.count - written, off_t(offset + Int64(written)))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw failure(count < 0 ? errno : EIO, FileErrors.write) }
            written += count
        }
    }

    /// Returns whether the part has exactly these bytes at an offset: the test of a range that overlaps it.
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

    /// Reads bytes of the part; nil if it is too short or unreadable.
    func bytes(in range: Range<Int64>) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: range.count)
        var count = 0
        while count < range.count {
            let offset = off_t(range.lowerBound) + off_t(count)
            let read = bytes.withUnsafeMutableBytes { space in
                pread(descriptor, space.baseAddress.map { $0 + count }, space.count - count, offset)
            }
            if read < 0, errno == EINTR { continue }
            guard read > 0 else { return nil }
            count += read
        }
        return bytes
    }

    func size() throws(SessionError) -> Int64 {
        guard let status = FileStatus(descriptor: descriptor) else { throw failure(errno, FileErrors.examine) }
        return status.size
    }

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
    /// Has no effect if the file system does not support it; throws `diskFull` if space is short.
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

    /// Sets the file's mode; a file system without modes keeps its own.
    func setMode(_ mode: mode_t) throws(SessionError) {
        try change(to: try size()) { () throws(SessionError) in
            guard fchmod(descriptor, mode) == 0 || cl_is_unsupported(errno) else {
                throw failure(errno, FileErrors.setMode)
            }
        }
    }

    /// Removes the mark from a part that has its final name; if it were removed earlier, a killed program would leave a
    /// file that no run recognizes as its own.
    func removeMark() { FileMark.remove(from: descriptor) }

    // MARK: - Durability

    /// Syncs all data.
    ///
    /// A failure is final for the unsynced bytes: the kernel forgets which pages it could not write, so a later
    /// successful sync would prove nothing. Those bytes are cut off.
    func sync() throws(SessionError) {
        try flush(.system)
    }

    /// Records that the first `offset` bytes are on the disk, in an order that survives a power cut: data, then the
    /// meta that describes it.
    ///
    /// Writing has ended then: ``takeInHand()`` comes before the next write. For a part written by several connections
    /// the ranges further on count too; the file is cut after the last one.
    func checkpoint(
        offset: Int64, beyond: [Range<Int64>] = [], with disk: DiskCalls = .system
    ) throws(SessionError) {
        if state.withLock({ $0.sparse != nil }) {
            let ranges = PartRanges(contiguousEnd: offset, beyond: beyond)
            if try size() > ranges.end { try truncate(to: ranges.end) }
            state.withLock { $0.sparse = beyond.isEmpty ? nil : ranges }
        }
        try flush(disk)
        state.withLock { $0.syncedOffset = offset }
        guard metadata != nil else { return }
        try putOutOfHand(durably: true)
        guard !state.withLock(\.entriesAreDurable) else { return }
        try folder.sync()
        state.withLock { $0.entriesAreDurable = true }
    }

    /// Syncs the data, and also the file's times, because the meta names them.
    ///
    /// Bytes that the disk has lost are cut off.
    private func flush(_ disk: DiskCalls) throws(SessionError) {
        do throws(SessionError) {
            try flushData(disk)
        } catch {
            // The cut is best effort: the first error is the one to report.
            try? truncate(to: syncedOffset)
            throw error
        }
    }

    /// Does the same without the cut, for a part that is being written.
    ///
    /// After a failure no byte is written to it any more, and every later sync fails too.
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

    /// Closes the part, which stays for a later run, and releases the lock.
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

    /// Closes the part for a later run; a meta without its part would describe nothing.
    func closeForLater() {
        if hasLostName { removeMeta() } else { try? putOutOfHand(durably: false) }
        close()
    }

    /// Deletes part and meta, if they still are the ones this instance created or adopted, and closes it.
    func discard() {
        removeMeta()
        folder.remove(name, ifIdentity: identity)
        close()
    }

    /// Deletes part and meta after a failure, and returns the error without the part's path.
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
