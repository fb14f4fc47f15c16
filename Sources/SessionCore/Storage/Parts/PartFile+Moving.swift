import CLinux
import Glibc
import SessionSupport

extension DownloadTarget {
    /// The result of moving a part to another URL or folder.
    package struct MovedPart: Sendable, Equatable {
        /// Bytes in the part.
        package var keptBytes: Int64
        /// The intended name of its file.
        ///
        /// A download that is to find the part uses it as ``Name/fixed(_:)``.
        package var name: String
        /// The resumability by the old server's response.
        package var resumability: Resumability
        /// Whether a server has chosen the name: it must not choose which file is replaced.
        package var isNamedByServer = false
    }

    /// Moves a URL's part at this target to another URL, another folder, or both, so that a download there resumes it.
    ///
    /// The facts about the file stay with the part. So before the next download adds a byte, it proves by length and
    /// strong validator that the new URL has the same file; without that proof it restarts, and with a different length
    /// it fails with `resourceChanged` and keeps the part. The part must not be in use. If the new target has no fixed
    /// name, the name stays. Blocks while the disk is written.
    ///
    /// With its `path` the part of no other download of the URL and name is taken. A move is no download that owns the
    /// part, so a refused one leaves it promised.
    ///
    /// `isKept` is called once the part is in the new folder and free to be used, and returns whether it stays there;
    /// otherwise it is moved back. If the process ends before that, the next download of the old URL from the old
    /// folder moves the part back. So what the closure has durably recorded never names a part that is elsewhere.
    /// - Returns: nil if no trusted part exists, or it was moved back.
    /// - Throws: `partInUse` while a transfer writes the part, `storage` when the new folder is on another file system,
    ///   and the system's other errors; the part then stays in the old folder.
    package func movePart(
        of url: String, at path: String? = nil, to target: DownloadTarget, url newURL: String,
        isKept: (MovedPart) -> Bool = { _ in true }
    ) throws(SessionError) -> MovedPart? {
        guard let adopted = try adoptPart(of: url, at: path) else { return nil }
        let source = adopted.part.folder
        adopted.part.promise()
        defer { adopted.part.close() }
        let (newName, destination) = try adopted.part.place(for: target)
        var isKeptThere = false
        // A refused move leaves none of the folders that were made for it.
        defer { if !isKeptThere { destination.removeIfMade() } }
        let isElsewhere = try adopted.part.move(to: destination, url: newURL, finalName: newName)
        adopted.part.close()
        let isChosen = name == .automatic && target.name == .automatic
        let moved = MovedPart(
            keptBytes: adopted.byteCount, name: newName,
            resumability: ResumePolicy.resumability(
                adopted.metadata, partSize: adopted.validLength, hasSeenPart: false),
            isNamedByServer: isChosen && newName != FileNames.offered(by: url))
        guard isKept(moved) else {
            // Adopting it moves it back.
            if isElsewhere { try PartFile.adopt(path: adopted.part.path, url: url)?.part.close() }
            return nil
        }
        isKeptThere = true
        guard isElsewhere else { return moved }
        unlinkat(source.descriptor, adopted.part.metaName, 0)
        // If a power cut undoes the removal, the old meta describes no existing file.
        try? source.sync()
        return moved
    }

    private func adoptPart(of url: String, at path: String?) throws(SessionError) -> PartFile.Adopted? {
        let hasChecksum = checksum != nil
        if let path {
            guard access(path, F_OK) == 0 else { return nil }
            if let known = try PartFile.adopt(path: path, url: url, hasChecksum: hasChecksum) { return known }
            // It may be of the link's earlier signature, which is not stored.
        }
        guard let source = try? Folder(path: folder, creating: false) else { return nil }
        return try PartFile.adopt(in: source, url: url, name: name, hasChecksum: hasChecksum)
    }
}

