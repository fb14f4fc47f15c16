import CLinux
import Glibc
import SessionSupport

/// The socket of a session's service, in a folder that only its user can enter.
///
/// `$XDG_RUNTIME_DIR/netdash`, else `/tmp/netdash-UID`, as tmux has it; both with mode 0700, the socket with 0600.
package struct ServiceSocket: Sendable, Equatable {
    package enum Problem: Error, Equatable {
        /// The folder belongs to another user, is a link, or others can enter it.
        case unsafeFolder(String)
        /// The folder's path is too long for a socket, or a call failed.
        case unusable(String, errno: Int32)
        /// Another process has the lock of this session's service.
        case inUse
        /// The socket belongs to a process of another user.
        case foreign
        /// A process has the socket and accepts no connection.
        case silent
    }

    /// The milliseconds that a service may take to accept a connection, and to read what is sent.
    static let patience: Int64 = 10_000

    package let folder: String
    package let name: String
    package let path: String

    /// The socket of a session's service, nil where a session's name is no name of a file.
    package init?(session: String, environment: [String: String]) {
        guard !session.isEmpty, !session.contains("/"), session != ".", session != ".." else { return nil }
        let runtime = environment["XDG_RUNTIME_DIR"].flatMap { $0.hasPrefix("/") ? $0 + "/netdash" : nil }
        self.init(folder: runtime ?? "/tmp/netdash-\(getuid())", name: session)
    }

    package init(folder: String, name: String) {
        (self.folder, self.name, path) = (folder, name, "\(folder)/\(name).sock")
    }

    /// A socket by its absolute path, such as one that ssh forwards; its folder must be the user's alone too.
    package init?(path: String) {
        guard path.hasPrefix("/"), let slash = path.lastIndex(of: "/"), path[slash...].count > 1 else { return nil }
        (self.path, name) = (path, String(path[path.index(after: slash)...]))
        folder = slash == path.startIndex ? "/" : String(path[..<slash])
    }

    private var lockPath: String { "\(folder)/\(name).lock" }

    // MARK: - Listening

    /// A listening socket and the lock that says so to other services.
    struct Listening: Sendable {
        let descriptor: Int32
        let lock: Int32
        /// Whether a service manager has made the socket, which then outlives this service.
        let isInherited: Bool
    }

    /// Listens; a socket that a killed service has left is replaced under its lock.
    ///
    /// - Parameter inherited: the listening descriptor of a service manager, in place of a new one.
    func listen(inherited: Int32? = nil) throws(Problem) -> Listening {
        try prepareFolder()
        let lock = Glibc.open(lockPath, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard lock >= 0 else { throw .unusable(lockPath, errno: errno) }
        guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
            let number = errno
            close(lock)
            throw number == EWOULDBLOCK ? .inUse : .unusable(lockPath, errno: number)
        }
        do throws(Problem) {
            if let inherited { return Listening(descriptor: inherited, lock: lock, isInherited: true) }
            return Listening(descriptor: try bind(), lock: lock, isInherited: false)
        } catch {
            close(lock)
            throw error
        }
    }

    /// Listens anew where the file is missing, and perhaps its folder and the lock.
    func listen(after former: Listening) throws(Problem) -> Listening {
        guard hasLock(former) else { return try listen() }
        return Listening(descriptor: try bind(), lock: former.lock, isInherited: false)
    }

    private func hasLock(_ listening: Listening) -> Bool {
        var (held, found) = (stat(), stat())
        return fstat(listening.lock, &held) == 0 && lstat(lockPath, &found) == 0 && held.st_ino == found.st_ino
            && held.st_dev == found.st_dev
    }

    private func bind() throws(Problem) -> Int32 {
        guard unlink(path) == 0 || errno == ENOENT else { throw .unusable(path, errno: errno) }
        let descriptor = try opened()
        // The mask of the process stays as it is: the folder alone keeps others out until the mode is set.
        guard withAddress({ Glibc.bind(descriptor, $0, $1) }) == 0, chmod(path, 0o600) == 0,
            Glibc.listen(descriptor, 128) == 0
        else {
            let number = errno
            close(descriptor)
            throw .unusable(path, errno: number)
        }
        return descriptor
    }

    /// Whether its file and the lock are there, whichever process has made them: without the lock, a second service could
    /// take its place.
    var exists: Bool {
        [path, lockPath].allSatisfy { (name: String) in
            var status = stat()
            return lstat(name, &status) == 0 || errno != ENOENT
        }
    }

    /// Removes the socket of a service that ends, while it has the lock.
    func remove() {
        // A socket that stays is replaced by the next service.
        _ = unlink(path)
    }

    private func prepareFolder() throws(Problem) {
        guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw .unusable(folder, errno: errno) }
        try checkFolder()
    }

    private func checkFolder() throws(Problem) {
        var status = stat()
        guard lstat(folder, &status) == 0 else { throw .unusable(folder, errno: errno) }
        guard status.st_mode & S_IFMT == S_IFDIR, status.st_uid == getuid(), status.st_mode & 0o077 == 0 else {
            throw .unsafeFolder(folder)
        }
    }

    // MARK: - Connecting

    /// Connects to the service; nil where none listens.
    func connect() throws(Problem) -> Int32? {
        do throws(Problem) {
            try checkFolder()
        } catch .unusable(_, errno: ENOENT) {
            return nil
        }
        let descriptor = try opened()
        // A stopped process accepts nothing: without a limit the call would wait for ever once its backlog is full.
        var time = timeval(tv_sec: Int(Self.patience / 1_000), tv_usec: 0)
        _ = setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
        guard withAddress({ Glibc.connect(descriptor, $0, $1) }) == 0 else {
            let number = errno
            close(descriptor)
            if number == ENOENT || number == ECONNREFUSED { return nil }
            if number == EAGAIN { throw .silent }
            throw .unusable(path, errno: number)
        }
        guard Self.isOwn(descriptor) else {
            close(descriptor)
            throw .foreign
        }
        return descriptor
    }

    /// Whether a service listens that this user may use.
    package var isListening: Bool {
        guard let descriptor = try? connect() else { return false }
        close(descriptor)
        return true
    }

    /// Whether a service could listen here: the folder exists or can be made.
    package var isUsable: Bool {
        do throws(Problem) {
            try prepareFolder()
            return true
        } catch {
            return false
        }
    }

    /// Why no service can listen in the folder, or the folder cannot be made; nil where a service can.
    ///
    /// Makes nothing.
    package var problem: Problem? {
        do throws(Problem) {
            try checkFolder()
        } catch .unusable(_, errno: ENOENT) {
            let parent = folder.lastIndex(of: "/").map { String(folder[..<$0]) + "/" } ?? "."
            return access(parent, W_OK | X_OK) == 0 ? nil : .unusable(folder, errno: errno)
        } catch {
            return error
        }
        return access(folder, W_OK | X_OK) == 0 ? nil : .unusable(folder, errno: errno)
    }

    /// Whether the peer of a connected socket is a process of this user, by the kernel's word.
    static func isOwn(_ descriptor: Int32) -> Bool { cl_peer_user(descriptor) == Int64(getuid()) }

    private func opened() throws(Problem) -> Int32 {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw .unusable(path, errno: errno) }
        return descriptor
    }

    /// Calls a function with the socket's address; ENAMETOOLONG where the path does not fit into one.
    private func withAddress(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
            errno = ENAMETOOLONG
            return -1
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
