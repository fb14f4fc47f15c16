import Glibc
import SessionSupport

/// Tells this process's changes of a part from foreign ones: its status is recorded after each own change, and checked
/// before the next.
///
/// The cost is two `fstat` calls and two short writes per written buffer, all in memory. On a network file system each
/// `fstat` would first flush all data to the server, so there only the end of writing is recorded: after a crash of the
/// process such a part restarts.
extension PartFile {
    /// The state of a part that its record needs.
    struct Watch: Sendable {
        /// The part's status after the last own change; nil before the first.
        var record: PartRecord?
        /// True if the part has a foreign change, and a checksum will prove it in the end.
        var isTouched = false
        /// True if foreign changes are accepted.
        var acceptsChanges = false
        /// The open meta, which takes the record of every change; negative while the part is not being written.
        var meta: Int32 = -1
        /// The record's offset in the meta; the slots of ``PartCheckpoint`` follow it.
        var lineOffset: off_t = 0
        var checkpoints = 0
        /// Records of the trusted ranges of a part written by several connections.
        var holds = 0
    }

    /// True if the part is checked for foreign changes: a part without a meta is never resumed.
    private var isWatched: Bool { state.withLock { $0.metadata != nil } && !folder.isRemote }

    /// Accepts foreign changes, because a checksum proves the full file in the end.
    func acceptChanges() { state.withLock { $0.watch.acceptsChanges = true } }

    /// True if ``takeInHand()`` must be called before the next write.
    var isOutOfHand: Bool { state.withLock { $0.metadata != nil && $0.isOpen && $0.watch.meta < 0 } }

    /// Changes the part after a check for foreign changes, which throws `partChanged`.
    /// - Parameter size: the size after a successful change.
    func change(to size: Int64, _ body: () throws(SessionError) -> Void) throws(SessionError) {
        let isRecorded = try beginChange(to: size)
        defer { if isRecorded { endChange() } }
        try body()
    }

    /// Begins an own change after a check for foreign ones, which throws `partChanged`; returns whether the part is
    /// watched, so that ``endChange()`` must follow, also where the change fails: it may have touched the part too.
    func beginChange(to size: Int64) throws(SessionError) -> Bool {
        guard isWatched else { return false }
        try announceChange(to: size)
        return true
    }

    func endChange() {
        recordAppearance()
        recordLast()
    }

    /// Throws `partChanged` after a foreign change that no checksum will prove.
    ///
    /// Bytes lost by the disk are no better than foreign changes: writing after them would leave a hole.
    private func checkUntouched() throws(SessionError) {
        if let damage = state.withLock(\.damage) { throw damage }
        guard let status = FileStatus(descriptor: descriptor) else { throw failure(errno, FileErrors.examine) }
        let isFine = state.withLock { state -> Bool in
            guard let record = state.watch.record, !record.resembles(status) else { return true }
            if state.watch.acceptsChanges { state.watch.isTouched = true }
            return state.watch.acceptsChanges
        }
        if !isFine { throw changedOutside }
    }

    /// Ends ``acceptChanges()`` before the full file is verified, because later changes would not be verified.
    func refuseChanges() throws(SessionError) {
        guard let status = FileStatus(descriptor: descriptor) else { throw failure(errno, FileErrors.examine) }
        state.withLock { state in
            if state.watch.record != nil { state.watch.record = PartRecord(status) }
            state.watch.acceptsChanges = false
        }
    }

    /// Throws `partChanged` if the part's name or its bytes are no longer the verified ones.
    func checkProven() throws(SessionError) {
        guard let status = folder.status(name), status.identity == identity, status.kind == .regular else {
            throw replacedOutside
        }
        if isWatched { try checkUntouched() }
    }

    /// The error for a part whose name refers to another file.
    var replacedOutside: SessionError {
        removedOutside ?? SessionError(.partChanged, StorageErrors.partReplaced(path))
    }

