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
/// There are two slots, written in turn: a power cut in the middle of one leaves the other.
struct PartCheckpoint: Sendable, Equatable {
    /// Bytes from the part's beginning.
    var offset: Int64
    /// When the part had changed last by then: see ``FileStatus/changed``.
    var changed: Int64

    static let slotLength = 80
    static let slotCount = 2
    private static let heading = "safe "

    /// The text of a slot, always as long as one.
    var slot: [UInt8] {
        var text = Self.heading + "\(offset) \(changed)"
        text += " sum " + StableHash.hexadecimal(text.utf8)
        var bytes = Array(text.utf8)
        bytes += repeatElement(0x20, count: max(Self.slotLength - 1 - bytes.count, 0))
        bytes.append(0x0A)
        return bytes
    }

    /// Whether bytes may be what has become of slots.
    static func areSlots(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard bytes.count <= slotLength * slotCount else { return false }
        return pieces(bytes).allSatisfy { slot in
            // A power cut can leave zeros in place of bytes that were never written.
            slot.starts(with: heading.utf8) || heading.utf8.starts(with: slot) || slot.allSatisfy { $0 == 0 }
        }
    }

    /// The furthest of the slots that are whole.
    init?(slots bytes: ArraySlice<UInt8>) {
        let found = Self.pieces(bytes).compactMap { Self(slot: $0) }
        guard let furthest = found.max(by: { $0.offset < $1.offset }) else { return nil }
        self = furthest
    }

    init(offset: Int64, changed: Int64) {
        self.offset = offset
        self.changed = changed
    }

    private init?(slot: ArraySlice<UInt8>) {
        let words = String(decoding: slot, as: UTF8.self).split { $0 == " " || $0 == "\n" }
        guard words.count == 5, words[3] == "sum",
            words[4] == StableHash.hexadecimal(words[..<3].joined(separator: " ").utf8),
            let offset = PartRecord.number(words[1]), offset >= 0, let changed = PartRecord.number(words[2])
        else { return nil }
        self.init(offset: offset, changed: changed)
    }

    private static func pieces(_ bytes: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        stride(from: bytes.startIndex, to: bytes.endIndex, by: slotLength).map {
            bytes[$0..<min($0 + slotLength, bytes.endIndex)]
        }
    }
}

extension PartFile {
    /// Brings the first bytes to the disk and then puts that on record, while somebody goes on writing behind them.
    ///
    /// Only losing bytes is an error. Without the record a power cut costs more of them, nothing else.
    func secure(upTo offset: Int64, with disk: DiskCalls) throws(SessionError) {
        let watch = state.withLock(\.watch)
        guard watch.meta >= 0, !watch.isTouched, let status = FileStatus(descriptor: descriptor) else { return }
        do throws(SessionError) {
            try flushData(disk)
        } catch {
            disown()
            throw error
        }
        let turn = state.withLock { state -> Int in
            state.watch.checkpoints += 1
            return state.watch.checkpoints % PartCheckpoint.slotCount
        }
        let slot = PartCheckpoint(offset: offset, changed: status.changed).slot
        let place = watch.lineOffset + off_t(PartRecord.lineLength + turn * PartCheckpoint.slotLength)
        let isWritten = slot.withUnsafeBytes { pwrite(watch.meta, $0.baseAddress, $0.count, place) == $0.count }
        guard isWritten, disk.syncMeta(watch.meta) == 0 else { return }
        if !state.withLock(\.entriesAreDurable) {
            guard (try? folder.sync()) != nil else { return }
            state.withLock { $0.entriesAreDurable = true }
        }
        state.withLock { $0.syncedOffset = max($0.syncedOffset, offset) }
    }
}
