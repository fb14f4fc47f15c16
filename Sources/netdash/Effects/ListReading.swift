import Dashboard
import Foundation
import Glibc
import SessionSupport
import TransferService

/// Reads a file of tasks that a user names in the dashboard.
enum ListReading {
    /// The most bytes of a list.
    private static let byteLimit = 64 << 20

    /// The jobs of a list, or the first problem with it; reads a disk.
    static func message(_ path: String, defaults: Job) -> Message {
        do throws(UsageError) {
            return .list(try jobs(of: path, defaults: defaults), problem: nil)
        } catch {
            return .list([], problem: SafeText(untrusted: error.message))
        }
    }

    /// All jobs, or none; what is wrong with a line names the line.
    ///
    /// The extension of the name tells the format, where it is one of a watched folder's; the bytes tell any other.
    static func jobs(of path: String, defaults: Job) throws(UsageError) -> [Job] {
        let full = UserFolder.expanding(path)
        let problem = LocalEndpoints.problem(withReadFile: full) ?? LocalEndpoints.problem(withReading: full)
        if let problem { throw UsageError(problem) }
        // The size comes first: a name completed to an image of a disk must not fill the memory.
        var status = stat()
        guard stat(full, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= byteLimit,
            let data = FileManager.default.contents(atPath: full), data.count <= byteLimit
        else { throw UsageError(FileErrors.unreadable(list: path, byteLimit >> 20)) }
        let name = String(full.split(separator: "/").last ?? "")
        let folder = SavedJob.absolute(defaults.directory ?? ".")
        let file = DroppedFile(name: name, kind: DroppedFile.kind(of: name) ?? .list, bytes: Array(data))
        var terms = DroppedFile.Terms(
            defaults: defaults, folder: folder, environment: ProcessInfo.processInfo.environment)
        if let name = defaults.output.name { terms.template = try NameTemplate(name, label: FormLabels.name.string) }
        if terms.template != nil { terms.defaults.output = .automatic }
        return try file.jobs(terms: terms).map { job throws(UsageError) in
            try check(job.body)
            var job = job
            // Such tasks go where tasks of the form go.
            if job.directory == folder { job.directory = defaults.directory }
            return job
        }
    }

    /// Refuses a list with a body that cannot be read: the other tasks would begin without it.
    private static func check(_ body: Job.Body) throws(UsageError) {
        switch body {
        case .file(let path), .formFile(let path):
            if let problem = LocalEndpoints.problem(withReading: path) { throw UsageError(problem) }
        case .none, .text, .standardInput: break
        }
    }
}
