import CLinux
import Glibc
import SessionSupport

extension PartFile {
    /// A part of an earlier run, locked and cut to its trusted bytes.
    struct Adopted: Sendable {
        var part: PartFile
        /// The metadata of its response, with the URL requested now.
        var metadata: StoredMetadata
        /// The trusted bytes from the beginning; the file is cut after the last trusted range.
        var validLength: Int64
        /// Trusted ranges further on, if several connections have written the part.
        var beyond: [Range<Int64>] = []
        var byteCount: Int64 { PartRanges(contiguousEnd: validLength, beyond: beyond).byteCount }
        /// A sentence about discarded bytes; nil for none.
        var loss: String?
    }

    /// Finds the part that an earlier run left for the same URL and name.
    ///
    /// It must be a plain file of this user with one link, the file that its meta describes, and not in use. After a
    /// crash of the process its size counts; after one of the machine only the synced bytes. After a foreign change no
    /// byte counts, unless a checksum will prove it in the end: see ``PartTrust``. Of several generations the longest
    /// is taken; bytes of another URL give way to a different file of this one. The others are removed, except the ones
    /// that a caller was given for a later resume: two tasks may have the same URL and name.
    /// - Returns: nil if no trusted part exists.
    /// - Throws: `partInUse` when the only one is used by another transfer, in this or another process.
    static func adopt(
        in folder: Folder, url: String, name: DownloadTarget.Name, hasChecksum: Bool = false
    ) throws(SessionError) -> Adopted? {
        let names = try candidates(in: folder, url: url, name: name)
        guard !names.isEmpty else { return nil }
        if let found = try best(of: names, in: folder, url: url, hasChecksum: hasChecksum) { return found }
        return try relinked(names, in: folder, url: url, hasChecksum: hasChecksum)
    }

    /// Returns the part of this URL that is worth most; other generations are removed, or left as they are.
    private static func best(
        of names: [String], in folder: Folder, url: String, hasChecksum: Bool
    ) throws(SessionError) -> Adopted? {
        var best: Adopted?
        var refusal: SessionError?
        let digest = try PartMeta.digest(ofURL: url)
        for metaName in names {
            do throws(SessionError) {
                guard let meta = readMeta(metaName, in: folder), meta.urlDigest == digest,
                    let found = try adopt(
                        metaName, meta, in: folder, url: url, hasChecksum: hasChecksum,
                        keepsPromise: names.count > 1)
                else { continue }
                guard let earlier = best else {
                    best = found
                    continue
                }
                let isBetter = found.metadata.isWorthMore(found.byteCount, than: earlier.metadata, earlier.byteCount)
                let (kept, dropped) = isBetter ? (found, earlier) : (earlier, found)
                dropped.part.leave(isWorthless: dropped.metadata.isRefuted(by: kept.metadata))
                best = kept
            } catch {
                refusal = error
            }
        }
        if best == nil, let refusal { throw refusal }
        best?.part.takePromise()
        return best
    }

    /// Returns the longest part of a link to the same file with another signature; other parts stay as they are, but
    /// empty ones are removed.
    ///
    /// An apparent signature may in fact name the file. So a part that is in use or shorter stays, and a complete one
    /// loses its last byte, which forces a request for proof.
    private static func relinked(
        _ names: [String], in folder: Folder, url: String, hasChecksum: Bool
    ) throws(SessionError) -> Adopted? {
        var found: [(name: String, meta: PartMeta, length: Int64)] = []
        for name in names {
            guard let meta = readMeta(name, in: folder), try meta.isRelinked(by: url) else { continue }
            found.append((name, meta, keptBytes(name, meta, in: folder, hasChecksum: hasChecksum)))
        }
        for part in found where part.length == 0 { removeEmpty(part.name, part.meta, in: folder) }
        for part in found.sorted(by: { $0.length > $1.length }) where part.length > 0 {
            do throws(SessionError) {
                let adopted = try adopt(part.name, part.meta, in: folder, url: url, hasChecksum: hasChecksum)
                guard var adopted else { continue }
                if let length = adopted.metadata.length, length > 0, adopted.validLength >= length {
                    adopted.validLength = length - 1
                    try adopted.part.truncate(to: adopted.validLength)
                }
                return adopted
            } catch {
                guard error.code == .partInUse else { throw error }
            }
        }
        return nil
    }

    /// Removes a part without a byte, and the space that a killed run has reserved for it; one in use stays.
    private static func removeEmpty(_ metaName: String, _ meta: PartMeta, in folder: Folder) {
        let name = String(metaName.dropLast(FileNames.metaSuffix.count))
        guard folder.status(name)?.size == 0 else { return }
        let file = folder.open(name, flags: O_RDWR)
        guard file >= 0 else { return }
        defer { _ = cl_close_unlocked(file) }
        // It may have got bytes, or its file another name, before the lock.
        guard cl_lock_exclusive(file) == 0, let status = FileStatus(descriptor: file), status.size == 0,
            isOurs(status, meta: meta), folder.status(name)?.identity == status.identity
        else { return }
        for suffix in [FileNames.metaSuffix, FileNames.temporaryMetaSuffix] { removeMeta(name + suffix, in: folder) }
        unlinkat(folder.descriptor, name, 0)
    }

    /// Adopts the part at a path, as named by resume data.
    ///
    /// Nil when it is gone or cannot be trusted.
    static func adopt(path: String, url: String, hasChecksum: Bool = false) throws(SessionError) -> Adopted? {
        guard let slash = path.lastIndex(of: "/") else { return nil }
        let folder = try Folder(path: path[..<slash].isEmpty ? "/" : String(path[..<slash]), creating: false)
        let metaName = String(path[path.index(after: slash)...]) + FileNames.metaSuffix
        guard let meta = readMeta(metaName, in: folder), meta.urlDigest == (try PartMeta.digest(ofURL: url)) else {
            return nil
        }
        return try adopt(metaName, meta, in: folder, url: url, hasChecksum: hasChecksum)
    }

