import CLinux
import Glibc
import SessionSupport

extension PartFile {
    /// A part of an earlier run, locked and cut to what can be trusted.
    struct Adopted: Sendable {
        var part: PartFile
        /// What is known of the answer it comes from, with the URL that was asked for now.
        var facts: StoredFacts
        /// How many bytes of the part count; everything behind them was cut off.
        var validLength: Int64
        /// Ranges further on that count, too, where several connections have written the part.
        var beyond: [Range<Int64>] = []
        /// Bytes that count.
        var byteCount: Int64 { PartRanges(front: validLength, beyond: beyond).byteCount }
        /// Why bytes were given up that were there, as a sentence.
        var loss: String?
    }

    /// Finds the part that an earlier run left for the same URL and name.
    ///
    /// It must be a plain file of this user with one name, the very file its meta describes, and nobody else may hold
    /// it. After a crash of the process its size counts; after one of the machine only what was synced. Nothing of it
    /// counts when somebody else has changed it, unless a checksum is to prove it in the end: see ``PartTrust``. Of
    /// several generations the longest is taken and the others are removed.
    /// - Returns: nil when there is none that can be trusted.
    /// - Throws: `partInUse` when the only one is held by another transfer, here or in another process.
    static func adopt(
        in folder: Folder, url: String, name: DownloadTarget.Name, hasChecksum: Bool = false
    ) throws(SessionError) -> Adopted? {
        let names = try candidates(in: folder, url: url, name: name)
        guard !names.isEmpty else { return nil }
        if let found = try longest(of: names, in: folder, url: url, hasChecksum: hasChecksum) { return found }
        return try relinked(names, in: folder, url: url, hasChecksum: hasChecksum)
    }

    /// The longest of the parts of this very URL; shorter generations of it are removed.
    private static func longest(
        of names: [String], in folder: Folder, url: String, hasChecksum: Bool
    ) throws(SessionError) -> Adopted? {
        var best: Adopted?
        var refusal: SessionError?
        let digest = try PartMeta.digest(ofURL: url)
        for metaName in names {
            do throws(SessionError) {
                guard let meta = readMeta(metaName, in: folder), meta.urlDigest == digest,
                    let found = try adopt(metaName, meta, in: folder, url: url, hasChecksum: hasChecksum)
                else { continue }
                guard let earlier = best else {
                    best = found
                    continue
                }
                let (kept, dropped) = found.byteCount > earlier.byteCount ? (found, earlier) : (earlier, found)
                dropped.part.discard()
                best = kept
            } catch {
                refusal = error
            }
        }
        if best == nil, let refusal { throw refusal }
        return best
    }

