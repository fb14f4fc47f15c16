/// Tracks downloads that ended on a full disk, and which of them have room again.
///
/// Moments are milliseconds of the monotonic clock.
struct SpaceWatch: Sendable, Equatable {
    /// A download that waits for room.
    private struct Wait: Sendable, Equatable {
        var id: UInt64
        var folder: String
        /// Bytes that must be free.
        package var missing: Int64
        var notBefore: Int64
    }

    /// How often a download ended on a full disk, and how many bytes it lacked last.
    private struct History: Sendable, Equatable {
        var count: Int
        package var missing: Int64
    }

    /// The bytes to wait for when the server gave no length.
    static let unknownLength: Int64 = 1 << 20
    /// Milliseconds between two checks of the disks.
    static let interval: Int64 = 2_000
    /// A quota or a lack of inodes refuses a disk that seems to have room, so such a download retries ever more rarely.
    private static let longestDoubling = 5

    /// The waiting rows in the order in which they ended.
    private var waits: [Wait] = []
    private var histories: [UInt64: History] = [:]
    /// Whether the next check is scheduled.
    private var isPlanned = false

    init() {}

    var folders: Set<String> { Set(waits.map(\.folder)) }

    /// Adds a download that ended on a full disk.
    ///
    /// `missing` are the bytes that it lacks, nil where unknown. Returns the bytes that must be free.
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

    /// Removes the downloads that can resume, by the free bytes of each folder.
    ///
    /// The bytes of one are subtracted for the next, because the folders may be on one disk.
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

    /// Forgets a download that was resumed otherwise, or ended for another reason.
    mutating func forget(_ id: UInt64) {
        guard histories.removeValue(forKey: id) != nil else { return }
        waits.removeAll { $0.id == id }
    }

    /// Returns whether to schedule a check: something waits, and none is scheduled.
    mutating func plans() -> Bool {
        guard !isPlanned, !waits.isEmpty else { return false }
        isPlanned = true
        return true
    }

    /// Marks the scheduled check as begun.
    mutating func begin() { isPlanned = false }
}
