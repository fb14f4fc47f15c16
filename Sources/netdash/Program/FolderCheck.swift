import Dashboard
import Glibc
import TransferService

/// Refuses what could only be done in another folder than the one that the user means.
enum FolderCheck {
    /// The variables that name the folders of the user, and the socket of a service.
    private static let variables = [
        "HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR", "TMPDIR", "NETDASH_SOCKET",
    ]

    /// The first variable whose folder no text can name; nil where each can be used.
    static func unusableVariable() -> String? {
        variables.first { getenv($0).map { String(validatingCString: $0) == nil } ?? false }
    }

    /// Throws where tasks that are saved, or given to a service, would need the path of a folder that has none.
    static func check(_ invocation: Invocation) throws(UsageError) {
        let hasFolder = invocation.settings.directory?.hasPrefix("/") ?? false
        guard !hasFolder || invocation.jobs.contains(where: startsHere) else { return }
        do throws(CurrentFolder.Problem) {
            _ = try CurrentFolder.path()
        } catch {
            throw UsageError(ProgramErrors.currentFolder(error))
        }
    }

    /// Whether a job has a path that starts at the current folder, other than the one of its download.
    private static func startsHere(_ job: Job) -> Bool {
        var job = job
        job.directory = job.directory ?? "/"
        return SavedJob.absolute(job, directory: nil, base: "/") != job
    }
}
