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

extension StoredEnd {
    /// The end of a transfer whose program was killed between naming the file and writing that down.
    init(_ found: FinishedFileSearch.Found, of stored: StoredTransfer) {
        var counts = stored.counts
        (counts.received, counts.expectedToReceive) = (found.size, found.size)
        self.init(standing: .completed, counts: counts, filePath: found.path, finishedAt: WallClock.now())
    }
}
