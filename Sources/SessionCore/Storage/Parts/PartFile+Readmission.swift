import CLinux
import Glibc
import SessionSupport

extension PartFile {
    /// Takes back a part that an earlier try set aside, if it has the checksum requested now: that try's checksum was
    /// wrong, not the file.
    ///
    /// It is complete, so no request is needed; finishing it verifies it once more.
    /// - Returns: nil if no part with the checksum was set aside, or another transfer uses it.
    static func readmit(
        in folder: Folder, url: String, name: DownloadTarget.Name, checksum: Checksum
    ) throws(SessionError) -> Adopted? {
        let key = keyName(name, url: url)
        let identifiers = FileNames.identifiers(url: url, name: key, count: adoptionLimit)
        let names: [String]
        switch name {
        case .fixed: names = identifiers.map { FileNames.partName(key, identifier: $0) + FileNames.quarantineSuffix }
        case .automatic: names = try folder.setAsideParts(identifiers)
        }
        for aside in names {
            if let found = try readmit(aside, in: folder, url: url, name: name, checksum: checksum) { return found }
        }
        return nil
    }

    private static func readmit(
        _ aside: String, in folder: Folder, url: String, name: DownloadTarget.Name, checksum: Checksum
    ) throws(SessionError) -> Adopted? {
        let file = folder.open(aside, flags: O_RDWR)
        guard file >= 0 else { return nil }
        let partName = String(aside.dropLast(FileNames.quarantineSuffix.count))
        guard cl_lock_exclusive(file) == 0 || [ENOLCK, EOPNOTSUPP, ENOSYS, EINVAL].contains(errno),
            let status = FileStatus(descriptor: file), status.kind == .regular, status.owner == geteuid(),
            status.links == 1, folder.status(aside)?.identity == status.identity
        else {
            _ = cl_close_unlocked(file)
            return nil
        }
        var metadata = StoredMetadata(url: url, finalURL: url, method: "GET", status: 200)
        metadata.length = status.size
        let part = PartFile(
            folder: folder, name: partName, finalName: finalName(of: partName, name),
            urlDigest: try PartMeta.digest(ofURL: url), identity: status.identity, descriptor: file,
            state: State(metadata: metadata, syncedOffset: 0, metaIsWritten: false))
        guard try part.digest(checksum.algorithm) == checksum.digest,
            folder.rename(aside, to: partName, replacing: false) == 0
        else {
            part.close()
            return nil
        }
        part.acceptChanges()
        part.recordAppearance()
        try part.saveMeta(durably: false, isOpen: true)
        return Adopted(part: part, metadata: metadata, validLength: status.size)
    }

    /// Returns the intended name of a part's file: the fixed one, or the text before the identifier.
    private static func finalName(of partName: String, _ name: DownloadTarget.Name) -> String {
        switch name {
        case .fixed(let name): return name
        case .automatic:
            let pieces = partName.dropFirst().split(separator: ".", omittingEmptySubsequences: false)
            return pieces.dropLast(2).joined(separator: ".")
        }
    }
}
