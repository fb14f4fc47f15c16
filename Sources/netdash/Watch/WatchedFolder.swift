import CLinux
import Glibc
import SessionSupport
import TransferService

/// A watched folder that is open for one look at its files.
///
/// It is closed between two looks: the kernel tells of a folder's removal only when no process has it open.
final class WatchedFolder {
    /// The facts by which a file is known again.
    struct Identity: Sendable, Equatable {
        var device: UInt64
        var inode: UInt64
        var size: Int64
        var changed: Int64
        var changedNanoseconds: Int

        init(_ status: stat) {
            (device, inode) = (UInt64(status.st_dev), UInt64(status.st_ino))
            size = Int64(status.st_size)
            (changed, changedNanoseconds) = (Int64(status.st_mtim.tv_sec), status.st_mtim.tv_nsec)
        }

        /// Whether it is the same file of the same length, with other times at most.
        func isSameFile(as other: Identity) -> Bool {
            (device, inode, size) == (other.device, other.inode, other.size)
        }
    }

    /// The result of looking at a file.
    enum Finding {
        /// Nothing: it is gone, empty or still open for writing, which the kernel tells the end of.
        case leftAlone
        /// Nothing now; it is looked at again a moment later.
        case later
        case refused(String)
        /// Its bytes, and a number that it has until it is changed or moved.
        case read([UInt8], Identity, number: UInt64)
    }

    /// The folder for files whose tasks were added, or the one for refused files.
    enum Place: String {
        case done, refused
    }

    /// A failed call.
    struct Failure: Error {
        var errno: Int32
        var text: String { SystemWords.text(errno) }
    }

    /// The most bytes of a file.
    static let byteLimit = 16 << 20
    /// Seconds without a change after which a file counts as written where the file system cannot tell.
    private static let restSeconds = 2
    /// The most numbers that are tried for a name.
    private static let numberLimit = 10_000

    private let descriptor: Int32
    private let user = geteuid()

