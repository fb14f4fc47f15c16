import CLinux
import Glibc
import SessionSupport

/// A folder held open, so that everything later happens in this very folder, whatever its path comes to mean.
///
/// A class because it owns a descriptor. Safe from any thread: its contents never change. No name given to it may
/// contain a slash, so nothing outside can be reached.
final class Folder: Sendable {
    /// The path as it was given, without trailing slashes, for sentences and for results.
    let path: String
    /// What stands before a name in its path.
    private let prefix: String
    /// The open folder.
    let descriptor: Int32
    /// Which folder it is.
    let identity: FileStatus.Identity
    /// Whether it lies on another machine.
    let isRemote: Bool
    /// What is gained by syncing the whole file system for many files at once.
    let groupSync: GroupSync
    /// Names of parts' metas; see ``partMetas(_:)``.
    let knownMetas = Locked(NameIndex())
    private let groupedSync = FolderSync()

    /// Opens a folder.
    /// - Parameter creating: whether it and its parents are created when missing, with mode 0755 less the umask.
    init(path: String, creating: Bool = true) throws(SessionError) {
        var trimmed = path[...]
        while trimmed.count > 1, trimmed.hasSuffix("/") { trimmed.removeLast() }
        let path = trimmed.isEmpty ? "." : String(trimmed)
        guard !path.utf8.contains(0) else {
            throw SessionError(.invalidRequest, StorageErrors.folderWithNUL)
        }
        let flags = O_RDONLY | O_DIRECTORY
        var descriptor = cl_openat(AT_FDCWD, path, flags, 0)
        if descriptor < 0, errno == ENOENT, creating {
            try Self.createWithParents(path)
            descriptor = cl_openat(AT_FDCWD, path, flags, 0)
        }
        guard descriptor >= 0 else {
            throw errno == ENOTDIR
                ? SessionError(.storage, FileErrors.useAsFolder(path, FileReasons.isNoFolder), errno: ENOTDIR)
                : SystemError.error(errno, FileErrors.openFolder, path: path)
        }
        guard let status = FileStatus(descriptor: descriptor) else {
            let number = errno
            Glibc.close(descriptor)
            throw SystemError.error(number, FileErrors.examineFolder, path: path)
        }
        self.path = path
        prefix = path == "/" ? path : path + "/"
        self.descriptor = descriptor
        identity = status.identity
        isRemote = NetworkFileSystem.holds(descriptor: descriptor)
        groupSync = GroupSync(descriptor: descriptor)
    }

    deinit {
        Glibc.close(descriptor)
    }

    private static func createWithParents(_ path: String) throws(SessionError) {
        var current = path.hasPrefix("/") ? "/" : ""
        for component in path.split(separator: "/") {
            current += current.isEmpty || current.hasSuffix("/") ? component : "/" + component
            guard mkdir(current, 0o755) != 0, errno != EEXIST, errno != EISDIR else { continue }
            throw SystemError.error(errno, FileErrors.createFolder, path: current)
        }
    }

    /// The path of a name in this folder.
    func path(of name: String) -> String {
        var result = ""
        result.reserveCapacity(prefix.utf8.count + name.utf8.count)
        result.append(prefix)
        result.append(name)
        return result
    }

    /// Opens a file of this folder without following a link at its name.
    ///
    /// Returns -1 with `errno` set on failure. `O_NONBLOCK` keeps a FIFO at the name from holding the thread; it means nothing for a regular file.
    func open(_ name: String, flags: Int32, mode: mode_t = 0) -> Int32 {
        guard Self.isComponent(name) else {
            errno = EINVAL
            return -1
        }
        return cl_openat(descriptor, name, flags | O_NOFOLLOW | O_NONBLOCK, mode)
    }

