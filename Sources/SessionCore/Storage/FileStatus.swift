import Glibc

/// What the system says about a file, as far as storage looks at it.
struct FileStatus: Sendable, Equatable {
    /// Which file it is, independent of its name.
    struct Identity: Sendable, Hashable {
        var device: UInt64
        var inode: UInt64
    }

    /// The kinds of file that matter here.
    enum Kind: Sendable, Equatable {
        case regular, folder, symbolicLink, other
    }

    var identity: Identity
    var kind: Kind
    var size: Int64
    var owner: UInt32
    var links: UInt64
    /// When its bytes changed last, in nanoseconds since 1970; anybody who may write to it can set this back.
    var modified: Int64
    /// When anything about it changed last, in nanoseconds since 1970; only the system sets this.
    var changed: Int64

    init(_ raw: stat) {
        identity = Identity(device: UInt64(raw.st_dev), inode: UInt64(raw.st_ino))
        kind =
            switch raw.st_mode & S_IFMT {
            case S_IFREG: .regular
            case S_IFDIR: .folder
            case S_IFLNK: .symbolicLink
            default: .other
            }
        size = Int64(raw.st_size)
        owner = raw.st_uid
        links = UInt64(raw.st_nlink)
        modified = SystemTime.nanoseconds(raw.st_mtim)
        changed = SystemTime.nanoseconds(raw.st_ctim)
    }

    /// The status of an open file; nil with `errno` set when the system refuses.
    init?(descriptor: Int32) {
        var raw = stat()
        guard fstat(descriptor, &raw) == 0 else { return nil }
        self.init(raw)
    }
}
