import CLinux
import Glibc
import SessionSupport

/// Turns a complete part into a file with its name, in the only order that survives a power cut: verify, sync the file,
/// rename, sync the folder, and then report it.
enum Finisher {
    /// A closure that is told of a file right before it gets its name; may block.
    typealias NamingObserver = (StoredTransfer.FinishingFile) -> Void

    /// Finishes a part.
    ///
    /// Blocks; belongs on a storage thread.
    ///
    /// A part with a wrong checksum is set aside as `….part.bad`, and replaces one from an earlier try: it is never
    /// resumed or named, but the user may inspect it until a file with the right checksum exists. After every other
    /// error the part stays as it is, unless it has replaced a file: then it has the name, and the error says so.
    /// - Parameters:
    ///   - finalName: the wanted name, made or checked by ``FileNames``.
    ///   - expectedLength: nil for an unknown length, as for a body that ends with its connection.
    ///   - checksum: the user's checksum; it also applies to an existing file.
    ///   - announced: the server's checksum, if the user gave none.
    ///   - stamp: the header fields that the file keeps; nil for none.
    ///   - turn: the file's place among the ones that want the name.
    ///   - home: the folder of the file to overwrite if it takes no new file and the part is in another folder.
    ///   - beforeNaming: called with the file right before it gets its name.
    @inline(never)
    static func finish(
        _ part: PartFile, finalName: String, collision: DownloadTarget.Collision, expectedLength: Int64?,
        checksum: Checksum?, announced: Checksum? = nil, stamp: FileStamp? = nil, turn: NameTurn? = nil,
        home: Folder? = nil, beforeNaming: NamingObserver = { _ in }
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
        let publication = try Publication(part, as: finalName, collision, stamp, turn, home)
        beforeNaming(StoredTransfer.FinishingFile(publication.path, part.identity))
        let placed: Publication.Placed
        switch try publication.perform() {
        case .placed(let file): placed = file
        case .kept(let name): return try left(part, for: name, checksum)
        }
        if stamp?.proof == nil { part.removeMark() }
        part.removeMeta()
        if proof != nil { part.removeSetAside() }
        part.close()
        return FinishedFile(path: placed.path, digest: digest, algorithm: proof?.algorithm, note: placed.note)
    }

    /// Drops a part because an existing file stays.
    ///
    /// Not inlined, because inlining makes the optimizer of Swift 6.3.1 fail.
    @inline(never)
    private static func left(
        _ part: PartFile, for name: String, _ checksum: Checksum?
    ) throws(SessionError) -> FinishedFile {
        let digest = try DestinationCheck.verifyLeft(name, in: part.folder, checksum: checksum)
        part.discard()
        return FinishedFile(
            path: part.folder.placedPath(of: name), digest: digest, algorithm: checksum?.algorithm,
            wasSkipped: true)
    }

    /// Saves a body that is complete in memory, without a meta: after an interruption, a new download costs little.
    ///
    /// After a failure, or the end of the process, no file is left on file systems with unnamed files; only a body with
    /// a wrong checksum is set aside as above.
    static func finishSmall(
        _ body: UnsafeRawBufferPointer, in folder: Folder, url: String, finalName: String,
        collision: DownloadTarget.Collision, checksum: Checksum?, announced: Checksum? = nil, stamp: FileStamp? = nil,
        turn: NameTurn? = nil, home: Folder? = nil, beforeNaming: NamingObserver = { _ in }
    ) throws(SessionError) -> FinishedFile {
        if checksum == nil, announced == nil, home == nil, let file = UnnamedFile(in: folder, finalName: finalName) {
            do throws(SessionError) {
                return try finish(
                    file, with: body, url: url, collision: collision, stamp: stamp, turn: turn,
                    beforeNaming: beforeNaming)
            } catch {
                // Without hard links an unnamed file cannot get a name, but a part can be renamed.
                guard let number = error.errno, cl_is_unsupported(number) else { throw error }
            }
        }
        let part = try PartFile.create(
            in: folder, url: url, name: .fixed(finalName), finalName: finalName, metadata: nil)
        do throws(SessionError) {
            try part.write(body, at: 0)
            return try finish(
                part, finalName: finalName, collision: collision, expectedLength: Int64(body.count), checksum: checksum,
                announced: announced, stamp: stamp, turn: turn, home: home, beforeNaming: beforeNaming)
        } catch {
            throw part.discard(after: error)
        }
    }

    // MARK: - Steps

    private static func finish(
        _ file: UnnamedFile, with body: UnsafeRawBufferPointer, url: String, collision: DownloadTarget.Collision,
        stamp: FileStamp?, turn: NameTurn?, beforeNaming: NamingObserver
    ) throws(SessionError) -> FinishedFile {
        try file.write(body)
        if let stamp { file.stamp(stamp, size: body.count) }
        try file.sync()
        if let finishing = file.finishing { beforeNaming(finishing) }
        let folder = file.folder
        let place = try file.place(collision: collision, turn: turn, url: url)
        guard !place.isKept else { return FinishedFile(path: folder.placedPath(of: place.name), wasSkipped: true) }
        do throws(SessionError) {
            // The link count is in the file itself, which the folder's sync need not write.
            try file.sync()
            try folder.sync()
        } catch {
            throw file.withdraw(place, after: error)
        }
        return FinishedFile(path: folder.placedPath(of: place.name))
    }

    /// Reads the part back through the file, so that the saved bytes are verified.
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
    var path: String
    /// The verified digest in hexadecimal; nil if none was requested.
    var digest: String?
    var algorithm: Checksum.Algorithm?
    /// True if an existing file stays at ``path`` and the download was dropped, by the policy `skip`.
    var wasSkipped = false
    /// A sentence about how the file was saved; nil for none.
    var note: String?
}
