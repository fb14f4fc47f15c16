import Glibc
import SessionSupport

/// The state of the name that a download wants, checked before any byte is requested or written.
enum DestinationCheck: Sendable, Equatable {
    /// The download may continue; the name may still be taken before the end.
    case clear
    /// A file exists at the path and the policy is to keep it: the download is done.
    case skip(path: String)

    /// Checks the name, and whether the folder is writable.
    ///
    /// A name that is not fixed gets a number if a folder or a device has it. Throws `destinationIsFolder`,
    /// `destinationExists`, `permission` or `readOnly`.
    static func check(
        _ name: String, in folder: Folder, collision: DownloadTarget.Collision, isFixed: Bool = true
    ) throws(SessionError) -> DestinationCheck {
        if let status = folder.status(name) {
            do throws(SessionError) {
                try checkReplaceable(status, name, in: folder)
            } catch {
                guard !isFixed, collision != .fail, collision != .sameOrFail else { throw error }
                try folder.checkWritable()
                return .clear
            }
            switch collision {
            case .skip:
                try checkKept(name, in: folder)
                return .skip(path: folder.path(of: name))
            case .fail: throw exists(name, in: folder)
            case .overwrite, .refresh: try checkDestination(behind: name, in: folder)
            case .rename, .same, .sameOrFail: break
            }
        }
        try folder.checkWritable()
        return .clear
    }

    /// Throws if a name has a file of another length than the announced one, which therefore is another file.
    static func checkLength(_ name: String, in folder: Folder, length: Int64?) throws(SessionError) {
        guard let length, let status = folder.targetStatus(name), status.size != length else { return }
        throw exists(name, in: folder)
    }

    /// Throws if what is to stay at a name is a link to a missing file: there is nothing to keep.
    static func checkKept(_ name: String, in folder: Folder) throws(SessionError) {
        guard folder.targetStatus(name) == nil else { return }
        throw linkToNothing(StorageErrors.linkToMissingFile(folder.path(of: name)))
    }

    /// Throws if a name's occupant can never be replaced by a file: a folder, a device, a FIFO, a socket, or a link to
    /// one.
    static func checkReplaceable(_ status: FileStatus, _ name: String, in folder: Folder) throws(SessionError) {
        var kind = status.kind
        if kind == .symbolicLink, let target = folder.targetStatus(name) { kind = target.kind }
        switch kind {
        case .regular, .symbolicLink: return
        case .folder:
            throw SessionError(
                .destinationIsFolder, FileErrors.save(folder.path(of: name), FileReasons.isFolder))
        case .other: throw folder.obstacle(at: name)
        }
    }

    /// Throws if a link leads into a missing folder: overwriting follows it, and would fail only after every byte.
    private static func checkDestination(behind name: String, in folder: Folder) throws(SessionError) {
        do throws(SessionError) {
            _ = try folder.leading(from: name)
        } catch {
            guard error.errno == ENOENT else { throw error }
            throw linkToNothing(StorageErrors.linkToMissingFolder(folder.path(of: name)))
        }
    }

    private static func linkToNothing(_ message: String) -> SessionError {
        SessionError(.destinationExists, message)
    }

    /// Compares the digest of a file that stays with the download's checksum; returns that digest.
    ///
    /// Throws `checksum` when it differs or the file cannot be read: keeping a wrong file is not a success. Blocks
    /// while the file is read.
    static func verifyLeft(
        _ name: String, in folder: Folder, checksum: Checksum?
    ) throws(SessionError) -> String? {
        guard let checksum else { return nil }
        let path = folder.path(of: name)
        let found: [UInt8]
        do throws(SessionError) {
            found = try digest(ofFile: path, checksum.algorithm)
        } catch {
            throw SessionError(.checksum, StorageErrors.existsUncompared(path, error.message))
        }
        let expected = ByteText.hexadecimal(checksum.digest)
        guard found == checksum.digest else {
            let message = StorageErrors.existsDifferent(
                path, checksum.algorithm.rawValue, found: ByteText.hexadecimal(found), expected: expected)
            throw SessionError(.checksum, message)
        }
        return expected
    }

