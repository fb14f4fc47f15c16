import CLinux
import Glibc
import SessionSupport

/// The files of one store in its folder: the database with its log and index, and the lock that admits one session at a
/// time.
///
/// A class because it owns the lock, which the kernel releases with the descriptor, however its process ends.
final class TaskStoreFiles: Sendable {
    let folder: Folder
    let name: String
    private let lock: OwnedLock

    /// Checks the folder and takes the lock.
    ///
    /// Throws `sessionInUse` when another session, in this or another process, has it.
    init(identifier: String, folder path: String) throws(SessionError) {
        guard Self.isValid(identifier) else {
            throw SessionError(.invalidRequest, StoreErrors.identifier)
        }
        let folder = try PrivateFolder.open(path)
        lock = try OwnedLock(Self.lockName(of: identifier), in: folder, identifier: identifier)
        self.folder = folder
        name = identifier + ".sqlite"
    }

    static func lockName(of identifier: String) -> String { identifier + ".lock" }

    var path: String { folder.path(of: name) }

    /// Releases the store to other sessions.
    func release() { lock.release() }

    var logName: String { name + "-wal" }

    /// The state at the last commit; nil if unknown.
    var mark: StoreCommitMarker? {
        get { lock.readMark() }
        set { if let newValue { lock.write(newValue) } }
    }

    /// The fault of files that SQLite would still open, in words; nil for none.
    var hiddenDamage: String? {
        let size = folder.status(name)?.size
        // SQLite removes the log of a database without a page.
        if size ?? 0 == 0, wasLeftOpen { return size == nil ? StoreReasons.missing : StoreReasons.empty }
        // A user who removes all of it starts with an empty store.
        guard let mark, let size else { return nil }
        let file = folder.open(name, flags: O_RDONLY)
        guard file >= 0 else { return nil }
        // The database is not open here, so closing this cannot drop a lock of SQLite's.
        defer { close(file) }
        return mark.contradiction(StoreHeader(descriptor: file, fileSize: size), hasLog: wasLeftOpen)
    }

    /// True if the database does not exist yet.
    var isNew: Bool { (folder.status(name)?.size ?? 0) == 0 }

    /// True if the last user ended without closing it: the log still exists.
    var wasLeftOpen: Bool { (folder.status(logName)?.size ?? 0) > 0 }

    /// Ensures that a plain file of this user exists at the database's name, private to this user.
    ///
    /// SQLite gives its log and index the same mode.
    func prepare() throws(SessionError) {
        let file = folder.open(name, flags: O_RDWR | O_CREAT, mode: 0o600)
        guard file >= 0 else { throw SystemError.error(errno, FileErrors.openSession, path: path) }
        // The database is not open here, so closing this cannot drop a lock of SQLite's.
        defer { close(file) }
        guard let status = FileStatus(descriptor: file) else {
            throw SystemError.error(errno, FileErrors.examineSession, path: path)
        }
        guard status.kind == .regular, status.owner == geteuid(), status.links == 1 else {
            throw SessionError(.permission, StoreErrors.notPlain(path))
        }
        guard fchmod(file, 0o600) == 0 else {
            throw SystemError.error(errno, FileErrors.setSessionMode, path: path)
        }
    }

    /// Moves the three files aside; returns the new names of the database and its log.
    func setAside() throws(SessionError) -> (database: String, log: String) {
        let suffix = ".corrupt-" + UniversalTime(Int64(time(nil))).stamp
        for index in 0..<100 {
            let ending = index == 0 ? suffix : "\(suffix)-\(index)"
            guard folder.status(name + ending) == nil else { continue }
            for part in ["-wal", "-shm", ""] {
                let result = folder.rename(name + part, to: name + part + ending, replacing: false)
                guard result != 0, errno != ENOENT else { continue }
                throw SystemError.error(errno, FileErrors.moveAside, path: path + part)
            }
            try folder.sync()
            return (name + ending, logName + ending)
        }
        throw SessionError(.storage, StoreErrors.tooManyCopies(path))
    }

    static func isValid(_ identifier: String) -> Bool {
        (1...64).contains(identifier.utf8.count) && !identifier.hasPrefix(".")
            && identifier.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
                default: false
                }
            }
    }
}

/// The default folder of persistent sessions' stores.
enum StoreFolder {
    /// Returns a folder in the user's state folder, as in the XDG base directory specification.
    ///
    /// Throws `notFound` when the environment names no home.
    static func defaultPath() throws(SessionError) -> String {
        // The specification says that a relative path must be ignored.
        if let state = variable("XDG_STATE_HOME"), state.hasPrefix("/") { return state + "/sessioncore" }
        guard let home = variable("HOME"), home.hasPrefix("/") else {
            throw SessionError(.notFound, StoreErrors.noHome)
        }
        return home + "/.local/state/sessioncore"
    }

    private static func variable(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }
}