    /// Returns the names of metas that may belong to a download.
    ///
    /// A name chosen by the server is not known beforehand, so its parts are found by the identifier in their names.
    static func candidates(
        in folder: Folder, url: String, name: DownloadTarget.Name
    ) throws(SessionError) -> [String] {
        let key = keyName(name, url: url)
        let identifiers = FileNames.identifiers(url: url, name: key, count: adoptionLimit)
        switch name {
        case .fixed:
            let possible = identifiers.map { FileNames.partName(key, identifier: $0) + FileNames.metaSuffix }
            return folder.existingMetas(possible, identifiers)
        case .automatic:
            return try folder.partMetas(identifiers)
        }
    }

    /// - Parameter keepsPromise: false if the caller owns the part from now on.
    private static func adopt(
        _ metaName: String, _ meta: PartMeta, in folder: Folder, url: String, hasChecksum: Bool,
        keepsPromise: Bool = true
    ) throws(SessionError) -> Adopted? {
        let partName = String(metaName.dropLast(FileNames.metaSuffix.count))
        let file = folder.open(partName, flags: O_RDWR)
        guard file >= 0 else {
            guard errno == ENOENT else { return nil }
            if bringBack(meta, as: partName, to: folder), let meta = readMeta(metaName, in: folder) {
                return try adopt(
                    metaName, meta, in: folder, url: url, hasChecksum: hasChecksum, keepsPromise: keepsPromise)
            }
            // The part was renamed or removed, but its run ended before it removed the meta.
            unlinkat(folder.descriptor, metaName, 0)
            return nil
        }
        var metadata = meta.resource
        metadata.url = url
        let part = PartFile(
            folder: folder, name: partName, finalName: meta.finalName, urlDigest: try PartMeta.digest(ofURL: url),
            identity: FileStatus(descriptor: file)?.identity ?? meta.identity, descriptor: file,
            state: State(metadata: metadata, syncedOffset: meta.syncedOffset, metaIsWritten: true))
        guard let status = FileStatus(descriptor: file), isOurs(status, meta: meta) else {
            part.close()
            return nil
        }
        // On a file system without locks, the part's record reveals other writers.
        guard cl_lock_exclusive(file) == 0 || [ENOLCK, EOPNOTSUPP, ENOSYS, EINVAL].contains(errno) else {
            part.close()
            let message = StorageErrors.partInUse(part.path)
            throw SessionError(.partInUse, message, errno: errno, partPath: part.path)
        }
        if hasChecksum { part.acceptChanges() }
        if let move = meta.movedFrom {
            if move.isOfThisProcess {
                part.state.withLock { $0.movedFrom = move }
            } else {
                confirmMove(meta, to: part.path)
            }
        }
        return try part.trusted(meta, hasChecksum: hasChecksum, keepsPromise: keepsPromise)
    }

    /// Returns whether a file is the part that a meta describes; the device number may change with a reboot, the inode
    /// does not.
    static func isOurs(_ status: FileStatus, meta: PartMeta) -> Bool {
        status.kind == .regular && status.links == 1 && status.owner == geteuid()
            && status.identity.inode == meta.identity.inode
            && (status.identity.device == meta.identity.device || meta.bootIdentifier != BootIdentifier.current)
    }

    /// Returns whether an open file under a part's name is a part: by its mark, or by a meta that describes it.
    static func isOurs(_ file: Int32, _ status: FileStatus, _ name: String, in folder: Folder) -> Bool {
        FileMark.isOurs(file, orUnknown: true)
            || readMeta(name + FileNames.metaSuffix, in: folder).map { isOurs(status, meta: $0) } ?? false
    }

    /// Checks again under the lock, because another process may have changed or finished the part before; cuts off
    /// untrusted bytes and opens the part for writing.
    private func trusted(
        _ earlier: PartMeta, hasChecksum: Bool, keepsPromise: Bool
    ) throws(SessionError) -> Adopted? {
        guard let meta = Self.readMeta(metaName, in: folder), let status = FileStatus(descriptor: descriptor),
            folder.status(name)?.identity == status.identity, Self.isOurs(status, meta: meta),
            meta.urlDigest == earlier.urlDigest
        else {
            close()
            return nil
        }
        let trust = PartTrust(status, meta: meta, hasChecksum: hasChecksum, boot: SystemTime.boot)
        do throws(SessionError) {
            var metadata = meta.resource
            metadata.url = self.metadata?.url ?? metadata.url
            state.withLock { state in
                state.metadata = metadata
                state.syncedOffset = min(meta.syncedOffset, trust.length)
                state.isPromised = meta.isPromised && keepsPromise
                state.watch.isTouched = trust.isTouched && trust.length > 0
                state.sparse = trust.ranges.beyond.isEmpty ? nil : trust.ranges
            }
            if trust.ranges.end < status.size { try truncate(to: trust.ranges.end) }
            if trust.isUnsynced {
                // After a power cut the new meta, which names these bytes, would be believed, so they are synced first.
                try flushData(.system)
                state.withLock { $0.syncedOffset = trust.length }
            }
            recordAppearance()
            try saveMeta(durably: syncedOffset > 0, isOpen: true)
            let loss = trust.isTouched && trust.ranges.end < status.size ? PartTrust.reason : nil
            return Adopted(
                part: self, metadata: metadata, validLength: trust.length, beyond: trust.beyond ?? [], loss: loss)
        } catch {
            close()
            throw error
        }
    }
}
