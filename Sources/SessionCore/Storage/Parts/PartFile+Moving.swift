import CLinux
import Glibc
import SessionSupport

extension DownloadTarget {
    /// What has become of a part that got another URL or another place.
    public struct MovedPart: Sendable, Equatable {
        /// Bytes that the part holds.
        public var keptBytes: Int64
        /// The name that its file is to have.
        ///
        /// A download that is to find the part names it, as ``Name/fixed(_:)``.
        public var name: String
    }

    /// Gives the part that a download of a URL has left at this target another URL, another place, or both, so that a
    /// download from there to that target goes on with it.
    ///
    /// The facts about the file stay with the part. So the next download proves that what the new URL names is the same
    /// file, by its length and its strong validator, before it adds a byte; where that cannot be proved it starts again.
    /// The part must not be in use. Where the new target names no file, the name stays. Blocks while the disk is written.
    /// - Returns: nil when there is no part that can be trusted.
    /// - Throws: `partInUse` while a transfer writes the part, `storage` when the new folder is on another file system,
    ///   and what else the system reports; the part stays where it was then.
    public func movePart(
        of url: String, to target: DownloadTarget, url newURL: String
    ) throws(SessionError) -> MovedPart? {
        guard let source = try? Folder(path: folder, creating: false),
            let adopted = try PartFile.adopt(in: source, url: url, name: name, hasChecksum: checksum != nil)
        else { return nil }
        defer { adopted.part.close() }
        let newName =
            switch target.name {
            case .fixed(let name): try FileNames.fixed(name)
            case .automatic: adopted.part.finalName
            }
        try adopted.part.move(to: try Folder(path: target.folder), url: newURL, finalName: newName)
        return MovedPart(keptBytes: adopted.validLength, name: newName)
    }

    /// Moves a finished file; what is at the destination is never replaced, and missing folders are not created.
    ///
    /// To another file system the bytes are copied, synced and renamed, so that nobody ever sees half a file. Blocks
    /// meanwhile. Throws `destinationExists`, `destinationIsFolder`, `notFound`, `permission`, `diskFull` and what else the
    /// system reports; the file stays where it was then.
    public static func moveFile(at path: String, to destination: String) throws(SessionError) {
        try FileMover.move(from: path, to: destination)
    }
}

extension PartFile {
    /// Moves an adopted part, with its meta, to the name that a download of a URL to a folder looks for.
    ///
    /// The file goes first and the new meta follows: whatever is interrupted, no meta ever describes other bytes than it
    /// did before. What an interruption in between costs is the part.
    fileprivate func move(to target: Folder, url: String, finalName: String) throws(SessionError) {
        guard let facts, let digest = try? PartMeta.digest(ofURL: url) else { return }
        if target.identity == folder.identity, finalName == self.finalName, digest == urlDigest {
            return try putOutOfHand(durably: true)
        }
        let newName = try rename(into: target, url: url, finalName: finalName)
        var moved = State(facts: facts, syncedOffset: syncedOffset, metaIsWritten: false)
        moved.facts?.url = url
        moved.isPromised = true
        moved.watch.isTouched = state.withLock(\.watch.isTouched)
        // The lock belongs to the open file, which both descriptors share.
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { throw failure(errno, cannot: "move") }
        let part = PartFile(
            folder: target, name: newName, finalName: finalName, urlDigest: digest, identity: identity,
            descriptor: copy, state: moved)
        part.recordAppearance()
        do throws(SessionError) {
            try part.putOutOfHand(durably: true)
        } catch {
            // Back to where it is still described.
            _ = cl_rename_at(target.descriptor, newName, folder.descriptor, name, false)
            recordAppearance()
            try? putOutOfHand(durably: false)
            throw error
        }
        part.close()
        unlinkat(folder.descriptor, metaName, 0)
        try target.sync()
        if target.identity != folder.identity { try folder.sync() }
    }

    /// Gives the file the first free name that a download would look for; answers which.
    private func rename(into target: Folder, url: String, finalName: String) throws(SessionError) -> String {
        for generation in 0..<Self.adoptionLimit {
            let identifier = FileNames.identifier(url: url, name: finalName, generation: generation)
            let newName = FileNames.partName(finalName, identifier: identifier)
            guard target.status(newName) == nil, target.status(newName + FileNames.metaSuffix) == nil else { continue }
            let result = cl_rename_at(folder.descriptor, name, target.descriptor, newName, false)
            if result == 0 { return newName }
            if result > 0 {
                // It has arrived under the new name, and the old one is left.
                folder.remove(name, ifIdentity: identity)
                return newName
            }
            if errno == EEXIST { continue }
            if errno == EXDEV {
                let message = "\(target.path) is on another file system, to which an unfinished file cannot move"
                throw SessionError(.storage, message, errno: EXDEV, partPath: path)
            }
            throw failure(errno, cannot: "move")
        }
        throw SessionError(.partInUse, "Too many parts of this download lie in \(target.path); remove some of them")
    }
}
