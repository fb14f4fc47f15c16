/// Where it is written down that a complete file is about to get its name.
///
/// A program that is killed between the naming and the record of the end finds the file by it, and neither fetches it
/// again nor loses it.
protocol FinishJournal: Sendable {
    /// Writes the files down, all at once.
    ///
    /// Blocks until the disk has them, or has refused: then the files get their names all the same, because a record that
    /// is missing costs at most a repeated download. Belongs on a storage thread.
    func record(_ files: [TransferID: StoredTransfer.FinishingFile])
}