extension PartFile {
    /// Returns the file's name and the folder at a target.
    fileprivate func place(for target: DownloadTarget) throws(SessionError) -> (String, Folder) {
        do throws(SessionError) {
            let name =
                switch target.name {
                case .fixed(let name): try FileNames.fixed(name)
                case .automatic: finalName
                }
            return (name, try Folder(path: target.folder))
        } catch {
            try? putOutOfHand(durably: false)
            throw error
        }
    }

    /// Moves an adopted part, with its own meta, to the name that a download of a URL to a folder looks for; returns
    /// false if it already has that name.
    ///
    /// The old meta first records the new path, and stays: see ``bringBack(_:as:to:)``.
    fileprivate func move(to target: Folder, url: String, finalName: String) throws(SessionError) -> Bool {
        guard let metadata, let digest = try? PartMeta.digest(ofURL: url) else { return false }
        if target.identity == folder.identity, finalName == self.finalName, digest == urlDigest {
            try putOutOfHand(durably: true)
            return false
        }
        let newName: String
        do throws(SessionError) {
            newName = try rename(into: target, url: url, finalName: finalName)
        } catch {
            state.withLock { $0.movedTo = nil }
            recordAppearance()
            try? putOutOfHand(durably: false)
            throw error
        }
        recordAppearance()
        recordLast()
        var moved = State(metadata: metadata, syncedOffset: syncedOffset, metaIsWritten: false)
        moved.metadata?.isFromAnotherURL = metadata.isFromAnotherURL || digest != urlDigest
        moved.metadata?.url = url
        moved.isPromised = true
        moved.movedFrom = PartMove(from: try Self.absolute(path))
        moved.sparse = state.withLock(\.sparse)
        moved.watch.isTouched = state.withLock(\.watch.isTouched)
        // The lock belongs to the open file, which both descriptors share.
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { throw goingBack(after: failure(errno, FileErrors.move), from: newName, in: target) }
        let part = PartFile(
            folder: target, name: newName, finalName: finalName, urlDigest: digest, identity: identity,
            descriptor: copy, state: moved)
        part.recordAppearance()
        do throws(SessionError) {
            try part.putOutOfHand(durably: true)
            try target.sync()
        } catch {
            throw goingBack(after: error, from: newName, in: target)
        }
        part.close()
        return true
    }

    /// Gives the file its old name again, where its meta is; returns the error.
    private func goingBack(after error: SessionError, from newName: String, in target: Folder) -> SessionError {
        unlinkat(target.descriptor, newName + FileNames.metaSuffix, 0)
        _ = cl_rename_at(target.descriptor, newName, folder.descriptor, name, false)
        state.withLock { $0.movedTo = nil }
        recordAppearance()
        try? putOutOfHand(durably: false)
        return error
    }

    /// Gives the file the first free name that a download would look for, and returns it.
    private func rename(into target: Folder, url: String, finalName: String) throws(SessionError) -> String {
        for generation in 0..<Self.adoptionLimit {
            let identifier = FileNames.identifier(url: url, name: finalName, generation: generation)
            let newName = FileNames.partName(finalName, identifier: identifier)
            guard target.status(newName) == nil, target.status(newName + FileNames.metaSuffix) == nil else { continue }
            let newPath = try Self.absolute(target.path(of: newName))
            state.withLock { $0.movedTo = newPath }
            try saveMeta(durably: true, isOpen: true)
            // A rename also changes the file's change time.
            if !folder.isRemote { try announceChange(to: try size()) }
            let result = cl_rename_at(folder.descriptor, name, target.descriptor, newName, false)
            if result == 0 { return newName }
            if result > 0 {
                // The file has the new name, but the old one was not removed.
                folder.remove(name, ifIdentity: identity)
                return newName
            }
            if errno == EEXIST { continue }
            if errno == EXDEV {
                throw SessionError(
                    .storage, StorageErrors.otherFileSystem(target.path), errno: EXDEV, partPath: path)
            }
            throw failure(errno, FileErrors.move)
        }
        throw SessionError(.partInUse, StorageErrors.tooManyParts(target.path))
    }

