import Glibc
import SessionSupport

/// What a path that an option names leads to: a file is replaced as a whole, and what is no file is written to as it is.
package enum OutputPath: Sendable, Equatable {
    /// A file, or nothing yet.
    case file
    case folder
    /// An open file of this process, such as `/dev/stdout`.
    case open(Int32)
    /// A device, a pipe or a socket.
    case special

    /// Looks at a path.
    package init(_ path: String) {
        var facts = stat()
        guard stat(path, &facts) == 0 else {
            self = .file
            return
        }
        // Almost all names are of files, and no link leads to one of this process's but through that folder.
        var own = stat()
        let isLink = lstat(path, &own) == 0 && own.st_mode & S_IFMT == S_IFLNK
        if isLink, case .descriptor(let number) = LinkTarget.follow(path) {
            self = .open(number)
            return
        }
        switch facts.st_mode & S_IFMT {
        case S_IFREG: self = .file
        case S_IFDIR: self = .folder
        default: self = .special
        }
    }

    /// Whether it gives the same bytes each time that it is read.
    package var isReadAgain: Bool {
        switch self {
        case .file, .folder: true
        case .open, .special: false
        }
    }

    /// A descriptor of its own for writing to what is no file, -1 with `errno` set where that is not possible.
    ///
    /// A pipe that nothing reads is refused without `waiting`, which holds the thread until something does.
    package func opened(_ path: String, waiting: Bool = false) -> Int32 {
        if case .open(let number) = self { return fcntl(number, F_DUPFD_CLOEXEC, 0) }
        // A line that nothing answers would hold the thread that opens it; writing waits as usual.
        let flags = O_WRONLY | O_NOCTTY | O_CLOEXEC
        let descriptor = Glibc.open(path, waiting ? flags : flags | O_NONBLOCK)
        guard descriptor >= 0, fcntl(descriptor, F_SETFL, O_WRONLY) == 0 else { return -1 }
        return descriptor
    }
}