/// A folder that belongs to this user alone, created when it is missing.
private enum PrivateFolder {
    /// Opens the folder.
    ///
    /// Throws `permission` when it belongs to another user or is accessible to others, and `storage` when it is a
    /// symbolic link or on a network file system.
    static func open(_ given: String) throws(SessionError) -> Folder {
        // With a trailing slash a link would be followed.
        var path = given
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        try create(path)
        try check(path)
        let folder = try Folder(path: path, creating: false)
        guard !NetworkFileSystem.holds(descriptor: folder.descriptor) else {
            throw SessionError(.storage, StoreErrors.onNetwork(path))
        }
        return folder
    }

    /// Creates the folder; missing parents get the same private mode.
    private static func create(_ path: String) throws(SessionError) {
        var current = path.hasPrefix("/") ? "/" : ""
        for component in path.split(separator: "/") {
            current += current.isEmpty || current.hasSuffix("/") ? component : "/" + component
            guard mkdir(current, 0o700) != 0 else { continue }
            let number = errno
            // The folder may exist even if creating it was refused for another reason, such as a read-only file system
            // above it.
            guard access(current, F_OK) != 0 else { continue }
            throw SystemError.error(number, FileErrors.createFolder, path: current)
        }
    }

    private static func check(_ path: String) throws(SessionError) {
        var raw = stat()
        guard lstat(path, &raw) == 0 else { throw SystemError.error(errno, FileErrors.examineFolder, path: path) }
        let status = FileStatus(raw)
        guard status.kind != .symbolicLink else {
            throw SessionError(.storage, StoreErrors.link(path))
        }
        guard status.kind == .folder else { throw SystemError.error(ENOTDIR, FileErrors.useAsFolder, path: path) }
        guard status.owner == geteuid() else {
            throw SessionError(.permission, StoreErrors.otherOwner(path))
        }
        guard raw.st_mode & 0o077 == 0 else {
            throw SessionError(.permission, StoreErrors.open(path))
        }
    }
}

/// The process that has a store open, written into its lock file after the mark.
///
/// The kernel reports no process for locks of this kind. The number only helps users; no decision depends on it,
/// because it may briefly be an earlier owner's, or one of another namespace.
enum StoreHolder {
    private static let length = 20

    /// Best effort, like the mark.
    static func write(descriptor: Int32) {
        var line = Array("process \(getpid())".utf8)
        line += repeatElement(0x20, count: length - 1 - line.count)
        line.append(0x0A)
        _ = pwrite(descriptor, line, line.count, off_t(StoreCommitMarker.form.length))
    }

    /// Returns the process; nil if it is unknown, or no longer exists.
    static func read(descriptor: Int32) -> Int32? {
        guard let line = StoreLog.read(descriptor, length, at: Int64(StoreCommitMarker.form.length)) else { return nil }
        let words = String(decoding: line, as: UTF8.self).split { $0 == " " || $0 == "\n" }
        guard words.count == 2, words[0] == "process", let number = Int32(words[1]), number > 0,
            kill(number, 0) == 0 || errno == EPERM
        else { return nil }
        return number
    }
}

/// A lock file, locked until it is released or this object is freed.
///
/// A class because it owns a descriptor, and with it the lock.
///
/// The file itself stays: removing it would let two processes lock two files of one name.
private final class OwnedLock: Sendable {
    private let descriptor: Locked<Int32?>

    /// Locks the store or throws `sessionInUse`; it never waits.
    init(_ name: String, in folder: Folder, identifier: String) throws(SessionError) {
        let file = folder.open(name, flags: O_RDWR | O_CREAT, mode: 0o600)
        guard file >= 0 else { throw SystemError.error(errno, FileErrors.open, path: folder.path(of: name)) }
        guard cl_lock_exclusive(file) == 0 else {
            let number = errno
            let holder = StoreHolder.read(descriptor: file)
            close(file)
            guard number == EAGAIN || number == EACCES else {
                throw SystemError.error(number, FileErrors.lock, path: folder.path(of: name))
            }
            throw Self.inUse(identifier, by: holder, number)
        }
        StoreHolder.write(descriptor: file)
        descriptor = Locked(file)
    }

    deinit { release() }

    private static func inUse(_ identifier: String, by process: Int32?, _ number: Int32) -> SessionError {
        let message =
            process == getpid()
            ? StoreErrors.inUseHere(identifier)
            : process.map { StoreErrors.inUse(identifier, process: $0) } ?? StoreErrors.inUse(identifier)
        var error = SessionError(.sessionInUse, message, errno: number)
        error.holdingProcess = process
        return error
    }

    func readMark() -> StoreCommitMarker? {
        descriptor.withLock { $0 }.flatMap { StoreLog.read($0, StoreCommitMarker.form.length, at: 0) }.flatMap(
            StoreCommitMarker.init(line:))
    }

    /// Best effort: without the mark a later loss goes unnoticed, with no other effect.
    func write(_ mark: StoreCommitMarker) {
        guard let file = descriptor.withLock({ $0 }) else { return }
        let line = mark.line
        _ = pwrite(file, line, line.count, 0)
    }

    /// Releases the lock; may be called twice.
    func release() {
        let file = descriptor.withLock { descriptor in
            defer { descriptor = nil }
            return descriptor
        }
        if let file { _ = cl_close_unlocked(file) }
    }
}
