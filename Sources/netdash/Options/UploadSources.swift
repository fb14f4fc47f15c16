import Dashboard
import Foundation

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
