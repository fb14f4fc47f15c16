import CLinux
import Glibc

/// The files of one store in its folder: the database with its log and index, and the lock that lets one session use
/// them at a time.
///
/// A class because it owns the lock, which the kernel frees with the descriptor, however its process ends.
final class TaskStoreFiles: Sendable {
    let folder: Folder
    let name: String
    private let lock: OwnedLock

    /// Checks the folder and takes the lock.
    ///
    /// Throws `sessionInUse` when another session, here or in another process, has it.
    init(identifier: String, folder path: String) throws(SessionError) {
        guard Self.isValid(identifier) else {
            throw SessionError(
                .invalidRequest,
                "A session's identifier has 1 to 64 letters, digits, dots, dashes or underscores and does not begin with a dot"
            )
        }
        let folder = try PrivateFolder.open(path)
        lock = try OwnedLock(identifier + ".lock", in: folder, identifier: identifier)
        self.folder = folder
        name = identifier + ".sqlite"
    }

    /// The database's path.
    var path: String { folder.path(of: name) }

    /// Lets another session have the store.
    func release() { lock.release() }

    /// Whether the last user ended without closing it: the log is still there.
    var wasLeftOpen: Bool { (folder.status(name + "-wal")?.size ?? 0) > 0 }

    /// Makes sure that there is a plain file of this user at the database's name, readable by nobody else.
    ///
    /// SQLite gives its log and index the same mode.
    func prepare() throws(SessionError) {
        let file = folder.open(name, flags: O_RDWR | O_CREAT, mode: 0o600)
        guard file >= 0 else { throw SystemError.error(errno, cannot: "open the saved session", path: path) }
        // Nothing has the database open here, so closing this cannot drop a lock of SQLite's.
        defer { close(file) }
        guard let status = FileStatus(descriptor: file) else {
            throw SystemError.error(errno, cannot: "examine the saved session", path: path)
        }
        guard status.kind == .regular, status.owner == geteuid(), status.links == 1 else {
            throw SessionError(.permission, "The saved session \(path) is not a plain file of yours")
        }
        guard fchmod(file, 0o600) == 0 else {
            throw SystemError.error(errno, cannot: "set the mode of the saved session", path: path)
        }
    }

    /// Moves the three files aside; returns the name that the database has now.
    func setAside() throws(SessionError) -> String {
        let suffix = ".corrupt-" + Self.timestamp()
        for index in 0..<100 {
            let ending = index == 0 ? suffix : "\(suffix)-\(index)"
            guard folder.status(name + ending) == nil else { continue }
            for part in ["-wal", "-shm", ""] {
                let result = folder.rename(name + part, to: name + part + ending, replacing: false)
                guard result != 0, errno != ENOENT else { continue }
                throw SystemError.error(errno, cannot: "move aside", path: path + part)
            }
            try folder.sync()
            return name + ending
        }
        throw SessionError(.storage, "Too many damaged copies of \(path) are in its folder")
    }

    private static func isValid(_ identifier: String) -> Bool {
        (1...64).contains(identifier.utf8.count) && !identifier.hasPrefix(".")
            && identifier.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
                default: false
                }
            }
    }

    private static func timestamp() -> String {
        var seconds = time(nil)
        var parts = tm()
        guard gmtime_r(&seconds, &parts) != nil else { return String(seconds) }
        func padded(_ number: Int32) -> String { number < 10 ? "0\(number)" : String(number) }
        let date = "\(parts.tm_year + 1900)\(padded(parts.tm_mon + 1))\(padded(parts.tm_mday))"
        return date + "T\(padded(parts.tm_hour))\(padded(parts.tm_min))\(padded(parts.tm_sec))Z"
    }
}
