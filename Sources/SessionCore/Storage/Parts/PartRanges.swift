import Glibc
import SessionSupport

/// Which bytes of a part count where several connections have written it: those of its beginning, and ranges further on
/// between which nothing is known of what the file holds.
struct PartRanges: Sendable, Equatable {
    /// Bytes from the part's beginning.
    var front: Int64
    /// Ranges beyond them, in order; no two of them touch each other.
    var beyond: [Range<Int64>]

    /// Bytes that count.
    var byteCount: Int64 { front + beyond.reduce(0) { $0 + Int64($1.count) } }
    /// Where the last of them ends.
    var end: Int64 { beyond.last?.upperBound ?? front }

    init(front: Int64, beyond: [Range<Int64>] = []) {
        self.front = front
        self.beyond = beyond
    }

    /// What is left of them where the file is only so long.
    func cut(to length: Int64) -> PartRanges {
        guard front <= length else { return PartRanges(front: length) }
        return PartRanges(front: front, beyond: Self.joined(beyond, within: front..<length))
    }

    /// Ranges in order, those that touch or overlap made one, cut to a range.
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

    /// The same without the byte at each of some places, so that what comes from there on stays a range of its own.
    func parted(at places: [Int64]) -> PartRanges {
        guard !places.isEmpty else { return self }
        var result = beyond
        for place in places {
            guard let index = result.firstIndex(where: { $0.contains(place) }) else { continue }
            let range = result[index]
            let pieces = [range.lowerBound..<place, place + 1..<range.upperBound].filter { !$0.isEmpty }
            result.replaceSubrange(index...index, with: pieces)
        }
        return PartRanges(front: front, beyond: result)
    }

    // MARK: - Text

    /// The ranges beyond the front as text: `10-20,30-40`, the end not included; `-` where there are none.
    ///
    /// Those that make it too long are left out, the shortest first: they are fetched again.
    func text(limit: Int = .max) -> String {
        var kept = beyond
        while true {
            let text = kept.isEmpty ? "-" : kept.map { "\($0.lowerBound)-\($0.upperBound)" }.joined(separator: ",")
            guard text.utf8.count > limit, let shortest = kept.min(by: { $0.count < $1.count }) else { return text }
            kept.removeAll { $0 == shortest }
        }
    }

    /// Reads a text; nil for anything that is none, and for ranges that are not in order.
    init?(front: Int64, text: some StringProtocol) {
        guard front >= 0 else { return nil }
        self.init(front: front)
        guard text != "-" else { return }
        var place = front
        for piece in text.split(separator: ",", omittingEmptySubsequences: false) {
            let ends = piece.split(separator: "-", omittingEmptySubsequences: false)
            guard ends.count == 2, let start = PartRecord.number(ends[0]), let end = PartRecord.number(ends[1]),
                start >= place, start < end
            else { return nil }
            beyond.append(start..<end)
            place = end
        }
    }
}

/// What counts of a part that several connections write as long as the machine runs on, for the end of a meta whose part is
/// in hand.
///
/// It is recorded after each write and never waited for, so that a killed process costs hardly a byte; after a power cut only
/// a ``PartCheckpoint`` counts. There are two slots behind those of checkpoints, written in turn.
struct HeldRanges: Sendable, Equatable {
    var ranges: PartRanges

    static let form = SealedLine("held", length: 1_024)
    static let slotCount = 2

    init(_ ranges: PartRanges) {
        self.ranges = ranges
    }

    /// The text of a slot, always as long as one.
    var slot: [UInt8] { Self.form.bytes("\(ranges.front) " + ranges.text(limit: Self.form.length - 60)) }

    /// Where a slot stands behind the record, by its turn.
    static func place(turn: Int) -> Int { PartCheckpoint.areaLength + turn * form.length }

    /// Whether bytes may be what has become of slots.
    static func areSlots(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.count <= form.length * slotCount && form.pieces(bytes).allSatisfy { form.mayBe($0) }
    }

    /// The slot that says most of those that are whole: a part only gains bytes.
    init?(slots bytes: ArraySlice<UInt8>) {
        let found = Self.form.pieces(bytes).compactMap { Self(slot: $0) }
        guard let furthest = found.max(by: { $0.ranges.byteCount < $1.ranges.byteCount }) else { return nil }
        self = furthest
    }

    private init?(slot: ArraySlice<UInt8>) {
        guard let words = Self.form.words(slot), words.count == 2, let front = PartRecord.number(words[0]),
            let ranges = PartRanges(front: front, text: words[1])
        else { return nil }
        self.init(ranges)
    }
}

extension PartFile {
    /// Says in the meta that the size of the part will mean nothing from now on, because bytes further on come first: in
    /// memory, which a killed process leaves, and before any such byte.
    ///
    /// Returns whether it is said; a part that is not in hand, or whose meta takes no more bytes, is not written so.
    func becomeSparse() -> Bool {
        if state.withLock({ $0.sparse != nil }) { return true }
        let watch = state.withLock(\.watch)
        guard watch.meta >= 0, !watch.isTouched else { return false }
        let ranges = PartRanges(front: syncedOffset)
        guard put(PartCheckpoint(ranges: ranges, changed: watch.record?.changed ?? 0), watch) else { return false }
        state.withLock { $0.sparse = ranges }
        return true
    }

    /// Puts on record what of a part that several connections write counts as long as the machine runs on; nothing for others.
    ///
    /// In memory only. Without the record a kill costs what came since the last checkpoint.
    func hold(_ ranges: PartRanges) {
        guard !folder.isRemote else { return }
        let found = state.withLock { state -> (turn: Int, watch: Watch)? in
            guard state.sparse != nil, state.watch.meta >= 0, !state.watch.isTouched else { return nil }
            state.watch.holds += 1
            return (state.watch.holds % HeldRanges.slotCount, state.watch)
        }
        guard let (turn, watch) = found else { return }
        let place = watch.lineOffset + off_t(PartRecord.form.length + HeldRanges.place(turn: turn))
        _ = HeldRanges(ranges).slot.withUnsafeBytes { pwrite(watch.meta, $0.baseAddress, $0.count, place) }
    }

    /// Says what of the part counts, for whoever closes it; nil for all of it.
    ///
    /// Nothing is recorded before the next checkpoint.
    func setRanges(_ ranges: PartRanges?) { state.withLock { $0.sparse = $0.sparse == nil ? nil : ranges } }

    /// Whether bytes count beyond some that do not.
    var isSparse: Bool { state.withLock { $0.sparse != nil } }

    /// The ranges beyond the front that count.
    var rangesBeyond: [Range<Int64>] { state.withLock { $0.sparse?.beyond ?? [] } }

    /// Bytes that count, as far as they are known without the loop.
    var byteCount: Int64 { state.withLock(\.sparse)?.byteCount ?? contiguousLength }

    /// Bytes from the part's beginning that count, as far as they are known without the loop.
    var contiguousLength: Int64 { state.withLock(\.sparse)?.front ?? (try? size()) ?? syncedOffset }
}
