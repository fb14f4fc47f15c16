/// The waits of jobs that go back without an attempt, each twice as long as the one before.
struct GrowingWaits: Equatable, Sendable {
    private var counts: [Int64: Int] = [:]
    private let longest: Double

    private static let shortest = 5.0

    /// `longest` is the longest wait, in seconds.
    init(longest: Double) { self.longest = longest }

    /// Notes that a job goes back; returns whether it is the first time, and the seconds until it may be claimed again.
    mutating func note(_ id: Int64) -> (isNew: Bool, wait: Double) {
        let count = counts[id, default: 0]
        counts[id] = count + 1
        var wait = Self.shortest
        for _ in 0..<count where wait < longest { wait *= 2 }
        return (count == 0, min(wait, longest))
    }

    /// Lets the waits of a job begin anew.
    mutating func end(_ id: Int64) { counts[id] = nil }
}
