/// A body that is complete in memory and is to become a file.
struct SmallDownload: Sendable {
    /// Whose it is.
    var id: TransferID
    var folder: Folder
    /// The original URL, as the user gave it.
    var url: String
    /// The name it wants; one that ``FileNames`` made or checked.
    var finalName: String
    var collision: DownloadTarget.Collision
    var checksum: Checksum?
    var body: [UInt8]
    /// Where it is written down before it gets its name; nil for a transfer that is not stored.
    var journal: (any FinishJournal)?

    /// The file system it goes to.
    var device: UInt64 { folder.identity.device }

    /// Whether nothing about finishing it waits for a disk.
    var takesNoTime: Bool { folder.groupSync == .free && checksum == nil && journal == nil }

    /// Writes, syncs and names this one alone.
    ///
    /// Blocks; belongs on a storage thread.
    func finish() -> Result<FinishedFile, SessionError> {
        body.withUnsafeBytes { bytes in
            do throws(SessionError) {
                return .success(
                    try Finisher.finishSmall(
                        bytes, in: folder, url: url, finalName: finalName, collision: collision, checksum: checksum,
                        beforeNaming: { journal?.record([id: $0]) }))
            } catch {
                return .failure(error)
            }
        }
    }
}
