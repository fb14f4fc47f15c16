import Glibc
import SessionSupport

/// Converts the error numbers of file calls into errors with sentences.
enum SystemError {
    /// Returns the error for a failed call.
    /// - Parameters:
    ///   - number: `errno` right after the call.
    ///   - sentence: the attempted action, as a sentence of ``FileErrors``.
    ///   - path: the file or folder of the action.
    static func error(_ number: Int32, _ sentence: FileErrors.Sentence, path: String) -> SessionError {
        let code = self.code(number)
        let words = number == ENOSPC && lacksNames(path) ? FileReasons.noInodes : words(number)
        return SessionError(code, sentence(path, words), errno: number)
    }

    /// Returns whether a full disk has space but no inodes, which the user must be told because the space looks
    /// sufficient.
    private static func lacksNames(_ path: String) -> Bool {
        var status = statvfs()
        let folder = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        guard statvfs(path, &status) == 0 || statvfs(folder, &status) == 0 else { return false }
        // A file system without an inode table reports zero inodes.
        return status.f_files > 0 && status.f_ffree == 0 && status.f_bavail > 0
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
        case ENOSPC: return FileReasons.full
        case EDQUOT: return FileReasons.quota
        case EROFS: return FileReasons.readOnly
        case EACCES, EPERM: return FileReasons.permission
        case ENOENT: return FileReasons.missing
        case ENOTDIR: return FileReasons.folderIsFile
        case EISDIR: return FileReasons.isFolder
        case EEXIST: return FileReasons.exists
        case ENAMETOOLONG: return FileReasons.nameTooLong
        case EFBIG: return FileReasons.tooLarge
        case ELOOP: return FileReasons.isLink
        case EMFILE, ENFILE: return FileReasons.tooManyFiles
        case EIO: return FileReasons.diskError
        case EAGAIN: return FileReasons.inUse
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
            throw SessionError(.internal, EngineErrors.noThread(words), errno: error.number)
        }
    }
}
