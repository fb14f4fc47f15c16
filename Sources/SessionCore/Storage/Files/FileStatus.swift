import Glibc
import SessionSupport

/// The parts of a file's `stat` that storage uses.
struct FileStatus: Sendable, Equatable {
    /// The identity of a file, independent of its name.
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
    /// The bytes that the file takes on the disk, also beyond its end.
    var allocated: Int64
    var owner: UInt32
    var group: UInt32
    /// The mode's bits without the file type.
    var mode: mode_t
    var links: UInt64
    /// Time of the last change of its bytes, in nanoseconds since 1970; every writer can set it back.
    var modified: Int64
    /// Time of the last change of the file or its attributes, in nanoseconds since 1970; only the system sets it.
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
        // The unit is fixed, whatever the size of a block.
        allocated = Int64(raw.st_blocks) * 512
        owner = raw.st_uid
        group = raw.st_gid
        mode = raw.st_mode & 0o7777
        links = UInt64(raw.st_nlink)
        modified = SystemTime.nanoseconds(raw.st_mtim)
        changed = SystemTime.nanoseconds(raw.st_ctim)
    }

    /// Reads the status of an open file; nil with `errno` set when the system refuses.
    init?(descriptor: Int32) {
        var raw = stat()
        guard fstat(descriptor, &raw) == 0 else { return nil }
        self.init(raw)
    }
}

/// The modes of created files.
enum FileMode {
    /// Mode of a part and its meta: private until the file is complete.
    static let part: mode_t = 0o600
    /// Mode of a finished file: 0666, like any new file's, limited by the user's umask.
    ///
    /// Read from the kernel once: `umask(2)` can only read it by changing it for all threads. That is done only without
    /// `/proc`, and what another thread makes in that moment is private.
    static let finished: mode_t = {
        let status = SmallFile.text(at: "/proc/self/status")
        for line in status.split(separator: "\n") where line.hasPrefix("Umask:") {
            let digits = ByteText.trimmed(line.dropFirst("Umask:".count))
            if let mask = mode_t(digits, radix: 8) { return 0o666 & ~mask }
        }
        let mask = umask(0o077)
        _ = umask(mask)
        return 0o666 & ~mask
    }()
}

/// The system's clocks in nanoseconds, the unit of file times.
enum SystemTime {
    /// Converts a system time; one that does not fit becomes the nearest number.
    static func nanoseconds(_ time: timespec) -> Int64 {
        let (seconds, overflows) = Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
        guard !overflows else { return time.tv_sec < 0 ? .min : .max }
        return seconds.addingReportingOverflow(Int64(time.tv_nsec)).partialValue
    }

    /// Nanoseconds since 1970, as the kernel sets them on files; nil when the clock cannot be read.
    static var now: Int64? { read(CLOCK_REALTIME) }

    /// Time of the machine's start, in nanoseconds since 1970 by the current clock; nil when the clocks cannot be read.
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
