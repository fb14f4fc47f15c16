import CLinux
import Glibc
import SessionSupport

extension PartFile {
    /// Writes the meta from the facts and the synced offset.
    ///
    /// A reader sees the old one or the new one, never a mixture. A part that was closed gets none: it may have been set
    /// aside.
    /// - Parameters:
    ///   - durably: syncs it before it replaces the old one.
    ///   - isOpen: true if the part is being written, so that the meta takes records from now on.
    func saveMeta(durably: Bool, isOpen: Bool) throws(SessionError) {
        let (metadata, syncedOffset, watch, isPromised, moves, sparse) = state.withLock { state in
            (
                state.metadata, state.syncedOffset, state.watch, state.isPromised, (state.movedTo, state.movedFrom),
                state.sparse
            )
        }
        guard let metadata, state.withLock(\.isOpen) else { return }
        var meta = PartMeta(
            resource: metadata, finalName: finalName, urlDigest: urlDigest, identity: identity,
            syncedOffset: syncedOffset,
            bootIdentifier: BootIdentifier.current, record: watch.isTouched ? nil : watch.record, isOpen: isOpen,
            isPromised: isPromised)
        (meta.movedTo, meta.movedFrom) = moves
        meta.ranges = sparse
        meta.resourceDigest = PartMeta.digest(ofResource: metadata.url)
        let temporary = name + FileNames.temporaryMetaSuffix
        let file = try createTemporary(temporary)
        let text = meta.encoded()
        guard writeAll(text, to: file), !durably || fdatasync(file) == 0,
            folder.rename(temporary, to: metaName, replacing: true) == 0
        else {
            let error = failure(errno, FileErrors.saveMeta)
            unlinkat(folder.descriptor, temporary, 0)
            Glibc.close(file)
            throw error
        }
        closeRecord()
        state.withLock { state in
            state.metaIsWritten = true
            state.watch.lineOffset = off_t(text.count)
            if isOpen { state.watch.meta = file }
        }
        if !isOpen { Glibc.close(file) }
        folder.rememberMeta(metaName)
    }

    /// Removes the meta, if this part has one and it describes this part.
    func removeMeta() {
        guard state.withLock(\.metaIsWritten) else { return }
        guard let meta = Self.readMeta(metaName, in: folder), meta.identity.inode == identity.inode else { return }
        unlinkat(folder.descriptor, metaName, 0)
        state.withLock { $0.metaIsWritten = false }
    }

    /// Removes the metas of a part that became a file when its run ended before it could.
    static func removeMetas(describing inode: UInt64, in folder: Folder) {
        guard let names = try? folder.names() else { return }
        let suffix = ".part" + FileNames.metaSuffix
        for name in names where name.hasSuffix(suffix) && readMeta(name, in: folder)?.identity.inode == inode {
            unlinkat(folder.descriptor, name, 0)
        }
    }

    /// Removes a file at a meta's name, if it is one.
    static func removeMeta(_ name: String, in folder: Folder) {
        if isMeta(name, in: folder) { unlinkat(folder.descriptor, name, 0) }
    }

    /// Returns whether a part of a name may have its meta: another program's file under that name stays.
    static func mayHaveMeta(_ name: String, in folder: Folder) -> Bool {
        [FileNames.metaSuffix, FileNames.temporaryMetaSuffix].allSatisfy { suffix in
            guard let status = folder.status(name + suffix) else { return true }
            return status.kind != .regular || isMeta(name + suffix, in: folder)
        }
    }

    /// Returns whether a file is a meta, even a damaged one: it begins like one, or a power cut has zeroed or cut its
    /// beginning.
    static func isMeta(_ name: String, in folder: Folder) -> Bool {
        let file = folder.open(name, flags: O_RDONLY)
        guard file >= 0 else { return false }
        defer { Glibc.close(file) }
        guard let status = FileStatus(descriptor: file), status.kind == .regular, status.owner == geteuid(),
            let bytes = try? SmallFile.read(file, limit: 32, path: folder.path(of: name))
        else { return false }
        let mark = PartMeta.mark.utf8
        return bytes.allSatisfy { $0 == 0 } || bytes.starts(with: mark) || mark.starts(with: bytes)
    }

