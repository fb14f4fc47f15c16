import CLinux
import Glibc
import SessionSupport

/// Puts a whole part in the place of a file that is to be replaced.
///
/// The new file has the mode and the owner of the old one, and a link to it stays a link. A file that cannot be replaced but can
/// be written, such as one that is mounted by itself, is written in place.
struct Replacement {
    /// What became of the old file.
    enum Manner: Equatable {
        case replaced
        /// Its bytes were written into it, for a reason in words.
        case writtenInPlace(String)
    }

    /// Renames a part over the old file, as ``Folder/rename(_:to:replacing:)`` reports it.
    typealias Rename = (PartFile, Folder, String) -> Int32

    /// Where the old file is, with links followed.
    private let folder: Folder
    private let name: String
    /// Why it is written in place; nil where it may be replaced.
    private let obstacle: String?
    private let rename: Rename

    /// The place that a name leads to; throws where no file can be there.
    ///
    /// - Parameter mayReplace: false where the folder takes no new file.
    init(
        _ name: String, in folder: Folder, mayReplace: Bool = true,
        rename: @escaping Rename = { cl_rename_at($0.folder.descriptor, $0.name, $1.descriptor, $2, true) }
    ) throws(SessionError) {
        (self.folder, self.name) = try folder.leading(from: name)
        self.rename = rename
        obstacle = mayReplace ? nil : FileReasons.folderTakesNone
    }

    /// The path of the file itself.
    var path: String { folder.path(of: name) }

    /// Puts a part there; the part's own name is free afterwards.
    func perform(with part: PartFile, stamp: FileStamp?) throws(SessionError) -> Manner {
        guard let old = folder.status(name), old.kind == .regular else {
            // It may have come to be a device or a pipe a moment ago.
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

    /// Looks whether the file that has got the name is the part: its own name may have come to mean another one.
    private func arrived(_ part: PartFile) throws(SessionError) -> Manner {
        guard folder.status(name)?.identity != part.identity else { return .replaced }
        _ = cl_rename_at(folder.descriptor, name, part.folder.descriptor, part.name, false)
        throw part.replacedOutside
    }

    /// Brings the name to the disk.
    func sync() throws(SessionError) { try folder.sync() }

    /// Gives the part owner and mode of the old file; false where it cannot have its owner.
    ///
    /// The rights to run as another user or group do not go with new bytes.
    private func takeOver(_ old: FileStatus, _ part: PartFile) throws(SessionError) -> Bool {
        guard let own = FileStatus(descriptor: part.descriptor) else { throw failure(errno) }
        if own.owner != old.owner || own.group != old.group {
            var isGiven = false
            try part.change(to: try part.size()) { () throws(SessionError) in
                isGiven = fchown(part.descriptor, old.owner, old.group) == 0
            }
            // Where the file cannot be written either, its group is the least of it.
            guard isGiven || own.owner == old.owner && faccessat(folder.descriptor, name, W_OK, AT_EACCESS) != 0 else {
                return false
            }
        }
        try part.setMode(old.mode & 0o777)
        return true
    }

    /// Writes the part's bytes into the file; an error on the way leaves the part.
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
