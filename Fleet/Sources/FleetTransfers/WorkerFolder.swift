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
    func failure(of error: SessionError, _ text: String) -> JobFailure {
        guard isUsable else { return .unable(text) }
        switch error.errno {
        case ENOTDIR, ENAMETOOLONG: return isSpool ? .again(text) : .final(text)
        case EIO, EMFILE, ENFILE, ESTALE: return .unable(text)
        default: return .again(text)
        }
    }
}
