/// Asking whether an existing file is still current on the server.
extension DownloadWriter {
    /// The file that the current request asks about.
    ///
    /// A partial file of a newer one is continued instead, and a caller's own conditions stay the only ones.
    var copyAskedFor: ExistingCopy? {
        guard let copy, copy.validator != nil, contiguousEnd == 0, ResumePolicy.mayAdopt(description.request) else {
            return nil
        }
        return copy
    }

    /// Ends the download with the file that was asked about.
    func keep(_ copy: ExistingCopy) {
        conclusion.wasSkipped = true
        conclusion.isUnchanged = true
        conclusion.file = FinishedFile(path: copy.path, wasSkipped: true)
    }
}
