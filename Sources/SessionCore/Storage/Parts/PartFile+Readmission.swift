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
        for aside in try setAsideNames(in: folder, url: url, name: name) {
            if let found = try readmit(aside, in: folder, url: url, name: name, checksum: checksum) { return found }
        }
        return nil
    }

    /// Returns the names that set-aside parts of a download may have.
    fileprivate static func setAsideNames(
        in folder: Folder, url: String, name: DownloadTarget.Name
    ) throws(SessionError) -> [String] {
        let key = keyName(name, url: url)
        let identifiers = FileNames.identifiers(url: url, name: key, count: adoptionLimit)
        return switch name {
        case .fixed: identifiers.map { FileNames.partName(key, identifier: $0) + FileNames.quarantineSuffix }
        case .automatic: try folder.setAsideParts(identifiers)
        }
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

extension DownloadTarget {
    /// The path of the file that a download of a URL has set aside because its checksum was wrong; nil without one, and
    /// where several could be it.
    package func setAsidePath(of url: String) -> String? {
        guard let folder = try? Folder(path: folder, creating: false),
            let names = try? PartFile.setAsideNames(in: folder, url: url, name: name)
        else { return nil }
        let found = names.filter { folder.status($0)?.kind == .regular }
        return found.count == 1 ? found.first.map { folder.path(of: $0) } : nil
    }
}
