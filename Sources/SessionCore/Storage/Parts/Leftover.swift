import CLinux
import Glibc
import SessionSupport

/// A part of a download, or what was written beside one, that no transfer holds and no saved session names.
///
/// A run that was killed, or one without a session that was cut, leaves such a part. It stays until the same download is
/// asked for again or somebody removes it.
package struct Leftover: Sendable, Equatable {
    /// What can still be done with it.
    package enum Kind: Sendable, Equatable {
        /// A download of the same URL to the same name goes on with it.
        case resumable
        /// The same: it starts over, unless it is given a checksum or compares the end of the part, because the server has
        /// given nothing that proves which version the part is of.
        case unproven
        /// Nobody can go on with it, because nothing says what its bytes are.
        case worthless
        /// Its checksum was wrong, so it was set aside.
        case refused
        /// It describes a part that is gone.
        case description
    }

    /// The path of the part, or of what describes one.
    package var path: String
    /// What can still be done with it.
    package var kind: Kind
    /// Its bytes that a download would go on with, or else its length; with what lies beside it.
    package var byteCount: Int64
    /// When its bytes changed last, in seconds since 1970.
    package var modified: Double
    /// The URL it came from, without secrets; nil when nothing says so.
    package var url: String?
    /// Whether the URL had secrets, without which nobody goes on with it.
    package var lacksSecrets = false
    /// The name policy of the download that goes on with it; nil when nothing says so.
    package var name: DownloadTarget.Name?

    /// What is left in a folder, sorted by path, without what one of the transfers may still need.
    ///
    /// Takes no lock and changes nothing; folders within the folder are not looked at. Blocks while the disk is read. Throws
    /// `notFound`, `permission` and what else the system reports of the folder.
    package static func find(in path: String, neededBy transfers: [StoredTransfer]) throws(SessionError) -> [Leftover] {
        let folder = try Folder(path: path, creating: false)
        let owners = PartOwners(transfers, of: folder)
        return try folder.names().sorted().compactMap { find($0, in: folder, owners) }
    }

    /// Removes it, if nobody has taken it up meanwhile; false when somebody has.
    ///
    /// Throws `permission` and what else the system reports.
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
        // Whoever wants to go on with it meanwhile sees that it is in use.
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

    // MARK: - Looking

    private static func find(_ name: String, in folder: Folder, _ owners: PartOwners) -> Leftover? {
        guard let status = folder.status(name), status.kind == .regular, status.owner == geteuid() else { return nil }
        var found = Leftover(
            path: folder.path(of: name), kind: .refused, byteCount: status.size,
            modified: Double(status.modified) / 1_000_000_000)
        if let part = part(describedBy: name) {
            guard folder.status(part) == nil, errno == ENOENT, PartFile.isMeta(name, in: folder) else { return nil }
            let meta = PartFile.readMeta(name, in: folder)
            // The part is on its way to another place, and may come back.
            guard meta?.movedTo == nil else { return nil }
            found.kind = .description
            found.url = meta?.facts.url
            return found
        }
        if name.hasSuffix(FileNames.quarantineSuffix) {
            let isPart = isPart(name.dropLast(FileNames.quarantineSuffix.count))
            return isPart && isFree(name, status, in: folder) ? found : nil
        }
        guard isPart(name[...]), status.links == 1, isFree(name, status, in: folder) else { return nil }
        let meta = PartFile.readMeta(name + FileNames.metaSuffix, in: folder)
        let isDescribed = meta.map { PartFile.isOurs(status, meta: $0) } ?? false
        guard meta?.movedTo == nil, !owners.need(name, url: isDescribed ? meta?.facts.url : nil) else { return nil }
        found.kind = .worthless
        if isDescribed, let meta {
            found.kind = meta.isProven(atSize: status.size) ? .resumable : .unproven
            found.describe(by: meta, name: name)
            let kept = PartTrust(status, meta: meta, hasChecksum: true, boot: SystemTime.boot).ranges.byteCount
            // A part of several connections has holes up to its end.
            if meta.ranges != nil, kept > 0 { found.byteCount = kept }
        }
        found.byteCount += folder.status(name + FileNames.metaSuffix)?.size ?? 0
        return found
    }

    /// Says of a part what its meta does.
    ///
    /// The name of a download that let the server choose leads to the same part as its URL alone.
    private mutating func describe(by meta: PartMeta, name partName: String) {
        let address = meta.facts.url
        url = address
        lacksSecrets = (try? PartMeta.digest(ofURL: address)) != meta.urlDigest
        let identifiers = FileNames.identifiers(
            url: address, name: PartFile.keyName(.automatic, url: address), count: PartFile.adoptionLimit)
        let isAutomatic = identifiers.contains { partName.hasSuffix(FileNames.partSuffix(identifier: $0)) }
        name = isAutomatic ? .automatic : .fixed(meta.finalName)
    }

    /// Whether a file is a part that no transfer holds; one that cannot be opened is listed for its name.
    private static func isFree(_ name: String, _ status: FileStatus, in folder: Folder) -> Bool {
        let file = folder.open(name, flags: O_RDONLY)
        guard file >= 0 else { return true }
        defer { close(file) }
        return !cl_is_locked(file) && PartFile.isOurs(file, status, name, in: folder)
    }

    /// The part that a meta's name speaks of.
    private static func part(describedBy name: String) -> String? {
        for suffix in [FileNames.metaSuffix, FileNames.temporaryMetaSuffix] where name.hasSuffix(suffix) {
            let part = name.dropLast(suffix.count)
            if isPart(part) { return String(part) }
        }
        return nil
    }

    /// Whether a name is that of a part: `.name.0a1b2c3d.part`.
    private static func isPart(_ name: Substring) -> Bool {
        let pieces = name.split(separator: ".", omittingEmptySubsequences: false)
        guard pieces.count >= 4, pieces[0].isEmpty, pieces[pieces.count - 1] == "part" else { return false }
        let identifier = pieces[pieces.count - 2].utf8
        return identifier.count == 8
            && identifier.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }
}

extension PartMeta {
    /// Whether a download goes on with a part of a size without more proof than the answer it is from, or needs no request.
    fileprivate func isProven(atSize size: Int64) -> Bool {
        ResumePolicy.isComplete(facts, partSize: size) || ResumePolicy.mayResume(facts, partSize: size).isGiven
    }
}

/// What the transfers of saved sessions need in one folder.
private struct PartOwners {
    /// Names of parts that somebody was told of, or that a transfer finds by its URL and name.
    private var names: Set<String> = []
    /// URLs without their secrets: more are equal than before, so too much is kept and never too little.
    private var urls: Set<String> = []

    init(_ transfers: [StoredTransfer], of folder: Folder) {
        var isHere: [String: Bool] = [:]
        for transfer in transfers where transfer.standing != .completed {
            if let path = transfer.partPath, let slash = path.lastIndex(of: "/") {
                names.insert(String(path[path.index(after: slash)...]))
            }
            guard case .target(let target) = transfer.destination else { continue }
            let place = target.folder
            if isHere[place] == nil {
                isHere[place] = (try? Folder(path: place, creating: false))?.identity == folder.identity
            }
            guard isHere[place] == true else { continue }
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
