import Glibc

/// Files that are written whole or not at all.
package enum FileReplacement {
    /// Whom a written file belongs to, and who can read it.
    package enum Access {
        /// Its user alone, whoever could read the file of that name before.
        case user
        /// As with the file of that name before, and its user alone where there was none.
        case kept
    }

    /// Puts bytes into a file in one step, so that a crash leaves the old ones or the new ones.
    ///
    /// Links that lead to the file stay links. What is no file, such as `/dev/stdout` or a pipe, keeps its place and is
    /// written to.
    ///
    /// `isLasting` says whether the bytes are brought to the disk before this returns. Without it a power cut may leave an
    /// empty file.
    /// - Returns: the number of the error, and what stood under the name is still there; nil when it is written.
    package static func write(_ bytes: [UInt8], to path: String, access: Access, isLasting: Bool = true) -> Int32? {
        let place = OutputPath(path)
        switch place {
        case .folder: return EISDIR
        case .open, .special: return append(bytes, to: path, place)
        case .file: break
        }
        let target = resolved(path)
        var facts = stat()
        let exists = stat(target, &facts) == 0
        let number = replace(target, with: bytes, like: exists && access == .kept ? facts : nil, isLasting: isLasting)
        // A file that cannot be replaced may still be written: one that is mounted by itself, or in a folder that is not.
        guard let number, exists, [EBUSY, EXDEV, EACCES, EPERM, EROFS].contains(number) else { return number }
        return writeInPlace(bytes, to: target, isLasting: isLasting)
    }

    private static func replace(
        _ path: String, with bytes: [UInt8], like original: stat?, isLasting: Bool
    ) -> Int32? {
        let fresh = temporaryName(beside: path)
        let descriptor = open(fresh, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return errno }
        let problem = fill(descriptor, with: bytes, like: original) ?? (isLasting ? sync(descriptor) : nil)
        let isClosed = close(descriptor) == 0
        let closeError = errno
        var number = problem ?? (isClosed ? nil : closeError)
        if number == nil { number = rename(fresh, path) == 0 ? nil : errno }
        // What is left of a file that could not be written is hidden and harmless.
        if number != nil { _ = unlink(fresh) }
        return number
    }

    /// Writes to something that is no file; a pipe that nothing reads is an error.
    private static func append(_ bytes: [UInt8], to path: String, _ place: OutputPath) -> Int32? {
        let descriptor = place.opened(path)
        guard descriptor >= 0 else { return errno }
        let problem = Descriptor.writeAll(bytes, to: descriptor) ? nil : errno
        let isClosed = close(descriptor) == 0
        return problem ?? (isClosed ? nil : errno)
    }

    /// Writes into a file that is there; the error's number when that fails.
    private static func writeInPlace(_ bytes: [UInt8], to path: String, isLasting: Bool) -> Int32? {
        let descriptor = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY)
        guard descriptor >= 0 else { return errno }
        let isWritten = Descriptor.writeAll(bytes, to: descriptor)
        let problem = isWritten ? (isLasting ? sync(descriptor) : nil) : errno
        let isClosed = close(descriptor) == 0
        return problem ?? (isClosed ? nil : errno)
    }

    private static func temporaryName(beside path: String) -> String {
        let name = ".netdash.\(getpid()).\(UInt32.random(in: 0...UInt32.max))"
        guard let slash = path.lastIndex(of: "/") else { return name }
        return path[...slash] + name
    }

    /// Writes a file's bytes, with the owner and the mode of another; the error's number when that fails.
    private static func fill(_ descriptor: Int32, with bytes: [UInt8], like original: stat?) -> Int32? {
        if let original {
            let isForeign = original.st_uid != geteuid() || original.st_gid != getegid()
            if isForeign, fchown(descriptor, original.st_uid, original.st_gid) != 0 { return errno }
            guard fchmod(descriptor, original.st_mode & 0o7777) == 0 else { return errno }
        }
        return Descriptor.writeAll(bytes, to: descriptor) ? nil : errno
    }

    /// Brings a file's bytes to the disk; the error's number when that fails.
    private static func sync(_ descriptor: Int32) -> Int32? {
        while fsync(descriptor) != 0 {
            guard errno == EINTR else { return errno }
        }
        return nil
    }

    /// The path of the file itself, where links lead to it; the path as it is where nothing is there.
    private static func resolved(_ path: String) -> String {
        guard let real = realpath(path, nil) else { return path }
        defer { free(real) }
        return String(cString: real)
    }
}
