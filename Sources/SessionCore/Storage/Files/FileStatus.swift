import Glibc
import SessionSupport

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
    var group: UInt32
    /// The bits of the mode, without the kind.
    var mode: mode_t
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
        group = raw.st_gid
        mode = raw.st_mode & 0o7777
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

/// The modes files are created with.
enum FileMode {
    /// Mode of a part and of its meta: for its owner alone until it is whole.
    static let part: mode_t = 0o600
    /// Mode of a finished file: that of any new file, less what the user's umask takes away.
    ///
    /// Read from the kernel once: `umask(2)` could only be read by changing it for all threads.
    static let finished: mode_t = {
        let status = SmallFile.text(at: "/proc/self/status")
        for line in status.split(separator: "\n") where line.hasPrefix("Umask:") {
            let digits = ByteText.trimmed(line.dropFirst("Umask:".count))
            if let mask = mode_t(digits, radix: 8) { return 0o666 & ~mask }
        }
        return 0o600
    }()
}

/// The system's clocks in nanoseconds, as the times of files count.
enum SystemTime {
    /// A time of the system's; one that no number can hold is the nearest.
    static func nanoseconds(_ time: timespec) -> Int64 {
        let (whole, overflows) = Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
        guard !overflows else { return time.tv_sec < 0 ? .min : .max }
        return whole.addingReportingOverflow(Int64(time.tv_nsec)).partialValue
    }

    /// Nanoseconds since 1970, as the kernel puts them on files; nil when the clock cannot be read.
    static var now: Int64? { read(CLOCK_REALTIME) }

    /// When the machine was started, in nanoseconds since 1970 by today's clock; nil when the clocks cannot be read.
    static var boot: Int64? {
        guard let now, let age = read(CLOCK_BOOTTIME) else { return nil }
        return now - age
    }

    private static func read(_ clock: clockid_t) -> Int64? {
        var time = timespec()
        guard clock_gettime(clock, &time) == 0 else { return nil }
        return nanoseconds(time)
    }
}
