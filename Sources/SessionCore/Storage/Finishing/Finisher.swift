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
    ///   - beforeNaming: called with the file when nothing is left to do but to give it its name.
    @inline(never)
    static func finish(
        _ part: PartFile, finalName: String, collision: DownloadTarget.Collision, expectedLength: Int64?,
        checksum: Checksum?, announced: Checksum? = nil, stamp: FileStamp? = nil,
        beforeNaming: NamingObserver = { _ in }
    ) throws(SessionError) -> FinishedFile {
        let size = try part.size()
        if let expectedLength, size != expectedLength {
            let message = "\(size) bytes were saved but the file has \(expectedLength)"
            throw SessionError(.truncated, message, partPath: part.path)
        }
        let proof = checksum ?? announced
        var digest: String?
        if let proof { digest = try verify(part, against: proof, isAnnounced: checksum == nil) }
        if let stamp { try part.stamp(stamp) }
        try part.sync()
        beforeNaming(StoredTransfer.FinishingFile(part.folder.path(of: finalName), part.identity))
        guard let name = try publish(part, as: finalName, collision: collision) else {
            return try left(part, for: finalName, checksum)
        }
        try part.folder.sync()
        part.removeMeta()
        if proof != nil { part.removeSetAside() }
        part.close()
        return FinishedFile(path: part.folder.path(of: name), digest: digest, algorithm: proof?.algorithm)
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
            path: part.folder.path(of: finalName), digest: digest, algorithm: checksum?.algorithm, wasSkipped: true)
    }

    /// Saves a body that is complete in memory, without a meta: whatever interrupts this, fetching again costs little.
    ///
    /// When it fails, or the process ends in the middle, nothing is left behind where the file system knows files without
    /// names, but for a body whose checksum is wrong, which is set aside as above.
    static func finishSmall(
        _ body: UnsafeRawBufferPointer, in folder: Folder, url: String, finalName: String,
        collision: DownloadTarget.Collision, checksum: Checksum?, announced: Checksum? = nil, stamp: FileStamp? = nil,
        beforeNaming: NamingObserver = { _ in }
    ) throws(SessionError) -> FinishedFile {
        if checksum == nil, announced == nil, let file = UnnamedFile(in: folder, finalName: finalName) {
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
                announced: announced, stamp: stamp, beforeNaming: beforeNaming)
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
            return FinishedFile(path: folder.path(of: file.finalName), wasSkipped: true)
        }
        // The count of its names lies in the file itself, which the folder's sync need not write.
        try file.sync()
        try folder.sync()
        return FinishedFile(path: folder.path(of: name))
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
            let message =
                "The \(checksum.algorithm.rawValue) checksum is \(ByteText.hexadecimal(found)) instead of \(expected)"
                + (isAnnounced ? ", which the server announced" : "") + "; the file was set aside as \(path)"
            throw SessionError(.checksum, message, partPath: path)
        }
        return ByteText.hexadecimal(found)
    }

    /// Looks whether the file that has got the name is the one that was proven: its name as a part may have come to mean
    /// another one between a look and the rename.
    private static func checkArrival(of part: PartFile, at name: String) throws(SessionError) {
        guard part.folder.status(name)?.identity != part.identity else { return }
        _ = part.folder.rename(name, to: part.name, replacing: false)
        throw part.replacedOutside
    }

    /// Gives the part the mode of a finished file, and its name.
    private static func publish(
        _ part: PartFile, as name: String, collision: DownloadTarget.Collision
    ) throws(SessionError) -> String? {
        try part.setMode(FileMode.finished)
        do throws(SessionError) {
            try part.checkProven()
            let placed = try Placement(folder: part.folder, name: name, collision: collision).claim { name, replacing in
                let result = part.folder.rename(part.name, to: name, replacing: replacing)
                // It is placed. Should the part's name stay again, it has no meta soon, so nobody continues it.
                if result > 0 { part.folder.remove(part.name, ifIdentity: part.identity) }
                return result
            }
            if let placed { try checkArrival(of: part, at: placed) }
            return placed
        } catch {
            // It stays a part, and parts are private. When this fails too, the first error is the one to report.
            try? part.setMode(FileMode.part)
            throw error
        }
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
}