    /// The longest part of a link to the same file that was signed at another time; others stay as they are.
    ///
    /// What looks like a signature may be what names the file: so a part that is held or shorter is left to whoever made
    /// it, and one that is whole lacks its last byte, so that the server is asked for proof in any case.
    private static func relinked(
        _ names: [String], in folder: Folder, url: String, hasChecksum: Bool
    ) throws(SessionError) -> Adopted? {
        var found: [(name: String, meta: PartMeta, length: Int64)] = []
        for name in names {
            guard let meta = readMeta(name, in: folder), try meta.isRelinked(by: url) else { continue }
            found.append((name, meta, keptBytes(name, meta, in: folder, hasChecksum: hasChecksum)))
        }
        for part in found.sorted(by: { $0.length > $1.length }) where part.length > 0 {
            do throws(SessionError) {
                let adopted = try adopt(part.name, part.meta, in: folder, url: url, hasChecksum: hasChecksum)
                guard var adopted else { continue }
                if let length = adopted.facts.length, length > 0, adopted.validLength >= length {
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

    /// Adopts the part at a path, as resume data names it.
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

    /// Names of metas that may belong to a download.
    ///
    /// A name that the server chose is not known beforehand, so its parts are found by the identifier in their names.
    static func candidates(
        in folder: Folder, url: String, name: DownloadTarget.Name
    ) throws(SessionError) -> [String] {
        let key = keyName(name, url: url)
        let identifiers = FileNames.identifiers(url: url, name: key, count: adoptionLimit)
        switch name {
        case .fixed:
            return identifiers.map { FileNames.partName(key, identifier: $0) + FileNames.metaSuffix }
        case .automatic:
            return try folder.partMetas(identifiers)
        }
    }

    private static func adopt(
        _ metaName: String, _ meta: PartMeta, in folder: Folder, url: String, hasChecksum: Bool
    ) throws(SessionError) -> Adopted? {
        let partName = String(metaName.dropLast(FileNames.metaSuffix.count))
        let file = folder.open(partName, flags: O_RDWR)
        guard file >= 0 else {
            guard errno == ENOENT else { return nil }
            if bringBack(meta, as: partName, to: folder), let meta = readMeta(metaName, in: folder) {
                return try adopt(metaName, meta, in: folder, url: url, hasChecksum: hasChecksum)
            }
            // The part was renamed or removed, and its run ended before the meta was.
            unlinkat(folder.descriptor, metaName, 0)
            return nil
        }
        var facts = meta.facts
        facts.url = url
        let part = PartFile(
            folder: folder, name: partName, finalName: meta.finalName, urlDigest: try PartMeta.digest(ofURL: url),
            identity: FileStatus(descriptor: file)?.identity ?? meta.identity, descriptor: file,
            state: State(facts: facts, syncedOffset: meta.syncedOffset, metaIsWritten: true))
        guard let status = FileStatus(descriptor: file), isOurs(status, meta: meta) else {
            part.close()
            return nil
        }
        // Without locks the part's own record tells when somebody else writes to it.
        guard cl_lock_exclusive(file) == 0 || [ENOLCK, EOPNOTSUPP, ENOSYS, EINVAL].contains(errno) else {
            part.close()
            let message = StorageErrors.partInUse(part.path)
            throw SessionError(.partInUse, message, errno: errno, partPath: part.path)
        }
        if hasChecksum { part.acceptChanges() }
        return try part.trusted(meta, hasChecksum: hasChecksum)
    }

    /// Device numbers may change when the machine starts again; the inode does not.
    static func isOurs(_ status: FileStatus, meta: PartMeta) -> Bool {
        status.kind == .regular && status.links == 1 && status.owner == geteuid()
            && status.identity.inode == meta.identity.inode
            && (status.identity.device == meta.identity.device || meta.bootIdentifier != BootIdentifier.current)
    }

    /// Whether an open file under a part's name is a part: by its mark, or by a meta that describes this very file.
    static func isOurs(_ file: Int32, _ status: FileStatus, _ name: String, in folder: Folder) -> Bool {
        FileMark.isOurs(file, orUnknown: true)
            || readMeta(name + FileNames.metaSuffix, in: folder).map { isOurs(status, meta: $0) } ?? false
    }

    /// Looks again now that the lock is held, since another process may have changed or finished the part before, cuts
    /// off what cannot be trusted, and takes the rest in hand.
    private func trusted(_ earlier: PartMeta, hasChecksum: Bool) throws(SessionError) -> Adopted? {
        guard let meta = Self.readMeta(metaName, in: folder), let status = FileStatus(descriptor: descriptor),
            folder.status(name)?.identity == status.identity, Self.isOurs(status, meta: meta),
            meta.urlDigest == earlier.urlDigest
        else {
            close()
            return nil
        }
        let trust = PartTrust(status, meta: meta, hasChecksum: hasChecksum, boot: SystemTime.boot)
        do throws(SessionError) {
            var facts = meta.facts
            facts.url = self.facts?.url ?? facts.url
            state.withLock { state in
                state.facts = facts
                state.syncedOffset = min(meta.syncedOffset, trust.length)
                state.isPromised = meta.isPromised
                state.watch.isTouched = trust.isTouched && trust.length > 0
                state.sparse = trust.ranges.beyond.isEmpty ? nil : trust.ranges
            }
            if trust.ranges.end < status.size { try truncate(to: trust.ranges.end) }
            if trust.isHeld {
                // A power cut would believe the new meta, which names them.
                try flushData(.system)
                state.withLock { $0.syncedOffset = trust.length }
            }
            recordAppearance()
            try saveMeta(durably: syncedOffset > 0, isOpen: true)
            let loss = trust.isTouched && trust.ranges.end < status.size ? PartTrust.reason : nil
            return Adopted(
                part: self, facts: facts, validLength: trust.length, beyond: trust.beyond ?? [], loss: loss)
        } catch {
            close()
            throw error
        }
    }
}
