import Glibc

extension PartFile {
    /// The bytes that ``adopt(in:url:name:)`` would find now, without taking the part.
    static func keptBytes(in folder: Folder, url: String, name: DownloadTarget.Name, hasChecksum: Bool) -> Int64 {
        guard let metaNames = try? candidates(in: folder, url: url, name: name),
            let digest = try? PartMeta.digest(ofURL: url)
        else { return 0 }
        let lengths = metaNames.map { metaName -> Int64 in
            guard let meta = readMeta(metaName, in: folder), meta.urlDigest == digest,
                let status = folder.status(String(metaName.dropLast(FileNames.metaSuffix.count))),
                isOurs(status, meta: meta)
            else { return 0 }
            return PartTrust(status, meta: meta, hasChecksum: hasChecksum, boot: SystemTime.boot).length
        }
        return lengths.max() ?? 0
    }
}
