/// The facts of a download that its mirrors are compared with.
protocol SourcedFile: AnyObject {
    var sources: DownloadSources? { get }
    /// Whether there is a part to compare with.
    var hasPart: Bool { get }
    /// The file's length, where it is known.
    var length: Int64? { get }
    /// Bytes received without a gap from the beginning of the file.
    var front: Int64 { get }
    /// Bytes of ``front`` that are written to the part.
    var written: Int64 { get }

    /// The facts that a source has given of the file; nil before its first answer.
    func facts(of source: Int) -> StoredFacts?
    /// Whether the part has the same bytes at an offset.
    func hasBytes(_ bytes: [UInt8], at offset: Int64) -> Bool
    /// Compares the first block of the lead with the part.
    func compareFirstBlock(_ sources: DownloadSources) -> BlockComparison
}

/// The result of comparing a block of a source with the part.
enum BlockComparison: Sendable, Equatable {
    case same, differs, incomplete
}
