import CLinux
import Foundation
import Glibc

/// Moves a finished download to where its destination closure asked for.
///
/// A file that is there already is never replaced, and folders are not created: both are errors, as in the original,
/// but errors that reach the completion handler. The bytes were made durable by the engine.
enum FileMover {
    static func move(_ path: String, to destination: URL) throws(SessionError) {
        guard destination.isFileURL else {
            throw SessionError(.notFound, "The destination is not a file URL: \(destination.absoluteString)")
        }
        let target = destination.path
        var result = rename(path, target)
        if result == EXDEV { result = copyAcross(path, target) }
        guard result == 0 else { throw error(result, target) }
    }

    static func remove(_ path: String) { unlink(path) }

    /// Zero or the system's error number.
    private static func rename(_ from: String, _ to: String) -> Int32 {
        cl_rename_at(AT_FDCWD, from, AT_FDCWD, to, false) == 0 ? 0 : errno
    }

    /// Across file systems: a copy under a name of its own, synced, then the rename.
    private static func copyAcross(_ path: String, _ target: String) -> Int32 {
        let temporary = target + "." + String(UInt32.random(in: 0 ... .max), radix: 36) + ".part"
        do {
            try FileManager.default.copyItem(atPath: path, toPath: temporary)
        } catch {
            return EIO
        }
        let descriptor = open(temporary, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return errno }
        let synced = fsync(descriptor) == 0 ? 0 : errno
        close(descriptor)
        let result = synced == 0 ? rename(temporary, target) : synced
        unlink(result == 0 ? path : temporary)
        return result
    }

    private static func error(_ number: Int32, _ target: String) -> SessionError {
        let code: SessionError.Code =
            switch number {
            case EEXIST: .destinationExists
            case EISDIR: .destinationIsFolder
            case EACCES, EPERM: .permission
            case ENOENT, ENOTDIR: .notFound
            case ENOSPC, EDQUOT: .diskFull
            case EROFS: .readOnly
            default: .storage
            }
        return SessionError(
            code, "The file could not be moved to \(target): \(String(cString: strerror(number)))", errno: number)
    }
}
