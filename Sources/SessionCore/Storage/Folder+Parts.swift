import Support

extension Folder {
    /// Names of the metas whose names hold one of the identifiers.
    ///
    /// The folder is read once; what this process adds later is noted.
    func partMetas(_ identifiers: [String]) throws(SessionError) -> [String] {
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

    /// Adds to what ``partMetas(_:)`` knows.
    func noteMeta(_ name: String) { knownMetas.withLock { $0.insert(name) } }
}
