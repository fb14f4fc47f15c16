import Glibc
import SessionSupport

/// Telling our own changes of a part from those of others: what it looks like is recorded after each of ours, and looked at
/// before the next.
///
/// It costs two looks and two short writes per written buffer, all in memory. On a file system of another machine a look
/// would bring everything to that machine first, so there only putting the part out of hand notes anything: after a crash
/// of the process such a part starts again.
extension PartFile {
    /// The part's state as far as its record needs it.
    struct Watch: Sendable {
        /// What the part looked like after our last change; nil before the first.
        var record: PartRecord?
        /// Whether somebody else has changed it, and a checksum is to prove it in the end.
        var isTouched = false
        /// Whether that may be.
        var acceptsChanges = false
        /// The open meta, which takes the record of every change; negative when the part is not in hand.
        var meta: Int32 = -1
        /// Where in the meta the record stands; behind it come the slots of ``PartCheckpoint``.
        var lineOffset: off_t = 0
        /// How many checkpoints were made.
        var checkpoints = 0
        /// How often it was recorded what counts of a part that several connections write.
        var holds = 0
    }

    /// Whether there is anything to look after: a part without a meta is continued by nobody.
    private var isWatched: Bool { state.withLock { $0.facts != nil } && !folder.isRemote }

    /// Lets changes of others pass, because a checksum proves the whole file in the end.
    func acceptChanges() { state.withLock { $0.watch.acceptsChanges = true } }

    /// Whether the part was put out of hand and has to be taken in hand before it is written again.
    var isOutOfHand: Bool { state.withLock { $0.facts != nil && $0.isOpen && $0.watch.meta < 0 } }

    /// Changes the part, after looking whether somebody else has done so: then throws `partChanged`.
    /// - Parameter size: the size it has when all goes well.
    func change(to size: Int64, _ body: () throws(SessionError) -> Void) throws(SessionError) {
        guard isWatched else { return try body() }
        try announceChange(to: size)
        // A change that fails may have touched the part too.
        defer {
            recordAppearance()
            recordLast()
        }
        try body()
    }

    /// Throws `partChanged` when somebody else has changed the part and nothing will prove it.
    ///
    /// What the disk has lost is no better than what others have changed: writing behind it would leave a hole.
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

    /// Ends the leave that ``acceptChanges()`` gave, before the whole is proven: what is changed from here on was not proven.
    func refuseChanges() throws(SessionError) {
        guard let status = FileStatus(descriptor: descriptor) else { throw failure(errno, FileErrors.examine) }
        state.withLock { state in
            if state.watch.record != nil { state.watch.record = PartRecord(status) }
            state.watch.acceptsChanges = false
        }
    }

    /// Throws `partChanged` where the part's name or its bytes are no longer what was proven.
    func checkProven() throws(SessionError) {
        guard let status = folder.status(name), status.identity == identity, status.kind == .regular else {
            throw replacedOutside
        }
        if isWatched { try checkUntouched() }
    }

    /// Why a part whose name has come to mean another file does not become one.
    var replacedOutside: SessionError {
        SessionError(.partChanged, StorageErrors.partReplaced(path))
    }

    /// Why a part that somebody else has changed does not become a file.
    var changedOutside: SessionError {
        SessionError(.partChanged, StorageErrors.partChanged(path), partPath: path)
    }

    /// Records what the part looks like after a change of ours.
    func recordAppearance() {
        guard state.withLock({ $0.facts != nil }), let status = FileStatus(descriptor: descriptor) else { return }
        state.withLock { $0.watch.record = PartRecord(status) }
    }

    /// Puts on record that a change of ours begins, so that it is told from others' after a crash.
    func announceChange(to size: Int64) throws(SessionError) {
        try checkUntouched()
        let (record, watch) = state.withLock { state -> (PartRecord?, Watch) in
            (state.watch.isTouched ? nil : state.watch.record, state.watch)
        }
        guard watch.meta >= 0, var record else { return }
        for _ in 0..<Self.announcementLimit {
            guard let began = SystemTime.now else { return }
            // What is written before bytes that are there already leaves the size as it is.
            record.change = PartRecord.Change(began: began, size: max(size, record.size))
            put(record, watch)
            // A journal that is being written can hold the record up, and then its time says too little.
            guard let now = SystemTime.now, now - began > Self.quickAnnouncement else { return }
        }
    }

    /// How often a change is announced that could not be at once.
    private static var announcementLimit: Int { 5 }
    /// Nanoseconds within which an announcement counts as made at once.
    private static var quickAnnouncement: Int64 { 1_000_000 }

    /// Puts on record what the part looks like now that nothing of ours is under way.
    func recordLast() {
        let watch = state.withLock(\.watch)
        guard watch.meta >= 0, !watch.isTouched, !folder.isRemote, let record = watch.record else { return }
        put(record, watch)
    }

    /// Puts on record that nothing vouches for the part's bytes in memory.
    func disown() {
        let watch = state.withLock(\.watch)
        guard watch.meta >= 0 else { return }
        put(PartRecord(size: -1, modified: 0, changed: 0), watch)
    }

    /// Best effort: without the record a crash costs bytes that are fetched again.
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

    // MARK: - In hand and out of hand

    /// Takes a part in hand that was put out of it.
    ///
    /// When bytes of it are safe from a power cut, its meta is brought to the disk first: else a later run could not tell
    /// our writes before the cut from somebody else's.
    /// - Returns: false when somebody else has changed it meanwhile, and nothing will prove it.
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

    /// Puts the part out of hand: from now on every change of it is somebody else's.
    ///
    /// Best effort, as what it saves.
    func putOutOfHand(durably: Bool) throws(SessionError) {
        if folder.isRemote { recordAppearance() }
        try saveMeta(durably: durably, isOpen: false)
    }
}
