import CLinux
import Glibc
import SessionSupport

/// An open folder, so that all later operations happen in this folder even if its path changes.
///
/// A class because it owns a descriptor. Safe from any thread: its contents never change. A name given to it must not
/// contain a slash, so files outside cannot be reached.
final class Folder: Sendable {
    /// The path as given, without trailing slashes, for messages and results.
    let path: String
    /// The path with a trailing slash.
    private let prefix: String
    let descriptor: Int32
    let identity: FileStatus.Identity
    /// True if the folder is on another machine.
    let isRemote: Bool
    /// The benefit of syncing the file system for many files at once.
    let groupSync: GroupSync
    /// What is known of its names: the parts' metas, see ``partMetas(_:)``, and all names a moment ago.
    let knownNames = Locked(NameIndex())
    private let groupedSync = FolderSync()
    /// The folders that were missing and made for this one, outermost first.
    private let madeFolders: [String]

    /// Opens a folder.
    /// - Parameters:
    ///   - creating: creates it and its parents if missing, with mode 0755 limited by the umask.
    ///   - isPrivate: throws `permission` for another user's folder, and gives this user's and a new one the mode 0700;
    ///     nil to decide by the path, see ``StagingFolder``.
    init(path: String, creating: Bool = true, isPrivate: Bool? = nil) throws(SessionError) {
        var trimmed = path[...]
        while trimmed.count > 1, trimmed.hasSuffix("/") { trimmed.removeLast() }
        let path = trimmed.isEmpty ? "." : String(trimmed)
        guard !path.utf8.contains(0) else {
            throw SessionError(.invalidRequest, StorageErrors.folderWithNUL)
        }
        let isPrivate = isPrivate ?? StagingFolder.isShared(path)
        let flags = O_RDONLY | O_DIRECTORY | (isPrivate ? O_NOFOLLOW : 0)
        var descriptor = cl_openat(AT_FDCWD, path, flags, 0)
        var made: [String] = []
        if descriptor < 0, errno == ENOENT, creating {
            made = try Self.createWithParents(path, isPrivate ? 0o700 : 0o755)
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
        guard !isPrivate || Self.makePrivate(descriptor, status) else {
            Glibc.close(descriptor)
            throw SessionError(.permission, StorageErrors.folderOfAnotherUser(path))
        }
        self.path = path
        prefix = path == "/" ? path : path + "/"
        self.descriptor = descriptor
        identity = status.identity
        isRemote = NetworkFileSystem.holds(descriptor: descriptor)
        groupSync = GroupSync(descriptor: descriptor)
        madeFolders = made
    }

    deinit {
        Glibc.close(descriptor)
    }

    /// Returns whether a folder is this user's, with no rights for others.
    private static func makePrivate(_ descriptor: Int32, _ status: FileStatus) -> Bool {
        guard StagingFolder.isOwn(status, user: geteuid()) else { return false }
        // A file system without modes keeps its own, which an earlier folder may have too.
        return status.mode & 0o077 == 0 || fchmod(descriptor, 0o700) == 0 || status.mode & 0o022 == 0
    }

    /// Makes the missing folders of a path, and returns the ones that it made, outermost first.
    private static func createWithParents(_ path: String, _ mode: mode_t) throws(SessionError) -> [String] {
        var made: [String] = []
        var current = path.hasPrefix("/") ? "/" : ""
        for component in path.split(separator: "/") {
            current += current.isEmpty || current.hasSuffix("/") ? component : "/" + component
            guard mkdir(current, mode) != 0 else {
                made.append(current)
                continue
            }
            guard errno != EEXIST, errno != EISDIR else { continue }
            throw SystemError.error(errno, FileErrors.createFolder, path: current)
        }
        return made
    }

    /// Removes the folders that were made for this one, as far as nothing is in them.
    func removeIfMade() {
        for path in madeFolders.reversed() { guard rmdir(path) == 0 else { return } }
    }

    func path(of name: String) -> String {
        var result = ""
        result.reserveCapacity(prefix.utf8.count + name.utf8.count)
        result.append(prefix)
        result.append(name)
        return result
    }

    /// Opens a file of this folder without following a link at its name.
    ///
    /// Returns -1 with `errno` set on failure. `O_NONBLOCK` keeps a FIFO at the name from blocking the thread; it has
    /// no effect on a regular file.
    func open(_ name: String, flags: Int32, mode: mode_t = 0) -> Int32 {
        guard Self.isComponent(name) else {
            errno = EINVAL
            return -1
        }
        return cl_openat(descriptor, name, flags | O_NOFOLLOW | O_NONBLOCK, mode)
    }

    /// Returns the status of a name, of a link itself rather than its target; nil with `errno` set on failure.
    func status(_ name: String) -> FileStatus? {
        var raw = stat()
        guard fstatat(descriptor, name, &raw, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
        return FileStatus(raw)
    }

    /// Returns the status of a link's target; nil with `errno` set if it has none.
    func targetStatus(_ name: String) -> FileStatus? {
        var raw = stat()
        guard fstatat(descriptor, name, &raw, 0) == 0 else { return nil }
        return FileStatus(raw)
    }

    /// Renames within this folder.
    ///
    /// Returns 0, or -1 with `errno` set: EEXIST when the target exists and must not be replaced. Without replacing it
    /// may also return 1 with `errno` set: the file has the new name, and the old one could not be removed.
    func rename(_ from: String, to: String, replacing: Bool) -> Int32 {
        cl_rename_at(descriptor, from, descriptor, to, replacing)
    }

    /// Removes a name if it still refers to the expected file.
    ///
    /// A missing name counts as removed.
    /// - Returns: true if no file of that identity remains at the name.
    @discardableResult
    func remove(_ name: String, ifIdentity identity: FileStatus.Identity) -> Bool {
        guard let status = status(name) else { return errno == ENOENT }
        guard status.identity == identity, status.kind == .regular else { return true }
        return unlinkat(descriptor, name, 0) == 0 || errno == ENOENT
    }

    /// Makes renames, creations and removals in this folder durable.
    ///
    /// Concurrent callers share one sync. They share its error only if it persists, or if a later success would prove
    /// nothing. On a file system that cannot sync folders this has no effect.
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

    /// Bytes that may still be written here; nil when the file system does not report it.
    var freeBytes: Int64? {
        var raw = statvfs()
        guard fstatvfs(descriptor, &raw) == 0 else { return nil }
        return Int64(clamping: UInt64(raw.f_bavail).multipliedReportingOverflow(by: UInt64(raw.f_frsize)).partialValue)
    }

    /// Returns every name in this folder but `.` and `..`.
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

    /// Returns whether a name is a single component that stays in its folder.
    static func isComponent(_ name: String) -> Bool {
        !name.isEmpty && name != "." && name != ".." && !name.utf8.contains(0x2F) && !name.utf8.contains(0)
    }
}

/// Detects network file systems, where locks and shared memory do not give a store the guarantees it needs.
enum NetworkFileSystem {
    /// Their `statfs` types: AFS, Ceph, CIFS, Coda, NCP, NFS, 9P, SMB, SMB 2, Lustre.
    static let types: Set<UInt32> = [
        0x5346_414F, 0x00C3_6400, 0xFF53_4D42, 0x7375_7245, 0x0000_564C, 0x0000_6969, 0x0102_1997, 0x0000_517B,
        0xFE53_4D42, 0x0BD0_0BD0,
    ]

    /// Returns whether an open file or folder is on one.
    ///
    /// A file system without a reported type counts as local.
    static func holds(descriptor: Int32) -> Bool {
        var type: UInt32 = 0
        return cl_file_system_type(descriptor, &type) == 0 && isNetwork(type: type)
    }

    static func isNetwork(type: UInt32) -> Bool { types.contains(type) }
}
