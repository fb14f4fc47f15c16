import SessionSupport

/// Names of the metas in a folder, and of parts that were set aside, by the identifier in them, so that looking for a download's part costs the same
/// however many parts lie there.
struct PartIndex: Sendable {
    /// Whether the folder was read; until then only what this process has added is here.
    var isComplete = false
    private var names: [String: Set<String>] = [:]

    /// Adds a name; without effect for one that no meta of a part has, and no part that was set aside.
    mutating func insert(_ name: String) {
        guard name.hasPrefix("."), let identifier = Self.identifier(in: name) else { return }
        names[identifier, default: []].insert(name)
    }

    /// The names with one of the identifiers, sorted.
    func names(_ identifiers: [String]) -> [String] {
        guard !names.isEmpty else { return [] }
        return identifiers.flatMap { names[$0] ?? [] }.sorted()
    }

    /// Whether nothing is known of any part.
    var isEmpty: Bool { names.isEmpty }

    /// What stands before `.part.meta` or `.part.bad`.
    private static func identifier(in name: String) -> String? {
        let part = FileNames.partSuffix(identifier: "").dropFirst()
        let endings = [FileNames.metaSuffix, FileNames.quarantineSuffix].map { part + $0 }
        guard let ending = endings.first(where: { name.hasSuffix($0) }) else { return nil }
        let rest = name.dropLast(ending.count)
        return rest.lastIndex(of: ".").map { String(rest[rest.index(after: $0)...]) }
    }
}

extension Folder {
    /// Names of the metas whose names hold one of the identifiers.
    ///
    /// The folder is read once; what this process adds later is recorded.
    func partMetas(_ identifiers: [String]) throws(SessionError) -> [String] {
        try known(identifiers).filter { $0.hasSuffix(FileNames.metaSuffix) }
    }

    /// Names of the parts that were set aside whose names hold one of the identifiers.
    func setAsideParts(_ identifiers: [String]) throws(SessionError) -> [String] {
        try known(identifiers).filter { $0.hasSuffix(FileNames.quarantineSuffix) }
    }

    private func known(_ identifiers: [String]) throws(SessionError) -> [String] {
        if !knownMetas.withLock({ $0.isComplete }) {
            let found = try names()
            knownMetas.withLock { known in
                for name in found { known.insert(name) }
                known.isComplete = true
            }
        }
        return knownMetas.withLock { $0.names(identifiers) }
    }

    /// Whether a part of a download may lie here: false only when the folder was read and has none.
    ///
    /// Never blocks.
    func mayHavePart(url: String, name: DownloadTarget.Name) -> Bool {
        knownMetas.withLock { known in
            guard known.isComplete else { return true }
            guard !known.isEmpty else { return false }
            let key = PartFile.keyName(name, url: url)
            return !known.names(FileNames.identifiers(url: url, name: key, count: PartFile.adoptionLimit)).isEmpty
        }
    }

    /// Adds to what ``partMetas(_:)`` and ``setAsideParts(_:)`` know.
    func rememberMeta(_ name: String) { knownMetas.withLock { $0.insert(name) } }
}
