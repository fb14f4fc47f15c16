import CLinux
import Glibc
import SessionSupport

/// Reads facts about the machine from the system.
package enum MachineInfo {
    /// Whether the clock is synchronised; nil where the kernel does not say.
    package static var clockIsKept: Bool? {
        let state = cl_clock_is_kept()
        return state < 0 ? nil : state == 1
    }

    /// The most descriptors that the program may have open at a time.
    package static var descriptorLimit: Int64 {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 0 }
        return Int64(clamping: limit.rlim_max)
    }

    /// Bytes that this user may still write in a folder, or in its nearest existing parent.
    package static func freeBytes(of folder: String) -> Int64? {
        var path = folder
        while true {
            var status = statvfs()
            if statvfs(path, &status) == 0 {
                return Int64(clamping: UInt64(status.f_bavail) &* UInt64(status.f_frsize))
            }
            guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return nil }
            path = String(path[..<slash])
        }
    }

    /// Why files cannot be created in a folder; nil when they can.
    package static func problem(withFolder path: String) -> String? {
        var status = stat()
        guard stat(path, &status) == 0 else { return SystemWords.text(errno) }
        guard status.st_mode & S_IFMT == S_IFDIR else { return FolderReasons.noFolder }
        return access(path, W_OK | X_OK) == 0 ? nil : FolderReasons.unwritable(SystemWords.text(errno))
    }

    /// Why the folder of saved sessions, which is the user's alone, cannot be used or made; nil when it can.
    package static func problem(withPrivateFolder path: String) -> String? {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            guard errno == ENOENT, let slash = path.lastIndex(of: "/") else { return SystemWords.text(errno) }
            let parent = slash == path.startIndex ? "/" : String(path[..<slash])
            guard access(parent, F_OK) == 0 else {
                return parent == "/" ? SystemWords.text(errno) : problem(withPrivateFolder: parent)
            }
            return problem(withFolder: parent).map { FolderReasons.unmakeable(in: parent, $0) }
        }
        if status.st_mode & S_IFMT == S_IFLNK { return FolderReasons.link }
        if let problem = problem(withFolder: path) { return problem }
        if status.st_uid != geteuid() { return FolderReasons.otherOwner }
        return status.st_mode & 0o077 == 0 ? nil : FolderReasons.open(path)
    }

    /// The names in a folder; empty when it cannot be read.
    package static func names(in folder: String) -> [String] {
        guard let handle = opendir(folder) else { return [] }
        defer { closedir(handle) }
        var names: [String] = []
        while let entry = readdir(handle) {
            names.append(
                withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
        }
        return names
    }
}
