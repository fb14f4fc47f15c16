import CLinux
import Glibc
import SessionSupport

/// A part of a download, or a file next to one, that no transfer uses and no saved session names.
///
/// It is left by a killed run, or by an interrupted run without a session. It stays until the same download is
/// requested again or the user removes it.
package struct Leftover: Sendable, Equatable {
    /// The remaining use of the part.
    package enum Kind: Sendable, Equatable {
        /// A download of the same URL to the same name resumes it.
        case resumable
        /// Like `resumable`, but the download restarts unless it has a checksum or compares the end of the part,
        /// because the server sent no validator for the part, or another program has changed it.
        case unproven
        /// It cannot be resumed, because no meta describes its bytes.
        case worthless
        /// It was set aside because of a wrong checksum.
        case refused
        /// A meta whose part is gone.
        case description
    }

    /// The path of the part, or of the meta.
    package var path: String
    package var kind: Kind
    /// The bytes that a download would keep, or else the file's length; plus the meta's bytes.
    ///
    /// With space that is reserved beyond the file's end it is all that the file takes.
    package var byteCount: Int64
    /// Time of the last change of its bytes, in seconds since 1970.
    package var modified: Double
    /// The URL without secrets; nil if unknown.
    package var url: String?
    /// True if the URL had secrets, without which the part cannot be resumed.
    package var lacksSecrets = false
    /// The name policy of the download that resumes it; nil if unknown.
    package var name: DownloadTarget.Name?

    /// Returns a folder's leftovers, sorted by path, without those one of the transfers may still need.
    ///
    /// Takes no lock and changes no file; subfolders are skipped. Blocks while the disk is read. Throws `notFound`,
    /// `permission` and the system's other errors about the folder.
    package static func find(in path: String, neededBy transfers: [StoredTransfer]) throws(SessionError) -> [Leftover] {
        let folder = try Folder(path: path, creating: false)
        let owners = PartOwners(transfers, of: folder)
        return try folder.names().sorted().compactMap { find($0, in: folder, owners) }
    }

    /// Removes the part; false if a transfer has taken it over since.
    ///
    /// Throws `permission` and the system's other errors.
    package func remove() throws(SessionError) -> Bool {
        guard let slash = path.lastIndex(of: "/") else { return false }
        let parent = path[..<slash]
        let folder = try Folder(path: parent.isEmpty ? "/" : String(parent), creating: false)
        let name = String(path[path.index(after: slash)...])
        if kind == .description {
            guard Self.part(describedBy: name).map({ folder.status($0) == nil && errno == ENOENT }) ?? false else {
                return false
            }
            guard PartFile.isMeta(name, in: folder) else { return false }
            return try remove(name, in: folder)
        }
        let file = folder.open(name, flags: O_RDWR)
        guard file >= 0 else {
            guard errno == ENOENT else { throw SystemError.error(errno, FileErrors.remove, path: path) }
            return false
        }
        defer { _ = cl_close_unlocked(file) }
        // A transfer that tries to resume it during this sees that it is in use.
        guard cl_lock_exclusive(file) == 0 || ![EAGAIN, EACCES].contains(errno),
            let status = FileStatus(descriptor: file), status.kind == .regular, status.owner == geteuid(),
            status.links == 1, folder.status(name)?.identity == status.identity,
            PartFile.isOurs(file, status, name, in: folder)
        else { return false }
        for suffix in [FileNames.metaSuffix, FileNames.temporaryMetaSuffix] {
            PartFile.removeMeta(name + suffix, in: folder)
        }
        return try remove(name, in: folder)
    }

    private func remove(_ name: String, in folder: Folder) throws(SessionError) -> Bool {
        guard unlinkat(folder.descriptor, name, 0) == 0 else {
            guard errno == ENOENT else { throw SystemError.error(errno, FileErrors.remove, path: path) }
            return false
        }
        return true
    }

    // MARK: - Searching

    private static func find(_ name: String, in folder: Folder, _ owners: PartOwners) -> Leftover? {
        guard let status = folder.status(name), status.kind == .regular, status.owner == geteuid() else { return nil }
        var found = Leftover(
            path: folder.path(of: name), kind: .refused, byteCount: status.size,
            modified: Double(status.modified) / 1_000_000_000)
        if let part = part(describedBy: name) {
            guard folder.status(part) == nil, errno == ENOENT, PartFile.isMeta(name, in: folder) else { return nil }
            let meta = PartFile.readMeta(name, in: folder)
            // The part is being moved to another folder, and may come back.
            guard meta?.movedTo == nil else { return nil }
            found.kind = .description
            found.url = meta?.resource.url
            return found
        }
        if name.hasSuffix(FileNames.quarantineSuffix) {
            let isPart = isPart(name.dropLast(FileNames.quarantineSuffix.count))
            return isPart && isFree(name, status, in: folder) ? found : nil
        }
        guard isPart(name[...]), status.links == 1, isFree(name, status, in: folder) else { return nil }
        let meta = PartFile.readMeta(name + FileNames.metaSuffix, in: folder)
        let isDescribed = meta.map { PartFile.isOurs(status, meta: $0) } ?? false
        guard meta?.movedTo == nil, !owners.need(name, url: isDescribed ? meta?.resource.url : nil) else { return nil }
        found.kind = .worthless
        if isDescribed, let meta {
            let trust = PartTrust(status, meta: meta, hasChecksum: true, boot: SystemTime.boot)
            let kept = trust.ranges.byteCount
            // Another program has changed it, which only a checksum can prove harmless.
            found.kind = meta.isProven(atSize: status.size) && !trust.isTouched ? .resumable : .unproven
            if trust.isTouched, kept == 0 { found.kind = .worthless }
            if found.kind != .worthless { found.describe(by: meta, name: name) }
            // A part of several connections has holes up to its end.
            if meta.ranges != nil, kept > 0 { found.byteCount = kept }
        }
        let metaSize = folder.status(name + FileNames.metaSuffix)?.size ?? 0
        found.byteCount = max(found.byteCount, status.reserved) + metaSize
        return found
    }

    /// Fills in the values of a part's meta.
    ///
    /// For a download with the server's choice of name, the same identifier follows from the URL alone.
    private mutating func describe(by meta: PartMeta, name partName: String) {
        let address = meta.resource.url
        url = address
        lacksSecrets = (try? PartMeta.digest(ofURL: address)) != meta.urlDigest
        let identifiers = FileNames.identifiers(
            url: address, name: PartFile.keyName(.automatic, url: address), count: PartFile.adoptionLimit)
        let isAutomatic = identifiers.contains { partName.hasSuffix(FileNames.partSuffix(identifier: $0)) }
        name = isAutomatic ? .automatic : .fixed(meta.finalName)
    }

    /// Returns whether a file is a part that no transfer uses; one that cannot be opened is listed by its name.
    private static func isFree(_ name: String, _ status: FileStatus, in folder: Folder) -> Bool {
        let file = folder.open(name, flags: O_RDONLY)
        guard file >= 0 else { return true }
        defer { close(file) }
        return !cl_is_locked(file) && PartFile.isOurs(file, status, name, in: folder)
    }

    /// Returns the name of the part that a meta's name refers to.
    private static func part(describedBy name: String) -> String? {
        for suffix in [FileNames.metaSuffix, FileNames.temporaryMetaSuffix] where name.hasSuffix(suffix) {
            let part = name.dropLast(suffix.count)
            if isPart(part) { return String(part) }
        }
        return nil
    }

    /// Returns whether a name belongs to a part: `.name.0a1b2c3d.part`.
    private static func isPart(_ name: Substring) -> Bool {
        let pieces = name.split(separator: ".", omittingEmptySubsequences: false)
        guard pieces.count >= 4, pieces[0].isEmpty, pieces[pieces.count - 1] == "part" else { return false }
        let identifier = pieces[pieces.count - 2].utf8
        return identifier.count == 8
            && identifier.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }
}

