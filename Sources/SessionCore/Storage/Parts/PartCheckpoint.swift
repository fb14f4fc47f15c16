import CLinux
import Glibc
import SessionSupport

/// The schedule for syncing the bytes of a part that is being written.
///
/// A power cut costs at most the bytes that arrive during one sync plus 8 MiB, or plus one second's bytes. A part that
/// reaches neither limit is synced only at its end.
struct CheckpointPace: Sendable, Equatable {
    /// The limits between checkpoints.
    struct Limits: Sendable, Equatable {
        /// Bytes after which a checkpoint is due.
        var bytes: Int64 = 8 << 20
        /// Milliseconds after which a checkpoint is due for any number of bytes.
        var longest: Int64 = 1_000
        /// Milliseconds before which no checkpoint is due: a fast download would sync for every 8 MiB.
        var shortest: Int64 = 250
    }

    /// The offset of the last checkpoint, or of the part's start.
    var offset: Int64
    /// The time of the last checkpoint, in milliseconds.
    var time: Int64

    /// Returns whether a part that reaches this offset must be synced now.
    func isDue(at offset: Int64, now: Int64, _ limits: Limits) -> Bool {
        let elapsed = now - time
        guard elapsed >= limits.shortest, offset > self.offset else { return false }
        return elapsed >= limits.longest || offset - self.offset >= limits.bytes
    }
}

/// The settings for the checkpoints of a session's transfers, and a limit for concurrent ones, which keeps storage
/// threads free for creating and naming files.
///
/// A rejected caller retries with its next buffer.
final class CheckpointLane: Sendable {
    /// Half of the storage threads.
    private static let width = 2

    let limits: CheckpointPace.Limits
    let disk: DiskCalls
    /// True if parts in memory are synced too, which does not make them safer.
    private let includesMemory: Bool
    private let count = Locked(0)

    init(
        limits: CheckpointPace.Limits = CheckpointPace.Limits(), disk: DiskCalls = .system, includesMemory: Bool = false
    ) {
        self.limits = limits
        self.disk = disk
        self.includesMemory = includesMemory
    }

    /// Returns whether checkpoints of a part are useful: not on a network file system, where a part is not resumed
    /// after a crash.
    func concerns(_ part: PartFile) -> Bool {
        !part.folder.isRemote && (includesMemory || part.folder.groupSync != .free)
    }

    /// Takes a slot if one is free; an admitted caller must call ``leave()``.
    func enter() -> Bool {
        count.withLock { count in
            guard count < Self.width else { return false }
            count += 1
            return true
        }
    }

    func leave() { count.withLock { $0 -= 1 } }
}

/// The system calls that make a part durable; tests replace them.
struct DiskCalls: Sendable {
    /// Syncs a part's bytes and times: 0, or -1 with `errno` set.
    var sync: @Sendable (Int32) -> Int32
    /// Syncs a meta's bytes: 0, or -1 with `errno` set.
    var syncMeta: @Sendable (Int32) -> Int32

    static let system = DiskCalls(sync: { fsync($0) }, syncMeta: { fdatasync($0) })
}

/// The durable bytes of a part at one moment, stored at the end of an open part's meta.
///
/// Two slots are written in turn: a power cut during one leaves the other. Two wider ones follow for a part written by
/// several connections: as soon as they have any byte, the part's size means nothing.
struct PartCheckpoint: Sendable, Equatable {
    /// Bytes from the part's beginning.
    var offset: Int64
    /// The time of the part's last change at that moment: see ``FileStatus/changed``.
    var changed: Int64
    /// Durable ranges further on; nil for a part of one connection.
    var beyond: [Range<Int64>]?
    /// See ``PartRanges/generation``.
    var generation = 0

    static let form = SealedLine("safe", length: 80)
    static let wideForm = SealedLine("kept", length: 2_048)
    static let slotCount = 2
    /// The bytes of all slots.
    static let areaLength = (form.length + wideForm.length) * slotCount

    /// The durable ranges; nil for a part of one connection.
    var ranges: PartRanges? {
        guard let beyond else { return nil }
        var ranges = PartRanges(contiguousEnd: offset, beyond: beyond)
        ranges.generation = generation
        return ranges
    }

    /// The text of a slot, padded to its length.
    var slot: [UInt8] {
        guard let ranges else { return Self.form.bytes("\(offset) \(changed)") }
        let text = ranges.text(limit: Self.wideForm.length - 120)
        return Self.wideForm.bytes("\(offset) \(changed) \(text) \(generation)")
    }

