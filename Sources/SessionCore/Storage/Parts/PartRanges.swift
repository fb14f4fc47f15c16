import Glibc
import SessionSupport

/// The trusted bytes of a part that several connections have written: its beginning, and ranges further on with unknown
/// bytes between them.
struct PartRanges: Sendable, Equatable {
    /// Bytes from the part's beginning.
    var contiguousEnd: Int64
    /// Ranges after them, in order; no two of them touch.
    var beyond: [Range<Int64>]
    /// How often ranges had been given up since the part was opened.
    var generation = 0

    var byteCount: Int64 { contiguousEnd + beyond.reduce(0) { $0 + Int64($1.count) } }
    var end: Int64 { beyond.last?.upperBound ?? contiguousEnd }

    init(contiguousEnd: Int64, beyond: [Range<Int64>] = []) {
        self.contiguousEnd = contiguousEnd
        self.beyond = beyond
    }

    /// Whether these are the later ranges of a part: it only gains bytes, unless it gives some up.
    func isLater(than other: PartRanges) -> Bool {
        (generation, byteCount) > (other.generation, other.byteCount)
    }

    /// Returns the ranges within a file of this length.
    func cut(to length: Int64) -> PartRanges {
        guard contiguousEnd <= length else { return PartRanges(contiguousEnd: length) }
        return PartRanges(contiguousEnd: contiguousEnd, beyond: Self.joined(beyond, within: contiguousEnd..<length))
    }

    /// Returns sorted ranges, merged if they touch or overlap, and cut to a range.
    static func joined(_ ranges: [Range<Int64>], within bounds: Range<Int64>) -> [Range<Int64>] {
        var result: [Range<Int64>] = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            let cut = range.clamped(to: bounds)
            guard !cut.isEmpty else { continue }
            if let last = result.last, cut.lowerBound <= last.upperBound {
                result[result.count - 1] = last.lowerBound..<max(last.upperBound, cut.upperBound)
            } else {
                result.append(cut)
            }
        }
        return result
    }

    /// Returns the ranges without the byte at each of some offsets, so that the bytes after it stay a separate range.
    ///
    /// A range's last byte stays, and the byte before it goes: a part is cut after its last range, but the download that
    /// has received that byte may continue in this process and does not request it again.
    func parted(at offsets: [Int64]) -> PartRanges {
        guard !offsets.isEmpty else { return self }
        var result = beyond
        for offset in offsets {
            guard let index = result.firstIndex(where: { $0.contains(offset) }) else { continue }
            let range = result[index]
            let isLast = offset + 1 == range.upperBound && offset > contiguousEnd
            let pieces =
                isLast
                ? [range.lowerBound..<max(offset - 1, range.lowerBound), offset..<offset + 1]
                : [range.lowerBound..<offset, offset + 1..<range.upperBound]
            result.replaceSubrange(index...index, with: pieces.filter { !$0.isEmpty })
        }
        return PartRanges(contiguousEnd: contiguousEnd, beyond: result)
    }

    // MARK: - Text

    /// Returns the ranges after the front as text: `10-20,30-40`, the end not included; `-` for none.
    ///
    /// If the text is too long, the shortest ranges are left out and downloaded again.
    func text(limit: Int = .max) -> String {
        var kept = beyond
        while true {
            let text = kept.isEmpty ? "-" : kept.map { "\($0.lowerBound)-\($0.upperBound)" }.joined(separator: ",")
            guard text.utf8.count > limit, let shortest = kept.min(by: { $0.count < $1.count }) else { return text }
            kept.removeAll { $0 == shortest }
        }
    }

    /// Parses a text; nil for another form, and for unordered ranges.
    init?(contiguousEnd: Int64, text: some StringProtocol) {
        guard contiguousEnd >= 0 else { return nil }
        self.init(contiguousEnd: contiguousEnd)
        guard text != "-" else { return }
        var offset = contiguousEnd
        for piece in text.split(separator: ",", omittingEmptySubsequences: false) {
            let ends = piece.split(separator: "-", omittingEmptySubsequences: false)
            guard ends.count == 2, let start = PartRecord.number(ends[0]), let end = PartRecord.number(ends[1]),
                start >= offset, start < end
            else { return nil }
            beyond.append(start..<end)
            offset = end
        }
    }
}

/// The bytes of a part of several connections that are trusted until the next reboot, stored at the end of an open
/// part's meta.
///
/// They are recorded after each write without waiting, so that a killed process loses hardly a byte; after a power cut
/// only a ``PartCheckpoint`` counts. Two slots, written in turn, follow the checkpoints' slots.
struct UnsyncedRanges: Sendable, Equatable {
    var ranges: PartRanges

