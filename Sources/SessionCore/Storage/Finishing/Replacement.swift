import CLinux
import Glibc
import SessionSupport

/// Replaces a file by a complete part.
///
/// The new file gets the mode and the owner of the old one, and a link to it stays a link. A file that can be written
/// but not replaced, such as a mount point, is written in place.
struct Replacement {
    /// The result of a replacement.
    enum Manner: Equatable {
        case replaced
        /// The bytes were written into the old file, for a reason in words.
        case writtenInPlace(String)
    }

    /// Renames a part over the old file, with the results of ``Folder/rename(_:to:replacing:)``.
    typealias Rename = (PartFile, Folder, String) -> Int32

    /// The folder of the old file, with links followed.
    private let folder: Folder
    private let name: String
    /// The reason for writing in place; nil if the file may be replaced.
    private let obstacle: String?
    private let rename: Rename

    /// Resolves a name; throws if no file can be there.
    ///
    /// - Parameter mayReplace: false if the folder takes no new file.
    init(
        _ name: String, in folder: Folder, mayReplace: Bool = true,
        rename: @escaping Rename = { cl_rename_at($0.folder.descriptor, $0.name, $1.descriptor, $2, true) }
    ) throws(SessionError) {
        (self.folder, self.name) = try folder.leading(from: name)
        self.rename = rename
        obstacle = mayReplace ? nil : FileReasons.folderTakesNone
    }

    var path: String { folder.path(of: name) }

    /// Replaces the file by a part, whose own name is free afterwards.
    func perform(with part: PartFile, stamp: FileStamp?) throws(SessionError) -> Manner {
        guard let old = folder.status(name), old.kind == .regular else {
            // The name may just have become a device's or a pipe's.
            if let other = folder.status(name) { try DestinationCheck.checkReplaceable(other, name, in: folder) }
            try part.setMode(FileMode.finished)
            guard rename(part, folder, name) == 0 else { throw failure(errno) }
            return try arrived(part)
        }
        if let obstacle { return try writeInPlace(part, stamp, because: obstacle) }
        guard try takeOver(old, part) else { return try writeInPlace(part, stamp, because: FileReasons.otherOwner) }
        guard rename(part, folder, name) != 0 else { return try arrived(part) }
        let number = errno
        guard [EBUSY, EXDEV, EACCES, EPERM, EROFS].contains(number) else { throw failure(number) }
        return try writeInPlace(part, stamp, because: SystemWords.text(number))
    }

    /// Checks that the file with the name is the part: the part's own name may have come to refer to another file.
    private func arrived(_ part: PartFile) throws(SessionError) -> Manner {
        guard folder.status(name)?.identity != part.identity else { return .replaced }
        _ = cl_rename_at(folder.descriptor, name, part.folder.descriptor, part.name, false)
        throw part.replacedOutside
    }

    func sync() throws(SessionError) { try folder.sync() }

    /// Gives the part the owner and mode of the old file; false if it cannot have its owner.
    ///
    /// The set-user-ID and set-group-ID bits are dropped with the new bytes.
    private func takeOver(_ old: FileStatus, _ part: PartFile) throws(SessionError) -> Bool {
        guard let own = FileStatus(descriptor: part.descriptor) else { throw failure(errno) }
        if own.owner != old.owner || own.group != old.group {
            var isGiven = false
            try part.change(to: try part.size()) { () throws(SessionError) in
                isGiven = fchown(part.descriptor, old.owner, old.group) == 0
            }
            // If the file cannot be written in place either, a different group is accepted.
            guard isGiven || own.owner == old.owner && faccessat(folder.descriptor, name, W_OK, AT_EACCESS) != 0 else {
                return false
            }
        }
        try part.setMode(old.mode & 0o777)
        return true
    }

    /// Writes the part's bytes into the file; after an error the part stays.
    private func writeInPlace(
        _ part: PartFile, _ stamp: FileStamp?, because reason: String
    ) throws(SessionError) -> Manner {
        let file = folder.open(name, flags: O_WRONLY)
        guard file >= 0 else { throw failure(errno) }
        defer { close(file) }
        guard FileStatus(descriptor: file)?.kind == .regular else { throw failure(EEXIST) }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)
        defer { buffer.deallocate() }
        var offset: Int64 = 0
        while true {
            let count = pread(part.descriptor, buffer.baseAddress, buffer.count, off_t(offset))
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw part.failure(errno, FileErrors.read) }
            guard count > 0 else { break }
            try write(UnsafeRawBufferPointer(rebasing: buffer[..<count]), to: file, at: offset)
            offset += Int64(count)
        }
        guard ftruncate(file, off_t(offset)) == 0 else { throw failure(errno) }
        stamp?.apply(to: file)
        while fsync(file) != 0 {
            guard errno == EINTR else { throw failure(errno) }
        }
        part.folder.remove(part.name, ifIdentity: part.identity)
        return .writtenInPlace(reason)
    }

    private func write(_ bytes: UnsafeRawBufferPointer, to file: Int32, at offset: Int64) throws(SessionError) {
        guard let base = bytes.baseAddress else { return }
        var written = 0
        while written < bytes.count {
            let count = pwrite(file, base + written, bytes.count - written, off_t(offset + Int64(written)))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw failure(count < 0 ? errno : EIO) }
            written += count
        }
    }

    private func failure(_ number: Int32) -> SessionError {
        SystemError.error(number, FileErrors.save, path: path)
    }
}