    /// The error for a part with a foreign change.
    var changedOutside: SessionError {
        removedOutside
            ?? SessionError(.partChanged, StorageErrors.partChanged(path), partPath: hasLostName ? nil : path)
    }

    /// The error for a part without a name; nil while it has one.
    private var removedOutside: SessionError? {
        guard isRemoved else { return nil }
        let hasFolder = FileStatus(descriptor: folder.descriptor)?.links != 0
        return SessionError(
            .partChanged, hasFolder ? StorageErrors.partRemoved(path) : StorageErrors.partFolderRemoved(path))
    }

    func recordAppearance() {
        guard state.withLock({ $0.metadata != nil }), let status = FileStatus(descriptor: descriptor) else { return }
        state.withLock { $0.watch.record = PartRecord(status) }
    }

    /// Records the part's status after it was renamed, which changes no byte; a foreign change of them stays one.
    func recordRenaming() {
        guard let record = state.withLock(\.watch.record), let status = FileStatus(descriptor: descriptor),
            status.size == record.size, status.modified == record.modified
        else { return }
        recordAppearance()
    }

    /// Records the start of an own change, which tells it from foreign ones after a crash.
    func announceChange(to size: Int64) throws(SessionError) {
        try checkUntouched()
        let (record, watch) = state.withLock { state -> (PartRecord?, Watch) in
            (state.watch.isTouched ? nil : state.watch.record, state.watch)
        }
        guard watch.meta >= 0, var record else { return }
        for _ in 0..<Self.announcementLimit {
            guard let began = SystemTime.now else { return }
            // Writing before existing bytes keeps the size.
            record.change = PartRecord.Change(began: began, size: max(size, record.size))
            put(record, watch)
            // A journal commit can delay the record, whose time is then too early, so it is written again.
            guard let now = SystemTime.now, now - began > Self.quickAnnouncement else { return }
        }
    }

    /// Tries for an announcement that is delayed.
    private static var announcementLimit: Int { 5 }
    /// Nanoseconds within which an announcement is not delayed.
    private static var quickAnnouncement: Int64 { 1_000_000 }

    /// Records the part's status while no own change is under way.
    func recordLast() {
        let watch = state.withLock(\.watch)
        guard watch.meta >= 0, !watch.isTouched, !folder.isRemote, let record = watch.record else { return }
        put(record, watch)
    }

    /// Records that the part's unsynced bytes cannot be trusted.
    func disown() {
        let watch = state.withLock(\.watch)
        guard watch.meta >= 0 else { return }
        put(PartRecord(size: -1, modified: 0, changed: 0), watch)
    }

    /// Best effort: without the record, a crash costs bytes that are downloaded again.
    private func put(_ record: PartRecord, _ watch: Watch) {
        let line = record.line
        _ = line.withUnsafeBytes { pwrite(watch.meta, $0.baseAddress, $0.count, watch.lineOffset) }
    }

    /// Closes the meta that takes records.
    func closeRecord() {
        let meta = state.withLock { state -> Int32 in
            defer { state.watch.meta = -1 }
            return state.watch.meta
        }
        if meta >= 0 { Glibc.close(meta) }
    }

    // MARK: - Start and end of writing

    /// Opens a part for writing that was closed by ``putOutOfHand(durably:)``.
    ///
    /// If some of its bytes survive a power cut, its meta is synced first: else a later run could not tell own writes
    /// before the cut from foreign ones.
    /// - Returns: false after a foreign change that no checksum will prove.
    func takeInHand() throws(SessionError) -> Bool {
        do throws(SessionError) {
            try checkUntouched()
        } catch {
            guard error.code == .partChanged else { throw error }
            return false
        }
        try saveMeta(durably: syncedOffset > 0, isOpen: true)
        return true
    }

    /// Ends the writing of the part: every later change counts as foreign.
    ///
    /// Saving the meta can fail; the part is then resumed with fewer bytes or none.
    func putOutOfHand(durably: Bool) throws(SessionError) {
        if folder.isRemote { recordAppearance() }
        try saveMeta(durably: durably, isOpen: false)
    }
}