    static let form = SealedLine("held", length: 1_024)
    static let slotCount = 2

    init(_ ranges: PartRanges) {
        self.ranges = ranges
    }

    /// The text of a slot, padded to its length.
    var slot: [UInt8] {
        let text = ranges.text(limit: Self.form.length - 80)
        return Self.form.bytes("\(ranges.contiguousEnd) \(text) \(ranges.generation)")
    }

    /// Returns a slot's offset after the record.
    static func slotOffset(turn: Int) -> Int { PartCheckpoint.areaLength + turn * form.length }

    /// Returns whether bytes may be slots, even damaged ones.
    static func areSlots(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.count <= form.length * slotCount && form.pieces(bytes).allSatisfy { form.mayBe($0) }
    }

    /// Takes the latest intact slot.
    init?(slots bytes: ArraySlice<UInt8>) {
        let found = Self.form.pieces(bytes).compactMap { Self(slot: $0) }
        guard let latest = found.max(by: { $1.ranges.isLater(than: $0.ranges) }) else { return nil }
        self = latest
    }

    private init?(slot: ArraySlice<UInt8>) {
        guard let words = Self.form.words(slot), words.count == 3, let contiguousEnd = PartRecord.number(words[0]),
            var ranges = PartRanges(contiguousEnd: contiguousEnd, text: words[1]), let generation = Int(words[2])
        else { return nil }
        ranges.generation = generation
        self.init(ranges)
    }
}

extension PartFile {
    /// Records in the meta that the part's size no longer counts, because bytes further on arrive first.
    ///
    /// It is written to memory, which survives a killed process, and before any such byte.
    ///
    /// Returns false for a part that is not open for writing, or whose meta cannot be written; such a part must not be
    /// written out of order.
    func becomeSparse() -> Bool {
        if state.withLock({ $0.sparse != nil }) { return true }
        let watch = state.withLock(\.watch)
        guard watch.meta >= 0, !watch.isTouched else { return false }
        let ranges = PartRanges(contiguousEnd: syncedOffset)
        guard put(PartCheckpoint(ranges: ranges, changed: watch.record?.changed ?? 0), watch) else { return false }
        state.withLock { $0.sparse = ranges }
        return true
    }

    /// Records the trusted ranges of a part of several connections until the next reboot; has no effect on other parts.
    ///
    /// Written to memory only. Without the record, a kill costs the bytes since the last checkpoint.
    func hold(_ ranges: PartRanges) {
        guard !folder.isRemote else { return }
        let found = state.withLock { state -> (turn: Int, watch: Watch, generation: Int)? in
            guard state.sparse != nil, state.watch.meta >= 0, !state.watch.isTouched else { return nil }
            state.watch.holds += 1
            return (state.watch.holds % UnsyncedRanges.slotCount, state.watch, state.generation)
        }
        guard let (turn, watch, generation) = found else { return }
        var ranges = ranges
        ranges.generation = generation
        let offset = watch.lineOffset + off_t(PartRecord.form.length + UnsyncedRanges.slotOffset(turn: turn))
        _ = UnsyncedRanges(ranges).slot.withUnsafeBytes { pwrite(watch.meta, $0.baseAddress, $0.count, offset) }
    }

    /// How often ranges have been given up; see ``PartRanges/generation``.
    var generation: Int { state.withLock(\.generation) }

    /// Records that trusted ranges beyond the front were wrong, for the case that the process is killed; a checkpoint
    /// has to record it for a power cut.
    func giveUpRanges(behind front: Int64) {
        state.withLock { $0.generation += 1 }
        hold(PartRanges(contiguousEnd: front))
    }

    /// Sets the trusted ranges for the code that closes the part; nil for all of it.
    ///
    /// They are recorded only with the next checkpoint.
    func setRanges(_ ranges: PartRanges?) { state.withLock { $0.sparse = $0.sparse == nil ? nil : ranges } }

    /// True if trusted bytes follow untrusted ones.
    var isSparse: Bool { state.withLock { $0.sparse != nil } }

    /// The trusted ranges after the front.
    var rangesBeyond: [Range<Int64>] { state.withLock { $0.sparse?.beyond ?? [] } }

    /// The trusted bytes, as far as known without the loop.
    var byteCount: Int64 { state.withLock(\.sparse)?.byteCount ?? contiguousLength }

    /// The trusted bytes from the part's beginning, as far as known without the loop.
    var contiguousLength: Int64 { state.withLock(\.sparse)?.contiguousEnd ?? (try? size()) ?? syncedOffset }
}