    /// Returns a slot's offset after the record.
    func slotOffset(turn: Int) -> Int {
        guard beyond != nil else { return turn * Self.form.length }
        return Self.slotCount * Self.form.length + turn * Self.wideForm.length
    }

    /// Returns whether bytes may be slots, even damaged ones.
    static func areSlots(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.count <= areaLength && pieces(bytes).allSatisfy { form.mayBe($0) }
            && widePieces(bytes).allSatisfy { wideForm.mayBe($0) }
    }

    /// Returns whether the slots show a part written by several connections, even if the ranges are unreadable.
    static func saySparse(_ bytes: ArraySlice<UInt8>) -> Bool {
        widePieces(bytes).contains { piece in piece.contains { $0 != 0 } }
    }

    /// Takes the latest intact slot.
    init?(slots bytes: ArraySlice<UInt8>) {
        let found = (Self.pieces(bytes) + Self.widePieces(bytes)).compactMap { Self(slot: $0) }
        guard let latest = found.max(by: { $1.bytes.isLater(than: $0.bytes) }) else { return nil }
        self = latest
    }

    private var bytes: PartRanges { ranges ?? PartRanges(contiguousEnd: offset) }

    init(offset: Int64, changed: Int64) {
        self.offset = offset
        self.changed = changed
    }

    init(ranges: PartRanges, changed: Int64) {
        self.init(offset: ranges.contiguousEnd, changed: changed)
        (beyond, generation) = (ranges.beyond, ranges.generation)
    }

    private init?(slot: ArraySlice<UInt8>) {
        guard let words = Self.form.words(slot) ?? Self.wideForm.words(slot), words.count == 2 || words.count == 4,
            let offset = PartRecord.number(words[0]), offset >= 0, let changed = PartRecord.number(words[1])
        else { return nil }
        self.init(offset: offset, changed: changed)
        guard words.count == 4 else { return }
        guard let ranges = PartRanges(contiguousEnd: offset, text: words[2]), let generation = Int(words[3]) else {
            return nil
        }
        (beyond, self.generation) = (ranges.beyond, generation)
    }

    private static func pieces(_ bytes: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        form.pieces(bytes.prefix(form.length * slotCount))
    }

    private static func widePieces(_ bytes: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        wideForm.pieces(bytes.dropFirst(form.length * slotCount))
    }
}

extension PartFile {
    /// Syncs the first bytes and then records it, while the transfer may write further ones.
    ///
    /// Only lost bytes are an error; a missing record just costs more bytes after a power cut. For a part of several
    /// connections the ranges further on are recorded too.
    ///
    /// - Parameter generation: the one of the ranges, some of which may be given up meanwhile; nil for the present one.
    func secure(
        upTo offset: Int64, beyond: [Range<Int64>] = [], of generation: Int? = nil, with disk: DiskCalls
    ) throws(SessionError) {
        let watch = state.withLock(\.watch)
        guard watch.meta >= 0, !watch.isTouched, let status = FileStatus(descriptor: descriptor) else { return }
        do throws(SessionError) {
            try flushData(disk)
        } catch {
            disown()
            throw error
        }
        var ranges = PartRanges(contiguousEnd: offset, beyond: beyond)
        ranges.generation = generation ?? self.generation
        let isSparse = state.withLock { $0.sparse != nil }
        let checkpoint =
            isSparse
            ? PartCheckpoint(ranges: ranges, changed: status.changed)
            : PartCheckpoint(offset: offset, changed: status.changed)
        guard put(checkpoint, watch), disk.syncMeta(watch.meta) == 0 else { return }
        if !state.withLock(\.entriesAreDurable) {
            guard (try? folder.sync()) != nil else { return }
            state.withLock { $0.entriesAreDurable = true }
        }
        state.withLock { state in
            state.syncedOffset = max(state.syncedOffset, offset)
            if isSparse, ranges.generation == state.generation { state.sparse = ranges }
        }
    }

    /// Writes a checkpoint over the older slot; false if the meta cannot be written.
    func put(_ checkpoint: PartCheckpoint, _ watch: Watch) -> Bool {
        let turn = state.withLock { state -> Int in
            state.watch.checkpoints += 1
            return state.watch.checkpoints % PartCheckpoint.slotCount
        }
        let slotOffset = watch.lineOffset + off_t(PartRecord.form.length + checkpoint.slotOffset(turn: turn))
        return checkpoint.slot.withUnsafeBytes { pwrite(watch.meta, $0.baseAddress, $0.count, slotOffset) == $0.count }
    }
}
