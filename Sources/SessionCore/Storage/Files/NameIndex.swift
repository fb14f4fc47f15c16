/// Names in a folder by a key that stands in them, so that looking for some of them costs the same however many lie there.
struct NameIndex: Sendable {
    /// Whether the folder was read; until then only what this process has added is here.
    var isComplete = false
    private var names: [String: Set<String>] = [:]

    /// Adds a name under its key.
    mutating func insert(_ name: String, under key: String) { names[key, default: []].insert(name) }

    /// The names under one of the keys, sorted.
    func names(_ keys: [String]) -> [String] {
        guard !names.isEmpty else { return [] }
        return keys.flatMap { names[$0] ?? [] }.sorted()
    }

    /// Whether no name is known.
    var isEmpty: Bool { names.isEmpty }
}
