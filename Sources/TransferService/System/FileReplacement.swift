import Glibc

/// Writes files completely or not at all.
package enum FileReplacement {
    /// The owner of a written file, and its readers.
    package enum Access {
        /// Only its user, regardless of the earlier file's mode.
        case user
        /// As for the earlier file of that name; only its user where there was none.
        case kept
    }

    /// Replaces a file in one step, so that a crash leaves the old or the new bytes.
    ///
    /// Links to the file stay links. A device or pipe such as `/dev/stdout` is written to directly.
    ///
    /// With `isLasting` the bytes are on the disk before this returns; without it a power cut may leave an empty file.
    /// - Returns: the errno, with the earlier file unchanged; nil when it is written.
    package static func write(_ bytes: [UInt8], to path: String, access: Access, isLasting: Bool = true) -> Int32? {
        let output = OutputPath(path)
        switch output {
        case .folder: return EISDIR
        case .open, .special: return append(bytes, to: path, output)
        case .file: break
        }
        let target = resolved(path)
        var status = stat()
        let exists = stat(target, &status) == 0
        let number = replace(target, with: bytes, like: exists && access == .kept ? status : nil, isLasting: isLasting)
        // A file that cannot be replaced may still be writable: its own mount point, or one in a read-only folder.
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
        // A leftover temporary file is hidden and harmless.
        if number != nil { _ = unlink(fresh) }
        return number
    }

    /// Writes to a device or pipe; a pipe without a reader is an error.
    private static func append(_ bytes: [UInt8], to path: String, _ output: OutputPath) -> Int32? {
        let descriptor = output.opened(path)
        guard descriptor >= 0 else { return errno }
        let problem = Descriptor.writeAll(bytes, to: descriptor) ? nil : errno
        let isClosed = close(descriptor) == 0
        return problem ?? (isClosed ? nil : errno)
    }

    /// Writes into an existing file; returns the errno of a failure.
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

    /// Writes a file's bytes, with the owner and the mode of another; returns the errno of a failure.
    private static func fill(_ descriptor: Int32, with bytes: [UInt8], like original: stat?) -> Int32? {
        if let original {
            let isForeign = original.st_uid != geteuid() || original.st_gid != getegid()
            if isForeign, fchown(descriptor, original.st_uid, original.st_gid) != 0 { return errno }
            guard fchmod(descriptor, original.st_mode & 0o7777) == 0 else { return errno }
        }
        return Descriptor.writeAll(bytes, to: descriptor) ? nil : errno
    }

    /// Flushes a file to the disk; returns the errno of a failure.
    private static func sync(_ descriptor: Int32) -> Int32? {
        while fsync(descriptor) != 0 {
            guard errno == EINTR else { return errno }
        }
        return nil
    }

    /// The real path of a file; the path unchanged where it does not exist.
    private static func resolved(_ path: String) -> String {
        guard let real = realpath(path, nil) else { return path }
        defer { free(real) }
        return String(cString: real)
    }
}
