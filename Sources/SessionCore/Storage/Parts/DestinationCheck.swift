import Glibc
import SessionSupport

/// What is at the name a download wants, looked at before any byte is requested or written.
enum DestinationCheck: Sendable, Equatable {
    /// The download may go on; the name may still be taken until it is finished.
    case clear
    /// A file is there and the policy is to leave it: the download is done. The path of what is there.
    case skip(path: String)

    /// Looks at the name, and whether the folder can be written to.
    ///
    /// A name that is not fixed gets a number where a folder or a device has it. Throws `destinationIsFolder`,
    /// `destinationExists`, `permission` or `readOnly`.
    static func check(
        _ name: String, in folder: Folder, collision: DownloadTarget.Collision, isFixed: Bool = true
    ) throws(SessionError) -> DestinationCheck {
        if let status = folder.status(name) {
            do throws(SessionError) {
                try checkReplaceable(status, name, in: folder)
            } catch {
                guard !isFixed, collision != .fail else { throw error }
                try folder.checkWritable()
                return .clear
            }
            switch collision {
            case .skip:
                guard folder.targetStatus(name) != nil else {
                    throw linkToNothing(StorageErrors.linkToMissingFile(folder.path(of: name)))
                }
                return .skip(path: folder.path(of: name))
            case .fail: throw exists(name, in: folder)
            case .overwrite, .refresh: try checkDestination(behind: name, in: folder)
            case .rename: break
            }
        }
        try folder.checkWritable()
        return .clear
    }

    /// Throws when what has the name can never give way to a file: a folder, a device, a FIFO, a socket, or a link to one.
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

    /// Throws where a link leads into a folder that is not there: overwriting follows it, and would end after every byte.
    private static func checkDestination(behind name: String, in folder: Folder) throws(SessionError) {
        do throws(SessionError) {
            _ = try folder.leading(from: name)
        } catch {
            guard error.errno == ENOENT else { throw error }
            throw linkToNothing(StorageErrors.linkToMissingFolder(folder.path(of: name)))
        }
    }

    /// The error for a link that leads to nothing.
    private static func linkToNothing(_ message: String) -> SessionError {
        SessionError(.destinationExists, message)
    }

    /// Compares a file that is left where it is with the digest that the download would need; answers that digest.
    ///
    /// Throws `checksum` when it has another one or cannot be read: leaving a wrong file is no success. Blocks while the
    /// file is read.
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

    /// The digest of a file's bytes.
    ///
    /// Throws ``SessionError/Code/bodyUnreadable`` for what cannot be read and for what is no file. Blocks.
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

    /// The error for a name that is taken and must not be replaced.
    static func exists(_ name: String, in folder: Folder) -> SessionError {
        SessionError(.destinationExists, StorageErrors.exists(folder.path(of: name)))
    }
}

extension DownloadTarget {
    /// What lies where a download is to go, as somebody wants to know before it begins.
    package struct Existing: Sendable, Equatable {
        /// What can have a name.
        package enum Occupant: Sendable, Equatable {
            /// A file or a symbolic link, with which the collision policy deals.
            case file
            /// A folder, device, pipe or socket, which never gives way to a file.
            case obstacle
        }

        /// The name that is wanted: the fixed one, or that of the URL, which the server's own may still replace.
        package var name: String
        /// What has that name now; nil when it is free.
        package var occupant: Occupant?
        /// Bytes of an earlier run that the download would go on from, provided that the server allows it; 0 without
        /// any.
        package var keptBytes: Int64

        /// Facts about a place.
        package init(name: String, occupant: Occupant? = nil, keptBytes: Int64 = 0) {
            self.name = name
            self.occupant = occupant
            self.keptBytes = keptBytes
        }
    }

    /// Looks at the place that a download of a URL would have.
    ///
    /// Nothing is created, changed, locked or held; what it says may be outdated at once. It may block, so it does not
    /// belong on a thread that must not wait for a disk. A folder that is missing or cannot be read has nothing in it.
    package func existing(url: String) -> Existing {
        var result = Existing(name: PartFile.keyName(name, url: url))
        guard let folder = try? Folder(path: folder, creating: false) else { return result }
        if let status = folder.status(result.name) {
            let isReplaceable = (try? DestinationCheck.checkReplaceable(status, result.name, in: folder)) != nil
            // A name that is not fixed gets a number.
            result.occupant = isReplaceable || name == .automatic ? .file : .obstacle
        }
        if adoptsPart {
            result.keptBytes = PartFile.keptBytes(in: folder, url: url, name: name, hasChecksum: checksum != nil)
        }
        return result
    }

    /// The name that a download of a URL has unless somebody fixes one or the server names another, made as safe as the
    /// file's; nil when the URL offers none.
    package static func name(offeredBy url: String) -> String? { FileNames.offered(by: url) }

    /// The name of a download when nobody offers one.
    package static var nameOfLastResort: String { FileNames.fallback }
}
