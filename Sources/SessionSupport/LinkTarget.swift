import Glibc

/// The final target of a path, with the links at its name followed.
package enum LinkTarget: Sendable, Equatable {
    /// A name in a folder, which may be free.
    case name(String, folder: String)
    /// An open file of this process, such as `/dev/stdout`.
    case descriptor(Int32)

    /// The kernel's limit.
    private static let linkLimit = 40

    /// Follows the links at a path's name.
    ///
    /// A link of another user is not followed: its name then refers to the link itself, so that a shared folder cannot
    /// choose a file of this user's. The same applies to a link into a missing folder, and to a cycle of links.
    package static func follow(_ path: String) -> LinkTarget {
        var (folder, name) = parts(path)
        let first = LinkTarget.name(name, folder: folder)
        for _ in 0..<linkLimit {
            guard let real = realPath(folder) else { return .name(name, folder: folder) }
            folder = real
            if let number = descriptor(name, in: folder) { return .descriptor(number) }
            var status = stat()
            let full = joined(folder, name)
            guard lstat(full, &status) == 0, status.st_mode & S_IFMT == S_IFLNK, isTrusted(status, in: folder),
                !folder.hasPrefix("/proc/"), let target = destination(of: full)
            else { return .name(name, folder: folder) }
            (folder, name) = parts(target.hasPrefix("/") ? target : joined(folder, target))
        }
        return first
    }

    package static func joined(_ folder: String, _ name: String) -> String {
        folder.hasSuffix("/") ? folder + name : folder + "/" + name
    }

    /// Returns whether a path leads to a pipe, a socket or a device, and not to a file or a folder.
    package static func isReadOnce(_ path: String) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0 else { return false }
        return ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT)
    }

    /// Returns whether a path leads to an endless device: `/dev/zero`, `/dev/full` and the random ones.
    package static func isEndless(_ path: String) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFCHR else { return false }
        // These are the kernel's device numbers, major 1 and minor 5, 7, 8 and 9.
        return [0x105, 0x107, 0x108, 0x109].contains(status.st_rdev)
    }

    private static func parts(_ path: String) -> (folder: String, name: String) {
        guard let slash = path.lastIndex(of: "/") else { return (".", path) }
        let folder = path[..<slash]
        return (folder.isEmpty ? "/" : String(folder), String(path[path.index(after: slash)...]))
    }

    private static func realPath(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }

    /// Returns a link's text; nil if unreadable.
    package static func destination(of link: String) -> String? {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(link, &bytes, bytes.count)
        guard count > 0, count < bytes.count else { return nil }
        return String(decoding: bytes[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Returns the number of this process's open file that a name under `/proc/<pid>/fd` refers to.
    private static func descriptor(_ name: String, in folder: String) -> Int32? {
        guard folder.hasPrefix("/proc/\(getpid())/"), folder.hasSuffix("/fd"), let number = Int32(name), number >= 0,
            fcntl(number, F_GETFD) >= 0
        else { return nil }
        return number
    }

    /// Returns whether a link belongs to this user, to root, or to the owner of its folder unless this user is root.
    private static func isTrusted(_ link: stat, in folder: String) -> Bool {
        let user = geteuid()
        if link.st_uid == user || link.st_uid == 0 { return true }
        var status = stat()
        return user != 0 && stat(folder, &status) == 0 && status.st_uid == link.st_uid
    }
}
