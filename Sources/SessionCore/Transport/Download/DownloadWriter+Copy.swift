/// Asking whether the file that is here already is still the server's.
extension DownloadWriter {
    /// The file that the current request asks about: a part of a newer one is gone on with instead, and a caller's own
    /// conditions stay the only ones.
    var copyAskedFor: ExistingCopy? {
        guard let copy, copy.validator != nil, front == 0, ResumePolicy.mayAdopt(description.request) else {
            return nil
        }
        return copy
    }

    /// The file that was asked about stays.
    func keep(_ copy: ExistingCopy) {
        conclusion.wasSkipped = true
        conclusion.isUnchanged = true
        conclusion.file = FinishedFile(path: copy.path, wasSkipped: true)
    }
}
