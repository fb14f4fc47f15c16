import CLinux
import SessionSupport

extension NameIndex {
    /// Adds a name under its identifier; ignores names other than a part's meta or a part that was set aside.
    fileprivate mutating func insert(partName name: String) {
        guard name.hasPrefix("."), let identifier = Self.identifier(in: name) else { return }
        insert(name, under: identifier)
    }

    /// Returns the text before `.part.meta` or `.part.bad`.
    private static func identifier(in name: String) -> String? {
        let part = FileNames.partSuffix(identifier: "").dropFirst()
        let endings = [FileNames.metaSuffix, FileNames.quarantineSuffix].map { part + $0 }
        guard let ending = endings.first(where: { name.hasSuffix($0) }) else { return nil }
        let rest = name.dropLast(ending.count)
        return rest.lastIndex(of: ".").map { String(rest[rest.index(after: $0)...]) }
    }
}

/// The parts in a folder, by the identifiers in their names.
extension Folder {
    /// Returns the names of the metas with one of the identifiers.
    ///
    /// The folder is read once; later additions of this process are recorded.
    func partMetas(_ identifiers: [String]) throws(SessionError) -> [String] {
        try known(identifiers).filter { $0.hasSuffix(FileNames.metaSuffix) }
    }

    /// Returns the names of the set-aside parts with one of the identifiers.
    func setAsideParts(_ identifiers: [String]) throws(SessionError) -> [String] {
        try known(identifiers).filter { $0.hasSuffix(FileNames.quarantineSuffix) }
    }

    private func known(_ identifiers: [String]) throws(SessionError) -> [String] {
        if !knownNames.withLock({ $0.isComplete }) { try read() }
        return knownNames.withLock { $0.names(identifiers) }
    }

    private func read() throws(SessionError) {
        let readAt = cl_monotonic_milliseconds()
        let found = try names()
        let listing = FolderListing(found, readAt: readAt)
        knownNames.withLock { known in
            for name in found { known.insert(partName: name) }
            known.complete(with: listing)
        }
    }

    /// Returns the names among the possible metas of one download that the folder may have.
    ///
    /// Each is a system call for its reader, so a folder of many downloads is read once: half of their processor time.
    /// Where no generation is known, only the first is asked for, because another process may have added it since. Where
    /// one is known, all are: a move takes the next free name, and knows the folder by another descriptor.
    func existingMetas(_ possible: [String], _ identifiers: [String]) -> [String] {
        let now = cl_monotonic_milliseconds()
        if knownNames.withLock({ $0.isWorthReading(at: now) }) { try? read() }
        let known = knownNames.withLock { $0.isComplete ? $0.names(identifiers) : nil }
        guard let known, !known.contains(where: { $0.hasSuffix(FileNames.metaSuffix) }) else { return possible }
        return Array(possible.prefix(1))
    }

    /// Returns whether the folder may have a part of a download: false only if the folder was read and has none.
    ///
    /// Never blocks.
    func mayHavePart(url: String, name: DownloadTarget.Name) -> Bool {
        knownNames.withLock { known in
            guard known.isComplete else { return true }
            guard !known.isEmpty else { return false }
            let key = PartFile.keyName(name, url: url)
            return !known.names(FileNames.identifiers(url: url, name: key, count: PartFile.adoptionLimit)).isEmpty
        }
    }

    /// Returns whether the folder had no file of a name a moment ago.
    ///
    /// Never blocks.
    func lacked(_ name: String, at now: Int64) -> Bool {
        knownNames.withLock { $0.listing?.lacks(name, at: now) ?? false }
    }

    /// Adds a name to the results of ``partMetas(_:)`` and ``setAsideParts(_:)``.
    func rememberMeta(_ name: String) { knownNames.withLock { $0.insert(partName: name) } }
}