    init(_ path: String) throws(Failure) {
        descriptor = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Failure(errno: errno) }
    }

    deinit { close(descriptor) }

    /// The names in the folder, sorted; names that are not UTF-8 are in `unnamed`, with replacements.
    func names() throws(Failure) -> (names: [String], unnamed: [String]) {
        let copy = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard copy >= 0, let stream = fdopendir(copy) else { throw Failure(errno: errno) }
        defer { closedir(stream) }
        var (names, unnamed): ([String], [String]) = ([], [])
        errno = 0
        while let entry = readdir(stream) {
            withUnsafeBytes(of: &entry.pointee.d_name) { raw in
                let bytes = raw.prefix { $0 != 0 }
                if let name = String(validating: bytes, as: UTF8.self) {
                    names.append(name)
                } else {
                    unnamed.append(String(decoding: bytes, as: UTF8.self))
                }
            }
            errno = 0
        }
        guard errno == 0 else { throw Failure(errno: errno) }
        return (names.sorted(), unnamed.sorted())
    }

    // MARK: - Reading

    /// Reads a file, if it is one that may be taken.
    func look(at name: String) -> Finding {
        var status = stat()
        guard fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return .leftAlone }
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFLNK: return .refused(WatchUsage.link)
        case S_IFDIR: return .refused(WatchUsage.folder)
        default: return .refused(WatchUsage.notFile)
        }
        guard status.st_uid == user else { return .refused(WatchUsage.otherUser) }
        guard status.st_size > 0 else { return .leftAlone }
        let file = openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else { return Self.finding(of: errno) }
        defer { close(file) }
        if let delay = Self.delay(of: file) { return delay }
        guard status.st_size <= Self.byteLimit else { return .refused(WatchUsage.tooLarge(Self.byteLimit >> 20)) }
        return Self.read(file)
    }

    /// Returns a hash of all that names this state of a file; a move changes the time of its last status.
    private static func number(of status: stat) -> UInt64 {
        let facts = [
            Int64(bitPattern: UInt64(status.st_dev)), Int64(bitPattern: UInt64(status.st_ino)), Int64(status.st_size),
            Int64(status.st_mtim.tv_sec), Int64(status.st_mtim.tv_nsec), Int64(status.st_ctim.tv_sec),
            Int64(status.st_ctim.tv_nsec),
        ]
        return facts.reduce(StableHash.value("")) { StableHash.value($1, after: $0) }
    }

    private static func finding(of number: Int32) -> Finding {
        switch number {
        case ENOENT, ELOOP, ENXIO: .leftAlone
        case EMFILE, ENFILE, ENOMEM, EINTR, ETXTBSY: .later
        default: .refused(WatchUsage.unreadable(SystemWords.text(number)))
        }
    }

    /// Returns a finding for a file that a process is writing; nil for any other.
    private static func delay(of file: Int32) -> Finding? {
        switch cl_is_open_for_writing(file) {
        case 0: return nil
        case 1: return .leftAlone
        default:
            var status = stat()
            guard fstat(file, &status) == 0 else { return .leftAlone }
            return status.st_mtim.tv_sec + restSeconds < time(nil) ? nil : .later
        }
    }

    private static func read(_ file: Int32) -> Finding {
        var before = stat()
        guard fstat(file, &before) == 0, before.st_mode & S_IFMT == S_IFREG else { return .leftAlone }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Int(clamping: before.st_size))
        do throws(Descriptor.ReadError) {
            while let piece = try Descriptor.read(file, limit: 256 << 10), !piece.isEmpty {
                bytes += piece
                guard bytes.count <= byteLimit else { return .refused(WatchUsage.tooLarge(byteLimit >> 20)) }
            }
        } catch {
            return .refused(WatchUsage.unreadable(error.text))
        }
        var after = stat()
        // A writer that has come meanwhile ends with an event.
        guard fstat(file, &after) == 0, Identity(before) == Identity(after), delay(of: file) == nil else {
            return .later
        }
        return .read(bytes, Identity(after), number: number(of: after))
    }

    /// The facts of what a name stands for; nil where nothing has the name.
    func identity(of name: String) -> Identity? {
        var status = stat()
        return fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 ? Identity(status) : nil
    }

    // MARK: - Moving

    /// Whether files can be moved to a place, whose folder is made where it is missing.
    func prepare(_ place: Place) throws(Failure) { close(try open(place)) }

    private func open(_ place: Place) throws(Failure) -> Int32 {
        guard mkdirat(descriptor, place.rawValue, 0o700) == 0 || errno == EEXIST else { throw Failure(errno: errno) }
        let folder = openat(descriptor, place.rawValue, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard folder >= 0 else { throw Failure(errno: errno) }
        // A folder that cannot be written is found before its file's tasks are added.
        guard faccessat(folder, ".", W_OK | X_OK, 0) == 0 else {
            let number = errno
            close(folder)
            throw Failure(errno: number)
        }
        return folder
    }

    /// Moves a file to a place, where a taken name gets a number; `reason` is written beside it.
    ///
    /// A reason that the disk does not take leaves the file moved.
    func move(_ name: String, to place: Place, reason: String? = nil) throws(Failure) {
        let folder = try open(place)
        defer { close(folder) }
        for number in 1...Self.numberLimit {
            let candidate = Self.name(name, number, room: reason == nil ? 0 : Self.reasonSuffix.utf8.count)
            var status = stat()
            if reason != nil, fstatat(folder, candidate + Self.reasonSuffix, &status, AT_SYMLINK_NOFOLLOW) == 0 {
                continue
            }
            // A folder of that name would take a file in where links are tried instead.
            guard fstatat(folder, candidate, &status, AT_SYMLINK_NOFOLLOW) != 0 else { continue }
            if cl_rename_at(descriptor, name, folder, candidate, false) >= 0 {
                if let reason { Self.write(reason + "\n", beside: candidate, in: folder) }
                return
            }
            guard errno == EEXIST else { throw Failure(errno: errno) }
        }
        throw Failure(errno: EEXIST)
    }

    private static let reasonSuffix = ".reason"

    private static func write(_ text: String, beside name: String, in folder: Int32) {
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        let file = cl_openat(folder, name + reasonSuffix, flags, 0o600)
        guard file >= 0 else { return }
        defer { close(file) }
        _ = Descriptor.writeAll(Array(text.utf8), to: file)
    }

    /// The most bytes of a name.
    private static let nameLimit = Int(NAME_MAX)

    /// The name with a number after the first try, before its extension, as downloads have it: `list (2).txt`.
    ///
    /// The front of a long name is shortened, so that `room` further bytes fit behind it.
    private static func name(_ name: String, _ number: Int, room: Int) -> String {
        let dot = name.lastIndex(of: ".").flatMap { name[$0...].utf8.count <= 32 ? $0 : nil } ?? name.endIndex
        let ending = (number == 1 ? "" : " (\(number))") + name[dot...]
        var front = name[..<dot]
        while front.utf8.count + ending.utf8.count + room > nameLimit, !front.isEmpty { front.removeLast() }
        return front + ending
    }
}
