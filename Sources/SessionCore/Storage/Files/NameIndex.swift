import SessionSupport

/// Names in a folder, indexed by a key in them, so that a lookup costs the same in a large folder.
struct NameIndex: Sendable {
    /// True once the folder was read; until then only names that this process has added are present.
    private(set) var isComplete = false
    /// All names as they were read last; nil if there are too many, or none were read.
    private(set) var listing: FolderListing?
    /// How often names were looked for one by one since the folder was read.
    private var lookups = 0
    private var names: [String: Set<String>] = [:]

    /// Lookups one by one before the folder is read: one download reads no large folder.
    static let fewLookups = 16

    mutating func insert(_ name: String, under key: String) { names[key, default: []].insert(name) }

    /// Returns the names under any of the keys, sorted.
    func names(_ keys: [String]) -> [String] {
        guard !names.isEmpty else { return [] }
        return keys.flatMap { names[$0] ?? [] }.sorted()
    }

    var isEmpty: Bool { names.isEmpty }

    /// Counts a lookup, and returns whether the folder is worth reading now: for the first time, or again.
    mutating func isWorthReading(at now: Int64) -> Bool {
        lookups += 1
        guard lookups > Self.fewLookups, !isComplete || listing.map({ !$0.isRecent(at: now) }) ?? false else {
            return false
        }
        lookups = 0
        return true
    }

    /// Notes that all names were read.
    mutating func complete(with listing: FolderListing?) {
        isComplete = true
        self.listing = listing
    }
}

/// The names in a folder at one moment, as hashes: a name that it lacks needs no system call, which on a folder of many
/// downloads would be a job for another thread each.
struct FolderListing: Sendable {
    /// Larger folders cost too much to be read again.
    private static let largest = 1 << 16
    /// Milliseconds for which a name that was missing counts as missing.
    private static let trustTime: Int64 = 1_000

    private let names: Set<UInt64>
    private let readAt: Int64

    /// Nil for too many names.
    init?(_ names: [String], readAt: Int64) {
        guard names.count <= Self.largest else { return nil }
        self.names = Set(names.lazy.map { StableHash.value($0) })
        self.readAt = readAt
    }

    func isRecent(at now: Int64) -> Bool { now - readAt < Self.trustTime }

    /// Returns whether the folder had no file of a name a moment ago.
    func lacks(_ name: String, at now: Int64) -> Bool { isRecent(at: now) && !names.contains(StableHash.value(name)) }
}
