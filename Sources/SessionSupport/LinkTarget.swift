import Glibc

/// Where a path leads in the end, with the links at its name followed.
package enum LinkTarget: Sendable, Equatable {
    /// A name in a folder, which may be free.
    case name(String, folder: String)
    /// An open file of this process, as `/dev/stdout` is.
    case descriptor(Int32)

    /// As many links as the kernel follows.
    private static let linkLimit = 40

    /// Follows the links at a path's name.
    ///
    /// A link of another user leads nowhere: what stands at its name is the link itself, so that a shared folder cannot
    /// choose a file of this user's. The same where its folder is not there, or where links lead in a circle.
    package static func follow(_ path: String) -> LinkTarget {
        var (folder, name) = parts(path)
        let first = LinkTarget.name(name, folder: folder)
        for _ in 0..<linkLimit {
            guard let real = realPath(folder) else { return .name(name, folder: folder) }
            folder = real
            if let number = descriptor(name, in: folder) { return .descriptor(number) }
            var facts = stat()
            let full = joined(folder, name)
            guard lstat(full, &facts) == 0, facts.st_mode & S_IFMT == S_IFLNK, isTrusted(facts, in: folder),
                !folder.hasPrefix("/proc/"), let target = destination(of: full)
            else { return .name(name, folder: folder) }
            (folder, name) = parts(target.hasPrefix("/") ? target : joined(folder, target))
        }
        return first
    }

    /// The path of a name in a folder.
    package static func joined(_ folder: String, _ name: String) -> String {
        folder.hasSuffix("/") ? folder + name : folder + "/" + name
    }

    /// Whether a path leads to something that is neither a file nor a folder: a pipe, a socket or a device.
    package static func isReadOnce(_ path: String) -> Bool {
        var facts = stat()
        guard stat(path, &facts) == 0 else { return false }
        return ![S_IFREG, S_IFDIR].contains(facts.st_mode & S_IFMT)
    }

    /// Whether a path leads to a device that gives bytes without end: `/dev/zero`, `/dev/full` and the random ones.
    package static func isEndless(_ path: String) -> Bool {
        var facts = stat()
        guard stat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFCHR else { return false }
        // The kernel's device numbers, major 1 and minor 5, 7, 8 and 9.
        return [0x105, 0x107, 0x108, 0x109].contains(facts.st_rdev)
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

    /// What a link says; nil where it cannot be read.
    package static func destination(of link: String) -> String? {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(link, &bytes, bytes.count)
        guard count > 0, count < bytes.count else { return nil }
        return String(decoding: bytes[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The number of an open file of this process that a name in the kernel's list of them stands for.
    private static func descriptor(_ name: String, in folder: String) -> Int32? {
        guard folder.hasPrefix("/proc/\(getpid())/"), folder.hasSuffix("/fd"), let number = Int32(name), number >= 0,
            fcntl(number, F_GETFD) >= 0
        else { return nil }
        return number
    }

    /// Whether a link was made by this user, by root, or by the owner of its folder where root does not follow it.
    private static func isTrusted(_ link: stat, in folder: String) -> Bool {
        let user = geteuid()
        if link.st_uid == user || link.st_uid == 0 { return true }
        var facts = stat()
        return user != 0 && stat(folder, &facts) == 0 && facts.st_uid == link.st_uid
    }
}
