import Glibc
import SessionSupport

/// Converts the error numbers of file calls into errors with sentences.
enum SystemError {
    /// Returns the error for a failed call.
    /// - Parameters:
    ///   - number: `errno` right after the call.
    ///   - action: the attempted action, as words that follow "cannot": "write to", "create".
    ///   - path: the file or folder of the action.
    static func error(_ number: Int32, cannot action: String, path: String) -> SessionError {
        let code = self.code(number)
        let words = number == ENOSPC && lacksNames(path) ? Self.noNames : words(number)
        return SessionError(code, "Cannot \(action) \(path): \(words)", errno: number)
    }

    private static let noNames =
        "the disk has room, but takes no further file (its inodes are used up); remove files, however small"

    /// Returns whether a full disk has space but no inodes, which the user must be told because the space looks
    /// sufficient.
    private static func lacksNames(_ path: String) -> Bool {
        var facts = statvfs()
        let folder = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        guard statvfs(path, &facts) == 0 || statvfs(folder, &facts) == 0 else { return false }
        // A file system without an inode table reports zero inodes.
        return facts.f_files > 0 && facts.f_ffree == 0 && facts.f_bavail > 0
    }

    static func code(_ number: Int32) -> SessionError.Code {
        switch number {
        case ENOSPC, EDQUOT: .diskFull
        case EROFS: .readOnly
        case EACCES, EPERM: .permission
        case ENOENT: .notFound
        case EISDIR: .destinationIsFolder
        case EEXIST: .destinationExists
        case EFBIG: .fileTooLarge
        case EAGAIN: .partInUse
        default: .storage
        }
    }

    /// Returns an error number's meaning, as words that follow a colon.
    static func words(_ number: Int32) -> String {
        switch number {
        case ENOSPC: return "the disk is full"
        case EDQUOT: return "your quota on this disk is used up"
        case EROFS: return "the file system is read-only"
        case EACCES, EPERM: return "permission denied"
        case ENOENT: return "it or its folder does not exist"
        case ENOTDIR: return "a part of the path is not a folder"
        case EISDIR: return "it is a folder"
        case EEXIST: return "it exists already"
        case ENAMETOOLONG: return "the name is too long"
        case EFBIG: return "the file would be larger than this file system or the process's limit allows"
        case ELOOP: return "it is a symbolic link"
        case EMFILE, ENFILE: return "too many files are open"
        case EIO: return "the disk reported an error"
        case EAGAIN: return "another transfer is using it"
        default: return String(cString: strerror(number))
        }
    }
}

extension SystemThread {
    /// Runs `body` on a detached thread of the library.
    ///
    /// Throws `internal` when the system refuses a thread.
    static func startDetached(name: String, _ body: @escaping @Sendable () -> Void) throws(SessionError) {
        do throws(Refusal) {
            try detach(name: name, body)
        } catch {
            let words = SystemWords.text(error.number)
            throw SessionError(.internal, "No thread can be started: \(words)", errno: error.number)
        }
    }
}