    /// Digests a regular file; blocks while it is read.
    ///
    /// Throws ``SessionError/Code/bodyUnreadable`` for an unreadable or irregular file.
    private static func digest(ofFile path: String, _ algorithm: Checksum.Algorithm) throws(SessionError) -> [UInt8] {
        guard !BodySpecification.isReadOnce(path) else {
            throw SessionError(.bodyUnreadable, StorageErrors.notRegular(path))
        }
        let file = try BodyFile(path: path)
        let digest = try Digest(algorithm)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
        defer { buffer.deallocate() }
        var offset: Int64 = 0
        while true {
            let count = try file.read(into: buffer, at: offset)
            guard count > 0 else { break }
            try digest.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            offset += Int64(count)
        }
        return try digest.finalValue()
    }

    static func exists(_ name: String, in folder: Folder) -> SessionError {
        SessionError(.destinationExists, StorageErrors.exists(folder.path(of: name)))
    }
}

extension DownloadTarget {
    /// Makes the folder with its parents where it is missing; throws what prevents that, or new files in it.
    ///
    /// Blocks while the disk is asked.
    package func prepareFolder() throws(SessionError) {
        let folder = try Folder(path: folder)
        // A file that is overwritten needs no writable folder.
        if collision != .overwrite, collision != .refresh { try folder.checkWritable() }
    }

    /// The state of a download's destination, for a caller that asks before the download begins.
    package struct Existing: Sendable, Equatable {
        package enum Occupant: Sendable, Equatable {
            /// A file or a symbolic link, which the collision policy handles.
            case file
            /// A folder, device, pipe or socket, which is never replaced by a file.
            case obstacle
        }

        /// The wanted name: the fixed one, or the URL's, which the server's own may still replace.
        package var name: String
        /// The name's current occupant; nil if it is free.
        package var occupant: Occupant?
        /// The wanted name with the first free number; nil if the name is free, or more than a few numbers are taken.
        package var numberedName: String?
        /// Bytes of an earlier run that the download would resume, if the server allows it; 0 for none.
        package var keptBytes: Int64

        package init(name: String, occupant: Occupant? = nil, keptBytes: Int64 = 0) {
            self.name = name
            self.occupant = occupant
            self.keptBytes = keptBytes
        }
    }

    /// The numbers tried before a name is not predicted.
    private static let fewNumbers = 64

    /// Examines the destination that a download of a URL would have.
    ///
    /// Creates, changes and locks no file; the result may be outdated at once. It may block, so it does not belong on a
    /// thread that must not wait for a disk. A missing or unreadable folder counts as empty.
    package func existing(url: String) -> Existing {
        var result = Existing(name: PartFile.keyName(name, url: url))
        guard let folder = try? Folder(path: folder, creating: false) else { return result }
        if let status = folder.status(result.name) {
            let isReplaceable = (try? DestinationCheck.checkReplaceable(status, result.name, in: folder)) != nil
            // A name that is not fixed gets a number.
            result.occupant = isReplaceable || name == .automatic ? .file : .obstacle
            let candidates = (1...Self.fewNumbers).lazy.map { FileNames.numbered(result.name, $0) }
            result.numberedName = candidates.first { folder.status($0) == nil }
        }
        if adoptsPart {
            result.keptBytes = PartFile.keptBytes(in: folder, url: url, name: name, hasChecksum: checksum != nil)
        }
        return result
    }

    /// Returns the name of a URL's download unless the user fixes one or the server sends another, made as safe as the
    /// file's; nil when the URL offers none.
    package static func name(offeredBy url: String) -> String? { FileNames.offered(by: url) }

    /// The name of a download if neither the server nor the URL offers one: `download`.
    package static var nameOfLastResort: String { FileNames.fallback }
}
