import Dashboard
import Glibc
import TransferService

/// Checks what a job names on this machine, before anything begins: files, folders, addresses and secrets.
struct JobCheck {
    /// The folder of downloads; nil for the current one.
    let directory: String?
    let identity = JobIdentity()

    /// Throws the first problem.
    func check(_ job: Job) throws(UsageError) {
        if case .file(let path) = job.body, let problem = LocalEndpoints.problem(withReading: path) {
            // A request names its file behind -b, in a list or in a .http file.
            throw UsageError(argument: job.kind == .upload ? "FILE" : "body", problem)
        }
        if case .name(let name) = job.output {
            let destination = JobDestination.resolve(job, defaultDirectory: job.kind == .download ? directory : nil)
            if FileKind.isFolder(destination.folder + "/" + (destination.name ?? "")) {
                throw UsageError(argument: "-o", FileNameUsage.folder(name))
            }
        }
        try identity.check(job)
    }
}

/// The kind of the file at a path.
enum FileKind {
    static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Whether a path leads to the terminal of a descriptor, under whichever of its names.
    static func isTerminal(_ path: String, of descriptor: Int32) -> Bool {
        var (named, open) = (stat(), stat())
        guard isatty(descriptor) == 1, stat(path, &named) == 0, fstat(descriptor, &open) == 0 else { return false }
        return path == "/dev/tty" || named.st_mode & S_IFMT == S_IFCHR && named.st_rdev == open.st_rdev
    }
}
