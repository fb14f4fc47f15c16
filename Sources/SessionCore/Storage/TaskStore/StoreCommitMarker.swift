import SessionSupport

/// The state of a store at its last commit, stored outside the database, in its lock file.
///
/// A database whose file was emptied, whose log was truncated or which is an older copy opens without an error but has
/// fewer rows. The mark is written after its commit is durable, so it is never ahead of the database.
struct StoreCommitMarker: Sendable, Equatable {
    var schema = TaskStoreSchema.version
    /// The number of the last commit, which the database also has.
    var revision: Int64 = 0
    /// The highest number of any transfer so far.
    var highestID: UInt64 = 0

    init(revision: Int64 = 0, highestID: UInt64 = 0) { (self.revision, self.highestID) = (revision, highestID) }

    // MARK: Text

    /// The first line of the lock file.
    static let form = SealedLine("netdash-mark", length: 96)

    var line: [UInt8] { Self.form.bytes("\(schema) \(revision) \(highestID)") }

    /// Parses the form of ``line``; nil for any other text.
    init?(line: [UInt8]) {
        guard let words = Self.form.words(line), words.count == 3, let schema = Int64(words[0]),
            let revision = Int64(words[1]), let highestID = UInt64(words[2])
        else { return nil }
        self.init(revision: revision, highestID: highestID)
        self.schema = schema
    }

    // MARK: Judging

    /// Returns the fault of a database with this revision, in words; nil for none.
    ///
    /// A missing log is no fault: another program may have checkpointed it into the file.
    func contradiction(revision found: Int64) -> String? {
        guard found < revision else { return nil }
        return StoreReasons.changesMissing(revision - max(found, 0))
    }

    /// Returns the fault of a database file, in words; nil for none.
    func contradiction(_ header: StoreHeader, hasLog: Bool) -> String? {
        if header.fileSize == 0 { return highestID > 0 || revision > 0 ? StoreReasons.empty : nil }
        guard schema == TaskStoreSchema.version else { return nil }
        // With a log, the file may lack later pages, and a crash may have interrupted the copying of a page.
        if !hasLog, header.endsInsidePage { return StoreReasons.endsInPage }
        return header.isOurs(withoutLog: !hasLog) ? nil : StoreReasons.headChanged
    }
}
