/// A speed second by second, for the latest minutes.
///
/// Each value stands for one second of the model's clock, so that a place in the history is a moment: seconds in which
/// nothing moved are zeros, and seconds that nobody measured are unknown.
package struct RateHistory: Sendable, Equatable {
    /// Seconds that are kept: ten minutes, in 2,400 bytes.
    static let length = 600
    /// A silence of so many seconds is only a measurement that came late.
    private static let lateness: Int64 = 2

    /// Bytes per second, newest last; a value that is not a number is unknown.
    package private(set) var values: [Float] = []
    /// The second that the newest value stands for.
    package private(set) var last: Int64 = 0

    package init() {}

    /// Whether nothing was ever recorded.
    package var isEmpty: Bool { values.isEmpty }

    /// Records the speed in a second, once; `wasIdle` says that nothing moved since the latest one.
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

    /// The latest seconds, at most so many, with zeros for unknown ones.
    package func suffix(_ count: Int) -> [Double] {
        values.suffix(max(count, 0)).map { $0.isNaN ? 0 : Double($0) }
    }
}

/// The histories of a few rows.
///
/// A list of a hundred thousand rows must not keep a hundred thousand histories: those that run have one, as far as
/// there are places, and keep it until another row needs the place.
struct RowHistories: Sendable {
    /// The number of rows with a history: at most 77 kB.
    static let limit = 32

    private var histories: [UInt64: RateHistory] = [:]

    /// The history of a row; nil when it has none.
    subscript(id: UInt64) -> RateHistory? { histories[id] }

    /// The number of rows that have a history.
    var count: Int { histories.count }

    /// Records the speeds of rows that are measured; a row that somebody looks at gets a place in any case.
    mutating func record(
        _ meters: [UInt64: RateMeter], watched: UInt64?, at second: Int64, wasIdle: Bool
    ) {
        for (id, meter) in meters where meter.hasSample {
            guard histories[id] != nil || makeRoom(for: id, isWatched: id == watched, meters) else { continue }
            histories[id, default: RateHistory()].record(meter.shown, at: second, wasIdle: wasIdle)
        }
    }

    /// Forgets a row.
    mutating func forget(_ id: UInt64) { histories[id] = nil }

    /// Whether there is a place for a row, after the one that stood still longest has lost its own.
    private mutating func makeRoom(for id: UInt64, isWatched: Bool, _ meters: [UInt64: RateMeter]) -> Bool {
        if histories.count < Self.limit { return true }
        let others = isWatched ? histories : histories.filter { meters[$0.key] == nil }
        guard let oldest = others.min(by: { ($0.value.last, $0.key) < ($1.value.last, $1.key) }) else { return false }
        histories[oldest.key] = nil
        return true
    }
}
