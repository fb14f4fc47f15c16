import Dashboard
import Foundation

/// The files that an upload names, with where each goes below the URL: a folder stands for all files in it.
enum UploadSources {
    /// One file, and its path below the URL without its name.
    struct Entry: Sendable, Equatable {
        var path: String
        var folders: [String] = []
    }

    /// The files of some paths, in order; those of a folder sorted, hidden ones too, without links to folders.
    ///
    /// Looks at the disk. Throws a usage error for a folder that holds no file or cannot be read.
    static func entries(of paths: [String]) throws(UsageError) -> [Entry] {
        var entries: [Entry] = []
        for path in paths { entries += isFolder(path) ? try files(in: path) : [Entry(path: path)] }
        return entries
    }

    private static func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }

    private static func files(in folder: String) throws(UsageError) -> [Entry] {
        let root = URL(fileURLWithPath: folder).standardizedFileURL
        guard let names = try? FileManager.default.subpathsOfDirectory(atPath: root.path) else {
            throw UsageError(argument: folder, "the folder cannot be read")
        }
        let entries = names.sorted().compactMap { name -> Entry? in
            let path = root.path + "/" + name
            guard FileManager.default.isReadableFile(atPath: path), !isFolder(path) else { return nil }
            let parts = name.split(separator: "/").map(String.init)
            return Entry(path: path, folders: [root.lastPathComponent] + parts.dropLast())
        }
        guard !entries.isEmpty else { throw UsageError(argument: folder, "the folder holds no file that can be read") }
        return entries
    }
}
