import CLinux
import Glibc
import SessionSupport

/// Turns a complete part into a file with its name, in the one order that a power cut cannot break: verify, sync the
/// file, rename, sync the folder, and only then let anybody hear of it.
enum Finisher {
    /// A closure that hears of a file that is about to get its name; may block.
    typealias NamingObserver = (StoredTransfer.FinishingFile) -> Void

    /// Finishes a part.
    ///
    /// Blocks; belongs on a storage thread.
    ///
    /// A part whose checksum is wrong is set aside as `….part.bad`, where one of an earlier try is replaced: it is
    /// never continued and never gets its name, but somebody may want to see it, until the file with the right checksum is
    /// there. After every other error the part stays as it is.
    /// - Parameters:
    ///   - finalName: the name it wants; one that ``FileNames`` made or checked.
    ///   - expectedLength: nil when the length is not known, as for a body that ends with its connection.
    ///   - checksum: the one that somebody asked for, also of a file that is there already.
    ///   - announced: the one that the server has announced, where nobody asked for another.
    ///   - stamp: what the file keeps of its answer; nil for nothing.
    ///   - home: the folder of the file that is to be overwritten, where that takes no new file and the part is elsewhere.
    ///   - beforeNaming: called with the file when nothing is left to do but to give it its name.
    @inline(never)
    static func finish(
        _ part: PartFile, finalName: String, collision: DownloadTarget.Collision, expectedLength: Int64?,
        checksum: Checksum?, announced: Checksum? = nil, stamp: FileStamp? = nil, home: Folder? = nil,
        beforeNaming: NamingObserver = { _ in }
    ) throws(SessionError) -> FinishedFile {
        let size = try part.size()
        if let expectedLength, size != expectedLength {
            throw SessionError(
                .truncated, StorageErrors.saved(size, expected: expectedLength), partPath: part.path)
        }
        let proof = checksum ?? announced
        var digest: String?
        if let proof { digest = try verify(part, against: proof, isAnnounced: checksum == nil) }
        if let stamp { try part.stamp(stamp) }
        try part.sync()
        let publication = try Publication(part, as: finalName, collision, stamp, home)
        beforeNaming(StoredTransfer.FinishingFile(publication.path, part.identity))
        guard let placed = try publication.perform() else { return try left(part, for: finalName, checksum) }
        if stamp?.proof == nil { part.removeMark() }
        part.removeMeta()
        if proof != nil { part.removeSetAside() }
        part.close()
        return FinishedFile(path: placed.path, digest: digest, algorithm: proof?.algorithm, note: placed.note)
    }

    /// Drops a part because a file of its name is to stay.
    ///
    /// Never joined with its caller, which makes the optimizer of Swift 6.3.1 fail.
    @inline(never)
    private static func left(
        _ part: PartFile, for finalName: String, _ checksum: Checksum?
    ) throws(SessionError) -> FinishedFile {
        let digest = try DestinationCheck.verifyLeft(finalName, in: part.folder, checksum: checksum)
        part.discard()
        return FinishedFile(
            path: part.folder.placedPath(of: finalName), digest: digest, algorithm: checksum?.algorithm,
            wasSkipped: true)
    }

    /// Saves a body that is complete in memory, without a meta: whatever interrupts this, fetching again costs little.
    ///
    /// When it fails, or the process ends in the middle, nothing is left behind where the file system knows files without
    /// names, but for a body whose checksum is wrong, which is set aside as above.
    static func finishSmall(
        _ body: UnsafeRawBufferPointer, in folder: Folder, url: String, finalName: String,
        collision: DownloadTarget.Collision, checksum: Checksum?, announced: Checksum? = nil, stamp: FileStamp? = nil,
        home: Folder? = nil, beforeNaming: NamingObserver = { _ in }
    ) throws(SessionError) -> FinishedFile {
        if checksum == nil, announced == nil, home == nil, let file = UnnamedFile(in: folder, finalName: finalName) {
            do throws(SessionError) {
                return try finish(
                    file, with: body, url: url, collision: collision, stamp: stamp, beforeNaming: beforeNaming)
            } catch {
                // Without second names the file cannot have its first one this way, and a renamed one can.
                guard let number = error.errno, cl_is_unsupported(number) else { throw error }
            }
        }
        let part = try PartFile.create(
            in: folder, url: url, name: .fixed(finalName), finalName: finalName, facts: nil)
        do throws(SessionError) {
            try part.write(body, at: 0)
            return try finish(
                part, finalName: finalName, collision: collision, expectedLength: Int64(body.count), checksum: checksum,
                announced: announced, stamp: stamp, home: home, beforeNaming: beforeNaming)
        } catch {
            throw part.discard(after: error)
        }
    }

    // MARK: - Steps

    private static func finish(
        _ file: UnnamedFile, with body: UnsafeRawBufferPointer, url: String, collision: DownloadTarget.Collision,
        stamp: FileStamp?, beforeNaming: NamingObserver
    ) throws(SessionError) -> FinishedFile {
        try file.write(body)
        if let stamp { file.stamp(stamp) }
        try file.sync()
        if let finishing = file.finishing { beforeNaming(finishing) }
        let folder = file.folder
        guard let name = try file.place(collision: collision, url: url) else {
            return FinishedFile(path: folder.placedPath(of: file.finalName), wasSkipped: true)
        }
        // The count of its names lies in the file itself, which the folder's sync need not write.
        try file.sync()
        try folder.sync()
        return FinishedFile(path: folder.placedPath(of: name))
    }

    /// Reads the part from the disk's cache, so that what is verified is what was saved.
    private static func verify(
        _ part: PartFile, against checksum: Checksum, isAnnounced: Bool
    ) throws(SessionError) -> String {
        try part.refuseChanges()
        let found = try part.digest(checksum.algorithm)
        guard found == checksum.digest else {
            let path = part.quarantine()
            let expected = ByteText.hexadecimal(checksum.digest)
            let sentence = isAnnounced ? StorageErrors.announcedChecksum : StorageErrors.checksum
            let message = sentence(checksum.algorithm.rawValue, ByteText.hexadecimal(found), expected, path)
            throw SessionError(.checksum, message, partPath: path)
        }
        return ByteText.hexadecimal(found)
    }
}

/// A download that has its name.
struct FinishedFile: Sendable, Equatable {
    /// Where it is.
    var path: String
    /// The digest that was verified, in hexadecimal, where one was asked for.
    var digest: String?
    /// Which digest that was.
    var algorithm: Checksum.Algorithm?
    /// Whether an existing file was left at ``path`` and the download dropped, as the policy `skip` says.
    var wasSkipped = false
    /// What is to be said about how it got there, as a sentence; nil for nothing.
    var note: String?
}
