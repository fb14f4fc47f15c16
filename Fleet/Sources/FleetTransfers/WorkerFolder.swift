internal import FleetQueue
internal import Glibc
internal import SessionCore

/// The folder below which a worker's files are.
struct WorkerFolder: Sendable {
    let path: String
    /// Whether files are here on their way only, so that one in another's way leaves again.
    var isSpool = false

    /// Whether this process can make files in it at the moment.
    var isUsable: Bool { access(path + "/.", W_OK | X_OK) == 0 }

    /// What follows from an error of the file system: what stands in the way below the folder is the job's trouble, and
    /// everything else this worker's.
    func failure(of error: SessionError, _ cause: JobCause) -> JobFailure {
        guard isUsable else { return .unable(cause) }
        switch error.errno {
        // Another worker of the same spool has just removed a folder that was empty.
        case ENOENT where isSpool: return .inUse(cause)
        case ENOTDIR, ENAMETOOLONG: return isSpool ? .again(cause) : .final(cause)
        case EIO, EMFILE, ENFILE, ESTALE: return .unable(cause)
        default: return .again(cause)
        }
    }

    /// The bytes that this process may still write; nil where the file system does not say, or has no room for a name.
    var freeBytes: Int64? {
        var status = statvfs()
        guard statvfs(path, &status) == 0, status.f_files == 0 || status.f_favail > 0 else { return nil }
        let (bytes, isMore) = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
        return isMore ? .max : Int64(clamping: bytes)
    }

    /// Whether the disk is full for all jobs, and not for one of a known size alone.
    func isFull(for size: Int64?, _ error: SessionError) -> Bool {
        // A quota is another limit than the free bytes.
        guard size != nil, error.errno != EDQUOT, let freeBytes else { return true }
        return freeBytes < Self.leastRoom
    }

    /// A disk with fewer free bytes is full.
    private static let leastRoom: Int64 = 1 << 20
}
