/// The facts of a download that its mirrors are compared with.
protocol SourcedFile: AnyObject {
    var sources: DownloadSources? { get }
    /// Whether a partial file exists for comparison.
    var hasPart: Bool { get }
    /// The file's length; nil if unknown.
    var length: Int64? { get }
    /// Bytes received without a gap from the beginning of the file.
    var contiguousEnd: Int64 { get }
    /// Bytes of ``contiguousEnd`` that are written to the partial file.
    var written: Int64 { get }

    /// Returns the facts a source has given about the file; nil before its first response.
    func metadata(of source: Int) -> StoredMetadata?
    /// Whether the partial file has the same bytes at an offset.
    ///
    /// Throws the disk's error, which says nothing of the bytes.
    func hasBytes(_ bytes: [UInt8], at offset: Int64) throws(SessionError) -> Bool
    /// Compares the lead's first block with the partial file; throws the disk's error.
    func compareFirstBlock(_ sources: DownloadSources) throws(SessionError) -> BlockComparison
}

/// The result of comparing a source's block with the partial file.
enum BlockComparison: Sendable, Equatable {
    case same, differs, incomplete
}