    /// Removes the metas of runs that were killed between naming a file and removing its meta.
    static func removeOrphanedMetas(in folder: Folder, url: String, name: DownloadTarget.Name) {
        guard let names = try? candidates(in: folder, url: url, name: name) else { return }
        for meta in names where folder.status(String(meta.dropLast(FileNames.metaSuffix.count))) == nil {
            guard errno == ENOENT, let found = readMeta(meta, in: folder), found.movedTo == nil else { continue }
            unlinkat(folder.descriptor, meta, 0)
        }
    }

    /// Reads the meta at a name; nil for a missing or damaged one.
    static func readMeta(_ name: String, in folder: Folder) -> PartMeta? {
        let file = folder.open(name, flags: O_RDONLY)
        guard file >= 0 else { return nil }
        defer { Glibc.close(file) }
        guard let status = FileStatus(descriptor: file), status.kind == .regular, status.owner == geteuid(),
            status.size <= Int64(PartMeta.sizeLimit),
            let bytes = try? SmallFile.read(file, limit: PartMeta.sizeLimit, path: folder.path(of: name))
        else { return nil }
        return PartMeta(decoding: bytes)
    }

    /// Creates the temporary file; one left by an earlier run is ours, because we have locked its part.
    private func createTemporary(_ temporary: String) throws(SessionError) -> Int32 {
        let flags = O_WRONLY | O_CREAT | O_EXCL
        var file = folder.open(temporary, flags: flags, mode: FileMode.part)
        if file < 0, errno == EEXIST, Self.isMeta(temporary, in: folder), unlinkat(folder.descriptor, temporary, 0) == 0
        {
            file = folder.open(temporary, flags: flags, mode: FileMode.part)
        }
        guard file >= 0 else { throw failure(errno, FileErrors.saveMeta) }
        return file
    }

    private func writeAll(_ bytes: [UInt8], to file: Int32) -> Bool {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { buffer -> Int in
                guard let base = buffer.baseAddress else { return 0 }
                return Glibc.write(file, base + written, buffer.count - written)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            written += count
        }
        return true
    }
}

extension PartFile {
    /// Returns the digest of the full part as read back.
    func digest(_ algorithm: Checksum.Algorithm) throws(SessionError) -> [UInt8] {
        let digest = try Digest(algorithm)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)
        defer { buffer.deallocate() }
        var offset: Int64 = 0
        while true {
            let count = pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw failure(errno, FileErrors.read) }
            guard count > 0 else { return try digest.finalValue() }
            try digest.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            offset += Int64(count)
        }
    }

    /// Removes the part that an earlier try of the same download set aside; called once a part has the right checksum,
    /// so that no data is lost.
    ///
    /// A file that is not a regular one of this user stays, as does one that the system does not remove.
    func removeSetAside() {
        let aside = name + FileNames.quarantineSuffix
        if Self.isSetAside(aside, in: folder) { _ = unlinkat(folder.descriptor, aside, 0) }
    }

    /// Returns whether a file is a part that was set aside.
    private static func isSetAside(_ name: String, in folder: Folder) -> Bool {
        let file = folder.open(name, flags: O_RDONLY)
        guard file >= 0 else { return false }
        defer { Glibc.close(file) }
        guard let status = FileStatus(descriptor: file), status.kind == .regular, status.owner == geteuid(),
            status.links == 1
        else { return false }
        return FileMark.isOurs(file, orUnknown: true)
    }

    /// Sets the part aside under a name that no run resumes, and closes it; a try with the right checksum takes it
    /// back, see ``readmit(in:url:name:checksum:)``.
    ///
    /// Returns its new path.
    func quarantine() -> String {
        let aside = name + FileNames.quarantineSuffix
        removeMeta()
        let isFree = folder.status(aside) == nil || Self.isSetAside(aside, in: folder)
        let moved =
            isFree && folder.status(name)?.identity == identity
            && folder.rename(name, to: aside, replacing: true) == 0
        if moved { folder.rememberMeta(aside) }
        close()
        return folder.path(of: moved ? aside : name)
    }
}
