import Dashboard
import Foundation
import SessionSupport

/// Finds the files of an upload, with their paths below the URL: a folder stands for all files in it.
enum UploadSources {
    /// One file, and its path below the URL without its name.
    struct Entry: Sendable, Equatable {
        var path: String
        var folders: [String] = []
    }

    /// The files of some paths, in order; a folder's are sorted, including hidden ones.
    ///
    /// Reads the disk. Throws a usage error for a folder that is unreadable, empty, or contains what cannot be sent: a
    /// link to a folder or a missing file, a pipe, a socket, a device.
    static func entries(of paths: [String]) throws(UsageError) -> [Entry] {
        var entries: [Entry] = []
        for path in paths {
            guard isFolder(path) else {
                entries.append(Entry(path: path))
                continue
            }
            let root = URL(fileURLWithPath: path).standardizedFileURL
            let found = try files(in: root.path, below: [root.lastPathComponent])
            guard !found.isEmpty else { throw UsageError(argument: path, JobUsage.emptyFolder) }
            entries += found
        }
        return entries
    }

    /// The uploads of some files and folders; several need a URL that ends in a slash.
    ///
    /// `finish` completes each job, whose file is known then.
    static func jobs(
        of paths: [String], as job: Job, finish: (Job) throws(UsageError) -> Job
    ) throws(UsageError) -> [Job] {
        let entries = try entries(of: paths)
        let end = URLScan(job.url).path.upperBound
        let isSingle = entries.count == 1 && entries[0].folders.isEmpty
        guard isSingle || job.url[..<end].hasSuffix("/") else {
            throw UsageError(argument: "URL", JobUsage.filesNeedFolder(entries.count))
        }
        let jobs = try entries.map { (entry) throws(UsageError) in
            var job = job
            job.body = .file(path: entry.path)
            let folders = entry.folders.map { FormText.encoded($0.utf8) + "/" }.joined()
            job.url.insert(contentsOf: folders, at: URLScan(job.url).path.upperBound)
            return try finish(job)
        }
        var seen: Set<String> = []
        if let second = jobs.first(where: { !seen.insert($0.url).inserted }) {
            throw UsageError(argument: "upload", JobUsage.sameTarget(Redaction.url(second.url)))
        }
        return jobs
    }

    private static func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }

    private static func files(in folder: String, below folders: [String]) throws(UsageError) -> [Entry] {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
            throw UsageError(argument: folder, JobUsage.unreadableFolder)
        }
        var entries: [Entry] = []
        for name in names.sorted() {
            let path = folder + "/" + name
            switch kind(of: path) {
            case .typeDirectory: entries += try files(in: path, below: folders + [name])
            case .typeRegular: entries.append(Entry(path: path, folders: folders))
            case .typeSymbolicLink where kind(of: target(of: path)) == .typeRegular:
                entries.append(Entry(path: path, folders: folders))
            default:
                throw UsageError(argument: path, JobUsage.specialFile)
            }
        }
        return entries
    }

    private static func kind(of path: String) -> FileAttributeType? {
        (try? FileManager.default.attributesOfItem(atPath: path))?[.type] as? FileAttributeType
    }

    private static func target(of link: String) -> String { URL(fileURLWithPath: link).resolvingSymlinksInPath().path }
}