    /// The status of a name, of a link itself rather than what it names; nil with `errno` set on failure.
    func status(_ name: String) -> FileStatus? {
        var raw = stat()
        guard fstatat(descriptor, name, &raw, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
        return FileStatus(raw)
    }

    /// The status of what a link leads to; nil with `errno` set where it leads nowhere.
    func targetStatus(_ name: String) -> FileStatus? {
        var raw = stat()
        guard fstatat(descriptor, name, &raw, 0) == 0 else { return nil }
        return FileStatus(raw)
    }

    /// Renames within this folder.
    ///
    /// Returns 0, or -1 with `errno` set: EEXIST when the target exists and must not be replaced. Without replacing it may
    /// also be 1 with `errno` set: the file has the new name, and the old one could not be removed.
    func rename(_ from: String, to: String, replacing: Bool) -> Int32 {
        cl_rename_at(descriptor, from, descriptor, to, replacing)
    }

    /// Removes a name if it still is the file it is believed to be.
    ///
    /// A missing name counts as removed.
    /// - Returns: whether nothing of that identity is left at the name.
    @discardableResult
    func remove(_ name: String, ifIdentity identity: FileStatus.Identity) -> Bool {
        guard let status = status(name) else { return errno == ENOENT }
        guard status.identity == identity, status.kind == .regular else { return true }
        return unlinkat(descriptor, name, 0) == 0 || errno == ENOENT
    }

    /// Makes renames, creations and removals in this folder durable.
    ///
    /// Callers at one time share one sync, and an error only where it lasts, or where nobody knows what a success after it
    /// is worth. A file system that cannot sync a folder does what it does by itself.
    func sync() throws(SessionError) {
        try groupedSync.join(asksAgain: groupSync != .unknown) {
            while fsync(self.descriptor) != 0 {
                let number = errno
                if cl_is_unsupported(number) { return nil }
                guard number == EINTR else {
                    return SystemError.error(number, FileErrors.syncFolder, path: self.path)
                }
            }
            return nil
        }
    }

    /// Throws `permission` or `readOnly` when no file can be created here.
    func checkWritable() throws(SessionError) {
        guard faccessat(descriptor, ".", W_OK | X_OK, AT_EACCESS) != 0 else { return }
        throw SystemError.error(errno, FileErrors.writeToFolder, path: path)
    }

    /// Bytes that may still be written here; nil when the file system does not say.
    var freeBytes: Int64? {
        var raw = statvfs()
        guard fstatvfs(descriptor, &raw) == 0 else { return nil }
        return Int64(clamping: UInt64(raw.f_bavail).multipliedReportingOverflow(by: UInt64(raw.f_frsize)).partialValue)
    }

    /// Every name in this folder but `.` and `..`.
    func names() throws(SessionError) -> [String] {
        let copy = cl_openat(descriptor, ".", O_RDONLY | O_DIRECTORY, 0)
        guard copy >= 0 else { throw SystemError.error(errno, FileErrors.listFolder, path: path) }
        guard let stream = fdopendir(copy) else {
            let number = errno
            Glibc.close(copy)
            throw SystemError.error(number, FileErrors.listFolder, path: path)
        }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { raw in
                String(decoding: raw.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    /// Whether a name is a single component that stays in its folder.
    static func isComponent(_ name: String) -> Bool {
        !name.isEmpty && name != "." && name != ".." && !name.utf8.contains(0x2F) && !name.utf8.contains(0)
    }
}

/// Tells file systems that lie on another machine, where locks and shared memory do not hold what a store needs.
enum NetworkFileSystem {
    /// The types `statfs` gives for them: AFS, Ceph, CIFS, Coda, NCP, NFS, 9P, SMB, SMB 2, Lustre.
    static let types: Set<UInt32> = [
        0x5346_414F, 0x00C3_6400, 0xFF53_4D42, 0x7375_7245, 0x0000_564C, 0x0000_6969, 0x0102_1997, 0x0000_517B,
        0xFE53_4D42, 0x0BD0_0BD0,
    ]

    /// Whether an open file or folder lies on one.
    ///
    /// One that does not say is taken for a local one.
    static func holds(descriptor: Int32) -> Bool {
        var type: UInt32 = 0
        return cl_file_system_type(descriptor, &type) == 0 && isNetwork(type: type)
    }

    /// Whether a type is that of one.
    static func isNetwork(type: UInt32) -> Bool { types.contains(type) }
}
