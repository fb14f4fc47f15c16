/// A rate second by second, for the latest minutes.
///
/// Each value stands for one second of the model's clock, so that a position in the history is a moment: idle seconds
/// are zeros, and unmeasured seconds are unknown.
package struct RateHistory: Sendable, Equatable {
    /// The number of seconds kept: ten minutes, in 2,400 bytes.
    static let length = 600
    /// A gap of up to this many seconds is only a late measurement.
    private static let lateness: Int64 = 2

    /// Bytes per second, newest last; NaN is unknown.
    package private(set) var values: [Float] = []
    /// The second of the newest value.
    package private(set) var last: Int64 = 0

    package init() {}

    package var isEmpty: Bool { values.isEmpty }

    /// Records the rate in a second, once; `wasIdle` says that nothing moved since the latest one.
    package mutating func record(_ rate: Double, at second: Int64, wasIdle: Bool = true) {
        guard values.isEmpty || second > last else { return }
        let missing = values.isEmpty ? 0 : Int(min(second - last - 1, Int64(Self.length)))
        if missing > 0 {
            let filling = wasIdle ? 0 : missing < Self.lateness ? Float(rate) : .nan
            values.append(contentsOf: repeatElement(filling, count: missing))
        }
        values.append(Float(rate))
        if values.count > Self.length { values.removeFirst(values.count - Self.length) }
        last = second
    }

    /// The latest seconds, at most `count`, with zeros for unknown ones.
    package func suffix(_ count: Int) -> [Double] {
        values.suffix(max(count, 0)).map { $0.isNaN ? 0 : Double($0) }
    }
}

/// The rate histories of a few rows.
///
/// A list of a hundred thousand rows must not keep a hundred thousand histories: running rows have one, up to the
/// limit, and keep it until another row needs the slot.
struct RowHistories: Sendable {
    /// The number of rows with a history: at most 77 kB.
    static let limit = 32

    private var histories: [UInt64: RateHistory] = [:]

    subscript(id: UInt64) -> RateHistory? { histories[id] }

    var count: Int { histories.count }

    /// Records the rates of measured rows; the watched row always gets a history.
    mutating func record(
        _ meters: [UInt64: RateMeter], watched: UInt64?, at second: Int64, wasIdle: Bool
    ) {
        for (id, meter) in meters where meter.hasSample {
            guard histories[id] != nil || makeRoom(for: id, isWatched: id == watched, meters) else { continue }
            histories[id, default: RateHistory()].record(meter.shown, at: second, wasIdle: wasIdle)
        }
    }

    mutating func forget(_ id: UInt64) { histories[id] = nil }

    /// Whether a row can have a history, after evicting the one idle longest.
    private mutating func makeRoom(for id: UInt64, isWatched: Bool, _ meters: [UInt64: RateMeter]) -> Bool {
        if histories.count < Self.limit { return true }
        let others = isWatched ? histories : histories.filter { meters[$0.key] == nil }
        guard let oldest = others.min(by: { ($0.value.last, $0.key) < ($1.value.last, $1.key) }) else { return false }
        histories[oldest.key] = nil
        return true
    }
}
