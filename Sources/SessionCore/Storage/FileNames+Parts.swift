import Support

extension FileNames {
    /// Eight digits that name a download in a folder, the same in every run.
    ///
    /// The folder itself is not hashed: the part lies in it, and it may be moved or reached by another path.
    /// - Parameters:
    ///   - name: the fixed name, or the one from the URL where the server is going to choose it.
    ///   - generation: above 0 where the name of an earlier one is taken.
    static func identifier(url: String, name: String, generation: Int = 0) -> String {
        identifier(StableHash.value("\(url)\0\(name)".utf8), generation: generation)
    }

    /// The identifiers of the first generations.
    static func identifiers(url: String, name: String, count: Int) -> [String] {
        let hash = StableHash.value("\(url)\0\(name)".utf8)
        return (0..<count).map { identifier(hash, generation: $0) }
    }

    private static func identifier(_ first: UInt64, generation: Int) -> String {
        let hash = generation == 0 ? first : StableHash.value("\0\(generation)".utf8, after: first)
        let folded = UInt32(truncatingIfNeeded: hash ^ (hash >> 32))
        return ByteText.hexadecimal((0..<4).map { UInt8(truncatingIfNeeded: folded >> (24 - 8 * $0)) })
    }

    /// `.name.<id8>.part`, hidden, with the name shortened so that ``metaSuffix`` fits too.
    static func partName(_ finalName: String, identifier: String) -> String {
        "." + joined(finalName, partSuffix(identifier: identifier), limit: byteLimit - 1 - metaSuffix.utf8.count)
    }

    /// What the part's name ends with, whatever name comes before.
    static func partSuffix(identifier: String) -> String { ".\(identifier).part" }

    /// Follows a part's name in that of its meta.
    static let metaSuffix = ".meta"
    /// Follows a part's name while its meta is being replaced.
    static let temporaryMetaSuffix = ".new"
    /// Follows the name of a part whose checksum was wrong.
    static let quarantineSuffix = ".bad"
}
