/// Names in a folder, indexed by a key in them, so that a lookup costs the same in a large folder.
struct NameIndex: Sendable {
    /// True once the folder was read; until then only names that this process has added are present.
    var isComplete = false
    /// How often names were looked for one by one, without the index.
    var lookups = 0
    private var names: [String: Set<String>] = [:]

    mutating func insert(_ name: String, under key: String) { names[key, default: []].insert(name) }

    /// Returns the names under any of the keys, sorted.
    func names(_ keys: [String]) -> [String] {
        guard !names.isEmpty else { return [] }
        return keys.flatMap { names[$0] ?? [] }.sorted()
    }

    var isEmpty: Bool { names.isEmpty }
}
