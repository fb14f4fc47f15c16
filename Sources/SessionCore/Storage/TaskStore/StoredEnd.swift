/// How a transfer ended, as it is stored.
struct StoredEnd: Sendable, Equatable {
    /// One of the three final ones.
    var standing: StoredTransfer.Standing
    var counts: StoredTransfer.Counts
    var partPath: String?
    var filePath: String?
    /// In seconds since 1970.
    var finishedAt: Double
}
