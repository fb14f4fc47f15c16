import CLinux
import Glibc

/// A folder that belongs to this user alone, created when it is missing.
enum PrivateFolder {
    /// Opens it.
    ///
    /// Throws `permission` when it is somebody else's or others may look into it, and `storage` when it is a symbolic
    /// link or on a network file system.
    static func open(_ given: String) throws(SessionError) -> Folder {
        // With a slash at its end a link would be followed.
        var path = given
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        try create(path)
        try check(path)
        let folder = try Folder(path: path, creating: false)
        guard !NetworkFileSystem.holds(descriptor: folder.descriptor) else {
            throw SessionError(
                .storage, "The saved session's folder \(path) is on a network file system: use a local one")
        }
        return folder
    }

    /// Missing parents are as private as the folder itself.
    private static func create(_ path: String) throws(SessionError) {
        var current = path.hasPrefix("/") ? "/" : ""
        for component in path.split(separator: "/") {
            current += current.isEmpty || current.hasSuffix("/") ? component : "/" + component
            guard mkdir(current, 0o700) != 0 else { continue }
            let number = errno
            // Whatever refused to create it, such as a read-only file system above it: it may be there already.
            guard access(current, F_OK) != 0 else { continue }
            throw SystemError.error(number, cannot: "create the folder", path: current)
        }
    }

    private static func check(_ path: String) throws(SessionError) {
        var raw = stat()
        guard lstat(path, &raw) == 0 else { throw SystemError.error(errno, cannot: "examine the folder", path: path) }
        let status = FileStatus(raw)
        guard status.kind != .symbolicLink else {
            throw SessionError(
                .storage, "The saved session's folder \(path) is a symbolic link: name the folder itself")
        }
        guard status.kind == .folder else { throw SystemError.error(ENOTDIR, cannot: "use as a folder", path: path) }
        guard status.owner == geteuid() else {
            throw SessionError(.permission, "The saved session's folder \(path) belongs to another user")
        }
        guard raw.st_mode & 0o077 == 0 else {
            throw SessionError(
                .permission, "The saved session's folder \(path) is open to others: make its mode 0700 (chmod 700)")
        }
    }
}
