import CLinux
import Glibc
import SessionSupport

/// Decides when the bytes of a part that is being written are brought to the disk.
///
/// A power cut costs at most what came in the time that a sync takes and 8 MiB, or what came within a second. A part that
/// gets neither as much nor for as long is never synced before its end.
struct CheckpointPace: Sendable, Equatable {
    /// When one is due.
    struct Limits: Sendable, Equatable {
        /// Bytes after which it is.
        var bytes: Int64 = 8 << 20
        /// Milliseconds after which it is however few bytes came.
        var longest: Int64 = 1_000
        /// Milliseconds before which it is not however many came: a fast download would sync for every 8 MiB.
        var shortest: Int64 = 250
    }

    /// Where the last one was, or the part began to grow.
    var offset: Int64
    /// When that was, in milliseconds.
    var time: Int64

    /// Whether a part that reaches so far has to be synced now.
    func isDue(at offset: Int64, now: Int64, _ limits: Limits) -> Bool {
        let elapsed = now - time
        guard elapsed >= limits.shortest, offset > self.offset else { return false }
        return elapsed >= limits.longest || offset - self.offset >= limits.bytes
    }
}

/// Says how the transfers of a session make their checkpoints, and lets only some do so at once: storage threads stay free
/// for the files that are made and named meanwhile.
///
/// Who is turned away asks again with its next buffer.
final class CheckpointLane: Sendable {
    /// Half of the storage threads.
    private static let width = 2

    let limits: CheckpointPace.Limits
    let disk: DiskCalls
    /// Whether parts in memory are synced as well, which spares them nothing.
    private let includesMemory: Bool
    private let count = Locked(0)

    init(
        limits: CheckpointPace.Limits = CheckpointPace.Limits(), disk: DiskCalls = .system, includesMemory: Bool = false
    ) {
        self.limits = limits
        self.disk = disk
        self.includesMemory = includesMemory
    }

    /// Whether checkpoints of a part are worth their while: not on a file system of another machine, where a part in hand is
    /// not gone on with.
    func concerns(_ part: PartFile) -> Bool {
        !part.folder.isRemote && (includesMemory || part.folder.groupSync != .free)
    }

    /// Whether there is room; who was let in calls ``leave()``.
    func enter() -> Bool {
        count.withLock { count in
            guard count < Self.width else { return false }
            count += 1
            return true
        }
    }

    func leave() { count.withLock { $0 -= 1 } }
}

/// The calls with which a part waits for the disk; tests put others in their place.
struct DiskCalls: Sendable {
    /// Brings a part's bytes and times to the disk: 0, or -1 with `errno` set.
    var sync: @Sendable (Int32) -> Int32
    /// The same with a meta's bytes.
    var syncMeta: @Sendable (Int32) -> Int32

    static let system = DiskCalls(sync: { fsync($0) }, syncMeta: { fdatasync($0) })
}

/// How much of a part was on the disk at one moment, for the end of a meta whose part is in hand.
///
/// There are two slots, written in turn: a power cut in the middle of one leaves the other. Behind them come two wider ones
/// for a part that several connections write: as soon as anything stands there, the part's size means nothing.
struct PartCheckpoint: Sendable, Equatable {
    /// Bytes from the part's beginning.
    var offset: Int64
    /// When the part had changed last by then: see ``FileStatus/changed``.
    var changed: Int64
    /// Ranges further on that were on the disk, too; nil for a part without such.
    var beyond: [Range<Int64>]?

    static let form = SealedLine("safe", length: 80)
    static let wideForm = SealedLine("kept", length: 2_048)
    static let slotCount = 2
    /// The bytes of all slots.
    static let areaLength = (form.length + wideForm.length) * slotCount

    /// The ranges that were safe; nil for a part of one connection.
    var ranges: PartRanges? { beyond.map { PartRanges(front: offset, beyond: $0) } }

    /// The text of a slot, always as long as one.
    var slot: [UInt8] {
        guard let ranges else { return Self.form.bytes("\(offset) \(changed)") }
        return Self.wideForm.bytes("\(offset) \(changed) " + ranges.text(limit: Self.wideForm.length - 100))
    }

    /// Where a slot stands behind the record, by its turn.
    func place(turn: Int) -> Int {
        guard beyond != nil else { return turn * Self.form.length }
        return Self.slotCount * Self.form.length + turn * Self.wideForm.length
    }

    /// Whether bytes may be what has become of slots.
    static func areSlots(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.count <= areaLength && pieces(bytes).allSatisfy { form.mayBe($0) }
            && widePieces(bytes).allSatisfy { wideForm.mayBe($0) }
    }

    /// Whether slots say that a part has been written by several connections, even where nobody can read which bytes count.
    static func saySparse(_ bytes: ArraySlice<UInt8>) -> Bool {
        widePieces(bytes).contains { piece in piece.contains { $0 != 0 } }
    }

    /// The furthest of the slots that are whole: bytes are only added to a part.
    init?(slots bytes: ArraySlice<UInt8>) {
        let found = (Self.pieces(bytes) + Self.widePieces(bytes)).compactMap { Self(slot: $0) }
        guard let furthest = found.max(by: { $0.byteCount < $1.byteCount }) else { return nil }
        self = furthest
    }

    private var byteCount: Int64 { ranges?.byteCount ?? offset }

    init(offset: Int64, changed: Int64) {
        self.offset = offset
        self.changed = changed
    }

    init(ranges: PartRanges, changed: Int64) {
        self.init(offset: ranges.front, changed: changed)
        beyond = ranges.beyond
    }

    private init?(slot: ArraySlice<UInt8>) {
        guard let words = Self.form.words(slot) ?? Self.wideForm.words(slot), words.count == 2 || words.count == 3,
            let offset = PartRecord.number(words[0]), offset >= 0, let changed = PartRecord.number(words[1])
        else { return nil }
        self.init(offset: offset, changed: changed)
        guard words.count == 3 else { return }
        guard let ranges = PartRanges(front: offset, text: words[2]) else { return nil }
        beyond = ranges.beyond
    }

    private static func pieces(_ bytes: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        form.pieces(bytes.prefix(form.length * slotCount))
    }

    private static func widePieces(_ bytes: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        wideForm.pieces(bytes.dropFirst(form.length * slotCount))
    }
}

extension PartFile {
    /// Brings the first bytes to the disk and then puts that on record, while somebody goes on writing behind them.
    ///
    /// Only losing bytes is an error. Without the record a power cut costs more of them, nothing else. Of a part that several
    /// connections write the ranges further on count as well.
    func secure(
        upTo offset: Int64, beyond: [Range<Int64>] = [], with disk: DiskCalls
    ) throws(SessionError) {
        let watch = state.withLock(\.watch)
        guard watch.meta >= 0, !watch.isTouched, let status = FileStatus(descriptor: descriptor) else { return }
        do throws(SessionError) {
            try flushData(disk)
        } catch {
            disown()
            throw error
        }
        let ranges = PartRanges(front: offset, beyond: beyond)
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
            if isSparse { state.sparse = ranges }
        }
    }

    /// Writes a checkpoint over the older of the two; false when the meta takes no more bytes.
    func put(_ checkpoint: PartCheckpoint, _ watch: Watch) -> Bool {
        let turn = state.withLock { state -> Int in
            state.watch.checkpoints += 1
            return state.watch.checkpoints % PartCheckpoint.slotCount
        }
        let place = watch.lineOffset + off_t(PartRecord.form.length + checkpoint.place(turn: turn))
        return checkpoint.slot.withUnsafeBytes { pwrite(watch.meta, $0.baseAddress, $0.count, place) == $0.count }
    }
}
