/// How often a question is asked again, so that it costs the database no more than a quarter of a core.
///
/// One that takes long once has met a stall, such as a lock or a slow disk, and is asked again as usual.
struct AskingPace: Sendable, Equatable {
    private static let share: Int64 = 4

    private var last: Int64 = 0
    /// The milliseconds that an answer usually takes, as far as known.
    private(set) var usual: Int64 = 0

    /// The milliseconds until the next question, after one that took `took` of them.
    mutating func wait(after took: Int64, least: Int64) -> Int64 {
        usual = min(last, took)
        last = took
        return max(least, usual * Self.share)
    }
}
