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

    /// What is left out of a folder.
    struct LeftOut: Sendable, Equatable {
        /// The number of partial files.
        var partial = 0
        /// The paths of what cannot be sent: pipes, sockets, devices, links to folders or to missing files.
        var special: [String] = []

        /// The paths whose names are not UTF-8, which a job cannot name.
        var unnamed: [String] = []

        var isEmpty: Bool { partial == 0 && special.isEmpty && unnamed.isEmpty }

        /// A sentence for each kind.
        var remarks: [SafeText] {
            (partial > 0 ? [JobUsage.leftOut(partial)] : [])
                + (special.isEmpty ? [] : [JobUsage.skipped(special)])
                + (unnamed.isEmpty ? [] : [JobUsage.unnamed(unnamed)])
        }

        static func += (left: inout LeftOut, right: LeftOut) {
            left.partial += right.partial
            left.special += right.special
            left.unnamed += right.unnamed
        }
    }

    /// The files found, and what is left out.
    struct Findings<Item> {
        var items: [Item] = []
        var leftOut = LeftOut()
    }

    /// The files of some paths, in order; a folder's are sorted, including hidden ones, without this program's partial
    /// files and without what cannot be sent.
    ///
    /// Reads the disk. Throws a usage error for a folder that is unreadable or has no file to send.
    static func entries(of paths: [String]) throws(UsageError) -> Findings<Entry> {
        var found = Findings<Entry>()
        for path in paths {
            guard isFolder(path) else {
                found.items.append(Entry(path: path))
                continue
            }
            let root = URL(fileURLWithPath: path).standardizedFileURL
            let (count, unnamed) = (found.items.count, found.leftOut.unnamed.count)
            try addFiles(in: root.path, below: [root.lastPathComponent], to: &found)
            guard found.items.count > count else {
                let hasUnnamed = found.leftOut.unnamed.count > unnamed
                throw UsageError(argument: path, hasUnnamed ? JobUsage.unnamedFolder : JobUsage.emptyFolder)
            }
        }
        return found
    }

    /// The uploads of some files and folders; several need a URL that ends in a slash.
    ///
    /// `finish` completes each job, whose file is known then.
    static func jobs(
        of paths: [String], as job: Job, finish: (Job) throws(UsageError) -> Job
    ) throws(UsageError) -> Findings<Job> {
        let found = try entries(of: paths)
        let entries = found.items
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
        return Findings(items: jobs, leftOut: found.leftOut)
    }

    private static func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }

    private static func addFiles(
        in folder: String, below folders: [String], to found: inout Findings<Entry>
    ) throws(UsageError) {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
            throw UsageError(argument: folder, JobUsage.unreadableFolder)
        }
        let partial = partialFiles(among: names, in: folder)
        for name in names.sorted() {
            let path = folder + "/" + name
            switch kind(of: path) {
            case .typeDirectory: try addFiles(in: path, below: folders + [name], to: &found)
            case .typeRegular where partial.contains(name): found.leftOut.partial += 1
            case .typeRegular: found.items.append(Entry(path: path, folders: folders))
            case .typeSymbolicLink where kind(of: target(of: path)) == .typeRegular:
                found.items.append(Entry(path: path, folders: folders))
            // The name is shown with replacements, so no file has it.
            case nil where name.contains("\u{FFFD}"): found.leftOut.unnamed.append(path)
            default: found.leftOut.special.append(path)
            }
        }
    }

    /// The partial files of downloads, and the files that describe them; a user's file of such a name is none.
    private static func partialFiles(among names: [String], in folder: String) -> Set<String> {
        let (suffix, mark) = (".part.meta", "sessioncore-part ")
        var partial: Set<String> = []
        for name in names where name.hasPrefix(".") && name.hasSuffix(suffix) {
            guard let file = FileHandle(forReadingAtPath: folder + "/" + name) else { continue }
            defer { try? file.close() }
            guard (try? file.read(upToCount: mark.utf8.count)) == Data(mark.utf8) else { continue }
            partial.formUnion([name, String(name.dropLast(".meta".count))])
        }
        return partial
    }

    private static func kind(of path: String) -> FileAttributeType? {
        (try? FileManager.default.attributesOfItem(atPath: path))?[.type] as? FileAttributeType
    }

    private static func target(of link: String) -> String { URL(fileURLWithPath: link).resolvingSymlinksInPath().path }
}
