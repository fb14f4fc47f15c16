import CLinux
import Glibc

/// Moves a staged file to its destination, for downloads that ask for it at the end.
enum FileMover {
    /// Moves a file without replacing an existing one.
    ///
    /// Within a file system this is one rename. To another one the bytes are copied to a hidden file next to the
    /// destination, synced and renamed, so that half a file is never visible; then the source is removed. Throws
    /// `destinationExists`, `destinationIsFolder`, `notFound`, `permission`, `diskFull` and the system's other errors;
    /// the source stays, and no folder that was made for it.
    /// - Parameters:
    ///   - creatingFolders: whether missing folders of the destination are made.
    ///   - beforeNaming: called with the file right before it gets its name.
    static func move(
        from source: String, to destination: String, creatingFolders: Bool = false,
        beforeNaming: Finisher.NamingObserver = { _ in }
    ) throws(SessionError) {
        let (from, sourceName) = try locate(source)
        let (to, name) = try locate(destination, creatingFolders: creatingFolders)
        do throws(SessionError) {
            try move(sourceName, in: from, to: name, in: to, beforeNaming)
        } catch {
            to.removeIfMade()
            throw error
        }
    }

    /// Does the same between folders.
    static func move(
        _ sourceName: String, in from: Folder, to name: String, in to: Folder, _ beforeNaming: Finisher.NamingObserver
    ) throws(SessionError) {
        if let status = to.status(name) {
            try DestinationCheck.checkReplaceable(status, name, in: to)
            throw DestinationCheck.exists(name, in: to)
        }
        if from.identity.device == to.identity.device, let identity = from.status(sourceName)?.identity {
            beforeNaming(StoredTransfer.FinishingFile(to.path(of: name), identity))
        }
        let moved = cl_rename_at(from.descriptor, sourceName, to.descriptor, name, false)
        if moved < 0 {
            guard errno == EXDEV else { throw failure(errno, to, name) }
            return try copy(sourceName, in: from, to: name, in: to, beforeNaming)
        }
        if moved > 0, let identity = to.status(name)?.identity {
            // The file has arrived; as after a copy, a source that stays is not a failure.
            from.remove(sourceName, ifIdentity: identity)
        }
        do throws(SessionError) {
            try to.sync()
        } catch {
            let isBack = cl_rename_at(to.descriptor, name, from.descriptor, sourceName, false) >= 0
            throw isBack ? error : error.naming(to.placedPath(of: name))
        }
    }

    private static func locate(
        _ path: String, creatingFolders: Bool = false
    ) throws(SessionError) -> (Folder, String) {
        let slash = path.lastIndex(of: "/")
        let name = slash.map { String(path[path.index(after: $0)...]) } ?? path
        guard Folder.isComponent(name) else {
            throw SessionError(.invalidRequest, StorageErrors.noFileName(path))
        }
        let folder = slash.map { path[..<$0].isEmpty ? "/" : String(path[..<$0]) } ?? "."
        return (try Folder(path: folder, creating: creatingFolders), name)
    }

    private static func copy(
        _ sourceName: String, in from: Folder, to name: String, in to: Folder, _ beforeNaming: Finisher.NamingObserver
    ) throws(SessionError) {
        let source = from.open(sourceName, flags: O_RDONLY)
        guard source >= 0 else { throw failure(errno, from, sourceName) }
        defer { Glibc.close(source) }
        guard let status = FileStatus(descriptor: source), status.kind == .regular else {
            throw SessionError(.storage, StorageErrors.notRegular(from.path(of: sourceName)))
        }
        let part = try PartFile.create(
            in: to, url: from.path(of: sourceName), name: .fixed(name), finalName: name, metadata: nil)
        do throws(SessionError) {
            try copyBytes(from: source, to: part, path: from.path(of: sourceName))
            _ = try Finisher.finish(
                part, finalName: name, collision: .fail, expectedLength: status.size, checksum: nil,
                beforeNaming: beforeNaming)
        } catch {
            throw part.discard(after: error)
        }
        keepFacts(of: source, status, at: name, part.identity, in: to)
        from.remove(sourceName, ifIdentity: status.identity)
    }

    /// Gives a copy the mode, the time and the validator of its source, as a rename would; best effort.
    private static func keepFacts(
        of source: Int32, _ status: FileStatus, at name: String, _ identity: FileStatus.Identity, in folder: Folder
    ) {
        let copy = folder.open(name, flags: O_RDONLY)
        guard copy >= 0 else { return }
        defer { Glibc.close(copy) }
        guard FileStatus(descriptor: copy)?.identity == identity else { return }
        _ = fchmod(copy, status.mode & 0o777)
        if let text = FileMark.text(of: source) { FileMark.set(Array(text.utf8), on: copy) }
        let (seconds, rest) = status.modified.quotientAndRemainder(dividingBy: 1_000_000_000)
        let time = timespec(tv_sec: Int(seconds), tv_nsec: Int(rest))
        if rest >= 0 { _ = futimens(copy, [timespec(tv_sec: 0, tv_nsec: cl_time_omitted()), time]) }
    }

    private static func copyBytes(from source: Int32, to part: PartFile, path: String) throws(SessionError) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)
        defer { buffer.deallocate() }
        var offset: Int64 = 0
        while true {
            let count = read(source, buffer.baseAddress, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw SystemError.error(errno, FileErrors.read, path: path) }
            guard count > 0 else { return }
            try part.write(UnsafeRawBufferPointer(rebasing: buffer[..<count]), at: offset)
            offset += Int64(count)
        }
    }

    private static func failure(_ number: Int32, _ folder: Folder, _ name: String) -> SessionError {
        SystemError.error(number, FileErrors.moveTo, path: folder.path(of: name))
    }
}

extension DownloadTarget {
    /// Moves a finished file without replacing an existing one; missing folders are made.
    ///
    /// To another file system the bytes are copied, synced and renamed, so that half a file is never visible. Blocks
    /// during that. Throws `destinationExists`, `destinationIsFolder`, `notFound`, `permission`, `diskFull` and the
    /// system's other errors; the file then stays at its old path.
    package static func moveFile(at path: String, to destination: String) throws(SessionError) {
        try FileMover.move(from: path, to: destination, creatingFolders: true)
    }
}