extension FileStatus {
    /// The bytes on the disk if some of them are reserved beyond the file's end, else 0: a file system rounds up.
    fileprivate var reserved: Int64 { allocated > size + 64 << 10 ? allocated : 0 }
}

extension PartMeta {
    /// Returns whether a part of this size can be resumed by its response alone, or needs no request.
    fileprivate func isProven(atSize size: Int64) -> Bool {
        ResumePolicy.isComplete(resource, partSize: size) || ResumePolicy.mayResume(resource, partSize: size).isGiven
    }
}

extension DownloadTarget {
    /// Removes the part with which a download of this URL to this target would resume; a part in use stays.
    ///
    /// Another download may have the same URL and name. So a known path is the only one, and without it a promised part
    /// is removed only where no other one could be meant. Blocks while the disk is read.
    package func discardPart(of url: String, at path: String? = nil) {
        if let path { return Self.removePart(at: path) }
        guard let folder = try? Folder(path: folder, creating: false), let digest = try? PartMeta.digest(ofURL: url),
            let names = try? PartFile.candidates(in: folder, url: url, name: name)
        else { return }
        let metas = names.compactMap { name in PartFile.readMeta(name, in: folder).map { (name: name, meta: $0) } }
        let own = metas.filter { $0.meta.urlDigest == digest }
        for (name, meta) in own where own.count == 1 || !meta.isPromised {
            Self.removePart(at: folder.path(of: String(name.dropLast(FileNames.metaSuffix.count))))
        }
    }

    /// A part that the disk does not let go of is listed as a leftover.
    private static func removePart(at path: String) {
        _ = try? Leftover(path: path, kind: .resumable, byteCount: 0, modified: 0).remove()
    }
}

/// The parts in one folder that saved sessions' transfers need.
private struct PartOwners {
    /// Names of parts that were promised, or that a transfer finds by its URL and name.
    private var names: Set<String> = []
    /// URLs without their secrets: different URLs may become equal, so some parts are kept needlessly, but none is
    /// lost.
    private var urls: Set<String> = []

    init(_ transfers: [StoredTransfer], of folder: Folder) {
        var isHere: [String: Bool] = [:]
        for transfer in transfers where transfer.standing != .completed {
            if let path = transfer.partPath, let slash = path.lastIndex(of: "/") {
                names.insert(String(path[path.index(after: slash)...]))
            }
            guard case .target(let target) = transfer.destination else { continue }
            let path = target.folder
            if isHere[path] == nil {
                isHere[path] = (try? Folder(path: path, creating: false))?.identity == folder.identity
            }
            guard isHere[path] == true else { continue }
            urls.insert(Redaction.url(transfer.request.url, userInfo: .removed))
            let key = PartFile.keyName(target.name, url: transfer.request.url)
            let identifiers = FileNames.identifiers(
                url: transfer.request.url, name: key, count: PartFile.adoptionLimit)
            for identifier in identifiers { names.insert(FileNames.partName(key, identifier: identifier)) }
        }
    }

    func need(_ name: String, url: String?) -> Bool {
        names.contains(name) || url.map { urls.contains($0) } ?? false
    }
}
