/// A body that is complete in memory and is to become a file.
///
/// A class because every step of a group looks at every member, and a copy would count its references each time.
final class SmallDownload: Sendable {
    /// Whose it is.
    let id: TransferID
    let folder: Folder
    /// The original URL, as the user gave it.
    let url: String
    /// The name it wants; one that ``FileNames`` made or checked.
    let finalName: String
    let collision: DownloadTarget.Collision
    let checksum: Checksum?
    let body: [UInt8]
    /// Where it is written down before it gets its name; nil for a transfer that is not stored.
    let journal: (any FinishJournal)?

    init(
        id: TransferID, folder: Folder, url: String, finalName: String, collision: DownloadTarget.Collision,
        checksum: Checksum? = nil, body: [UInt8], journal: (any FinishJournal)? = nil
    ) {
        self.id = id
        self.folder = folder
        self.url = url
        self.finalName = finalName
        self.collision = collision
        self.checksum = checksum
        self.body = body
        self.journal = journal
    }

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