    /// Returns the absolute path, which a later run in another working directory can use too.
    private static func absolute(_ path: String) throws(SessionError) -> String {
        guard !path.hasPrefix("/") else { return path }
        guard let current = getcwd(nil, 0) else { throw SystemError.error(errno, FileErrors.find, path: path) }
        defer { free(current) }
        return String(cString: current) + "/" + path
    }

    /// Removes the meta at the old place of a part whose mover ended before it could do that.
    ///
    /// The mover itself may still wait until its new place is recorded.
    static func confirmMove(_ meta: PartMeta, to path: String) {
        guard let move = meta.movedFrom, !move.isOfThisProcess, let slash = move.path.lastIndex(of: "/"),
            let old = try? Folder(
                path: slash == move.path.startIndex ? "/" : String(move.path[..<slash]), creating: false)
        else { return }
        let name = String(move.path[move.path.index(after: slash)...])
        guard old.status(name) == nil, let left = readMeta(name + FileNames.metaSuffix, in: old),
            left.identity.inode == meta.identity.inode, left.movedTo == (try? absolute(path))
        else { return }
        unlinkat(old.descriptor, name + FileNames.metaSuffix, 0)
    }

    /// Gives a part its old name again after a process moved it and ended before the move was confirmed.
    ///
    /// The new folder's meta counts, because a download may have written more of the part there. Returns false if the
    /// part is missing or in use there.
    static func bringBack(_ meta: PartMeta, as name: String, to folder: Folder) -> Bool {
        guard let path = meta.movedTo, let slash = path.lastIndex(of: "/"),
            let source = try? Folder(path: path[..<slash].isEmpty ? "/" : String(path[..<slash]), creating: false)
        else { return false }
        let newName = String(path[path.index(after: slash)...])
        let file = source.open(newName, flags: O_RDWR)
        guard file >= 0 else { return false }
        guard let status = FileStatus(descriptor: file), isOurs(status, meta: meta), cl_lock_exclusive(file) == 0,
            source.status(newName)?.identity == status.identity
        else {
            _ = cl_close_unlocked(file)
            return false
        }
        let there = readMeta(newName + FileNames.metaSuffix, in: source)
        let last = there?.identity.inode == meta.identity.inode ? there ?? meta : meta
        let trust = PartTrust(status, meta: last, hasChecksum: false, boot: SystemTime.boot)
        var state = State(metadata: last.resource, syncedOffset: last.syncedOffset, metaIsWritten: true)
        state.isPromised = true
        state.sparse = last.ranges
        state.watch.isTouched = trust.isTouched
        let part = PartFile(
            folder: folder, name: name, finalName: meta.finalName, urlDigest: meta.urlDigest,
            identity: status.identity, descriptor: file, state: state)
        defer { part.close() }
        guard cl_rename_at(source.descriptor, newName, folder.descriptor, name, false) == 0 else { return false }
        part.recordAppearance()
        guard (try? part.putOutOfHand(durably: true)) != nil else { return false }
        unlinkat(source.descriptor, newName + FileNames.metaSuffix, 0)
        // The move may have ended while it wrote that meta.
        removeMeta(newName + FileNames.temporaryMetaSuffix, in: source)
        return true
    }
}

/// The place that a part was moved from, and the process that moved it.
struct PartMove: Sendable, Equatable {
    /// The part's absolute path before the move.
    let path: String
    private let mover: String

    /// Names one process among all that may have moved a part.
    private static let thisProcess = String(UInt64.random(in: .min ... .max), radix: 16)

    init(from path: String) { (self.path, mover) = (path, Self.thisProcess) }

    init?(_ text: String) {
        let parts = text.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[1].hasPrefix("/") else { return nil }
        (mover, path) = (String(parts[0]), String(parts[1]))
    }

    var text: String { mover + " " + path }
    var isOfThisProcess: Bool { mover == Self.thisProcess }
}
