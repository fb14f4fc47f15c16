/// The downloads that a full disk has ended, and which of them there is room for again.
///
/// Moments are milliseconds of the monotonic clock.
struct SpaceWatch: Sendable, Equatable {
    /// A download that waits for room.
    private struct Wait: Sendable, Equatable {
        var id: UInt64
        var folder: String
        /// Bytes that have to be free.
        package var missing: Int64
        var notBefore: Int64
    }

    /// How often one download has been ended, with what was missing then.
    private struct History: Sendable, Equatable {
        var count: Int
        package var missing: Int64
    }

    /// What is asked for where the server told no length.
    static let unknownLength: Int64 = 1 << 20
    /// The time between two looks at the disks.
    static let interval: Int64 = 2_000
    /// A disk that refuses what seems to have room, by a quota or for lack of inodes, is asked more and more rarely.
    private static let longestDoubling = 5

    /// In the order in which they were ended.
    private var waits: [Wait] = []
    private var histories: [UInt64: History] = [:]
    /// Whether the next look is planned.
    private var isPlanned = false

    init() {}

    /// The folders in which room is waited for, each once.
    var folders: Set<String> { Set(waits.map(\.folder)) }

    /// Adds a download that was ended.
    ///
    /// `missing` are the bytes that it lacks, nil where nobody knows. Answers the bytes that have to be free.
    mutating func add(_ id: UInt64, folder: String, missing: Int64?, at now: Int64) -> Int64 {
        let missing = max(missing ?? Self.unknownLength, 1)
        waits.removeAll { $0.id == id }
        var history = histories[id] ?? History(count: 0, missing: missing)
        history.count = missing < history.missing ? 0 : history.count
        let delay = Self.interval << min(history.count, Self.longestDoubling)
        histories[id] = History(count: history.count + 1, missing: missing)
        waits.append(Wait(id: id, folder: folder, missing: missing, notBefore: now + delay))
        return missing
    }

    /// Takes out the downloads that go on, by the bytes that are free in each folder.
    ///
    /// What one of them needs is not promised to the next, because the folders may be on one disk.
    mutating func release(free: [String: Int64], at now: Int64) -> [UInt64] {
        var (released, promised): ([UInt64], Int64) = ([], 0)
        for wait in waits where wait.notBefore <= now {
            guard let free = free[wait.folder], free - promised >= wait.missing else { continue }
            promised += wait.missing
            released.append(wait.id)
        }
        waits.removeAll { released.contains($0.id) }
        return released
    }

    /// Forgets a download that somebody else takes care of, or that has ended otherwise.
    mutating func forget(_ id: UInt64) {
        guard histories.removeValue(forKey: id) != nil else { return }
        waits.removeAll { $0.id == id }
    }

    /// Whether a look is to be planned now, because none is and something waits.
    mutating func plans() -> Bool {
        guard !isPlanned, !waits.isEmpty else { return false }
        isPlanned = true
        return true
    }

    /// The look that was planned begins.
    mutating func begin() { isPlanned = false }
}
