import Glibc
import SessionSupport

/// The kind of path that an option names: a file is replaced in one step, a device or pipe is written to directly.
package enum OutputPath: Sendable, Equatable {
    /// A file, or nothing yet.
    case file
    case folder
    /// An open file of this process, such as `/dev/stdout`.
    case open(Int32)
    /// A device, a pipe or a socket.
    case special

    package init(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else {
            self = .file
            return
        }
        // Nearly all names are files; only a link into `/proc/self/fd` leads to one of this process's descriptors.
        var own = stat()
        let isLink = lstat(path, &own) == 0 && own.st_mode & S_IFMT == S_IFLNK
        if isLink, case .descriptor(let number) = LinkTarget.follow(path) {
            self = .open(number)
            return
        }
        switch status.st_mode & S_IFMT {
        case S_IFREG: self = .file
        case S_IFDIR: self = .folder
        default: self = .special
        }
    }

    /// Whether every read gives the same bytes.
    package var isReadAgain: Bool {
        switch self {
        case .file, .folder: true
        case .open, .special: false
        }
    }

    /// A new descriptor for writing to a device or pipe; -1 with `errno` set on failure.
    ///
    /// A pipe without a reader is refused unless `waiting`, which blocks the thread until one appears.
    package func opened(_ path: String, waiting: Bool = false) -> Int32 {
        if case .open(let number) = self { return fcntl(number, F_DUPFD_CLOEXEC, 0) }
        // Without O_NONBLOCK a serial line without a peer blocks the opening thread; writing waits as usual.
        let flags = O_WRONLY | O_NOCTTY | O_CLOEXEC
        let descriptor = Glibc.open(path, waiting ? flags : flags | O_NONBLOCK)
        guard descriptor >= 0, fcntl(descriptor, F_SETFL, O_WRONLY) == 0 else { return -1 }
        return descriptor
    }
}
