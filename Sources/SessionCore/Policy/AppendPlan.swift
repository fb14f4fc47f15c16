/// Where the body of a verified 206 goes.
struct AppendPlan: Sendable, Equatable {
    /// Offset in the file at which new bytes begin: what the part holds.
    var offset: Int64
    /// So many bytes at the body's start repeat the part's end.
    ///
    /// They must equal it; then they are skipped.
    var overlap: Int64
    /// So many new bytes may be taken.
    ///
    /// Whatever the server sends beyond them is dropped with its connection.
    var limit: Int64
    /// The length of the whole file.
    var total: Int64

    /// Whether the file is complete when ``limit`` bytes were taken; else another range has to be asked for.
    var completesFile: Bool { offset + limit == total }
}
