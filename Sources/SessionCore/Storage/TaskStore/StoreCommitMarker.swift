import SessionSupport

/// What a store had when it last committed, kept apart from the database, in its lock file.
///
/// A database whose file was emptied, whose log was cut or which is an older copy opens without an error and has fewer
/// rows. The mark is written after the commit it tells of is on the disk, so it is never ahead of what must be there.
struct StoreCommitMarker: Sendable, Equatable {
    /// The version of the schema.
    var schema = TaskStoreSchema.version
    /// The number of the last commit, as the database has it too.
    var revision: Int64 = 0
    /// The highest number a transfer ever had.
    var highestID: UInt64 = 0

    init(revision: Int64 = 0, highestID: UInt64 = 0) { (self.revision, self.highestID) = (revision, highestID) }

    // MARK: Text

    /// The first line of the lock file.
    static let form = SealedLine("netdash-mark", length: 96)

    var line: [UInt8] { Self.form.bytes("\(schema) \(revision) \(highestID)") }

    /// Reads ``line``; nil for anything else.
    init?(line: [UInt8]) {
        guard let words = Self.form.words(line), words.count == 3, let schema = Int64(words[0]),
            let revision = Int64(words[1]), let highestID = UInt64(words[2])
        else { return nil }
        self.init(revision: revision, highestID: highestID)
        self.schema = schema
    }

    // MARK: Judging

    /// What is wrong with a database of this revision, in words; nil where nothing can be said against it.
    ///
    /// A log that is gone proves nothing: another program may have brought it into the file.
    func contradiction(revision found: Int64) -> String? {
        guard found < revision else { return nil }
        return StoreReasons.changesMissing(revision - max(found, 0))
    }

    /// What is wrong with a database file, in words; nil where nothing can be said against it.
    func contradiction(_ header: StoreHeader, hasLog: Bool) -> String? {
        if header.fileSize == 0 { return highestID > 0 || revision > 0 ? StoreReasons.empty : nil }
        guard schema == TaskStoreSchema.version else { return nil }
        // A log has later pages than the file, and a crash may have ended the copying of a page.
        if !hasLog, header.endsInsidePage { return StoreReasons.endsInPage }
        return header.isOurs(withoutLog: !hasLog) ? nil : StoreReasons.headChanged
    }
}
