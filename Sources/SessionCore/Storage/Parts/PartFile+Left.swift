import Glibc

extension PartFile {
    /// The remains of a part for a later run, read without taking the part.
    struct Left: Sendable {
        var metadata: StoredMetadata
        /// The trusted bytes.
        var byteCount: Int64
    }

    /// Returns the bytes that ``adopt(in:url:name:)`` would find now, without taking the part.
    static func keptBytes(in folder: Folder, url: String, name: DownloadTarget.Name, hasChecksum: Bool) -> Int64 {
        left(in: folder, url: url, name: name, hasChecksum: hasChecksum)?.byteCount ?? 0
    }

    /// Returns the part that ``adopt(in:url:name:)`` would find now; nil if no readable one exists.
    static func left(in folder: Folder, url: String, name: DownloadTarget.Name, hasChecksum: Bool) -> Left? {
        guard let metaNames = try? candidates(in: folder, url: url, name: name),
            let digest = try? PartMeta.digest(ofURL: url)
        else { return nil }
        let metas = metaNames.compactMap { name in readMeta(name, in: folder).map { (name, $0) } }
        let own = metas.filter { $0.1.urlDigest == digest }
        let looked = own.isEmpty ? metas.filter { (try? $0.1.isRelinked(by: url)) == true } : own
        let found = looked.map { Left($0.0, $0.1, in: folder, hasChecksum: hasChecksum) }
        return found.reduce(nil) { best, part in
            guard let best else { return part }
            return part.metadata.isWorthMore(part.byteCount, than: best.metadata, best.byteCount) ? part : best
        }
    }

    /// Returns the part at a path; nil if no readable one exists.
    static func left(at path: String, hasChecksum: Bool) -> Left? {
        guard let slash = path.lastIndex(of: "/") else { return nil }
        let parent = path[..<slash]
        let name = String(path[path.index(after: slash)...]) + FileNames.metaSuffix
        guard let folder = try? Folder(path: parent.isEmpty ? "/" : String(parent), creating: false),
            let meta = readMeta(name, in: folder)
        else { return nil }
        return Left(name, meta, in: folder, hasChecksum: hasChecksum)
    }

    /// Returns the trusted bytes of a part.
    static func keptBytes(
        _ metaName: String, _ meta: PartMeta, in folder: Folder, hasChecksum: Bool
    ) -> Int64 {
        guard let status = folder.status(String(metaName.dropLast(FileNames.metaSuffix.count))),
            isOurs(status, meta: meta)
        else { return 0 }
        return PartTrust(status, meta: meta, hasChecksum: hasChecksum, boot: SystemTime.boot).ranges.byteCount
    }
}

extension PartFile.Left {
    fileprivate init(_ metaName: String, _ meta: PartMeta, in folder: Folder, hasChecksum: Bool) {
        metadata = meta.resource
        byteCount = PartFile.keptBytes(metaName, meta, in: folder, hasChecksum: hasChecksum)
    }
}

extension StoredTransfer {
    /// True if the transfer's received bytes are no longer on the disk, as far as known.
    ///
    /// Reads the disk. A URL whose secrets were not stored identifies no part.
    package var hasLostPart: Bool {
        var status = stat()
        if let partPath { return lstat(partPath, &status) != 0 && errno == ENOENT }
        guard case .target(let target) = destination, !needsCredentials,
            let folder = try? Folder(path: target.folder, creating: false)
        else { return false }
        return PartFile.keptBytes(
            in: folder, url: request.url, name: target.name, hasChecksum: target.checksum != nil) == 0
    }

    /// The resumability of the transfer's part, by its meta; nil without a readable part.
    ///
    /// Reads small files. The next request decides: the server may have changed since.
    package var partResumability: Resumability? { leftover.map { resumability(of: $0) } }

    /// The bytes that the transfer would keep when it resumes now; nil without a readable part.
    ///
    /// Reads small files. A killed run's store may name another count than its part has, and the bytes of a part
    /// without proof are downloaded again.
    public var keptBytes: Int64? {
        leftover.map { resumability(of: $0) == .no ? 0 : $0.byteCount }
    }

    private func resumability(of part: PartFile.Left) -> Resumability {
        var hasChecksum = false
        var comparesOverlap = false
        if case .target(let target) = destination {
            (hasChecksum, comparesOverlap) = (target.checksum != nil, target.comparesOverlap)
        }
        return ResumePolicy.resumability(
            part.metadata, partSize: part.byteCount, hasSeenPart: false, hasChecksum: hasChecksum,
            comparesOverlap: comparesOverlap)
    }

    private var leftover: PartFile.Left? {
        var hasChecksum = false
        if case .target(let target) = destination { hasChecksum = target.checksum != nil }
        if let partPath { return PartFile.left(at: partPath, hasChecksum: hasChecksum) }
        // A killed program has stored no path. A URL whose secrets were not stored identifies no part.
        guard case .target(let target) = destination, let folder = try? Folder(path: target.folder, creating: false)
        else {
            return nil
        }
        return PartFile.left(in: folder, url: request.url, name: target.name, hasChecksum: hasChecksum)
    }
}
