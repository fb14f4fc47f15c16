import Foundation

/// Paths that a half-typed one may mean.
enum PathCompletion {
    /// More than this nobody reads.
    private static let limit = 200

    /// The paths that begin so, sorted; folders end in a slash.
    ///
    /// A leading `~/` stands for the home folder and stays as it was typed. Names that begin with a dot are left out
    /// unless the dot was typed.
    static func paths(startingWith start: String) -> [String] {
        let slash = start.lastIndex(of: "/").map { start.index(after: $0) } ?? start.startIndex
        let folder = String(start[..<slash])
        let beginning = String(start[slash...])
        let real = folder.isEmpty ? "." : (folder as NSString).expandingTildeInPath
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: real) else { return [] }
        let fitting = names.filter { $0.hasPrefix(beginning) && (!$0.hasPrefix(".") || beginning.hasPrefix(".")) }
        return fitting.sorted().prefix(limit).map { name in
            var isFolder: ObjCBool = false
            let exists = FileManager.default.fileExists(atPath: real + "/" + name, isDirectory: &isFolder)
            return folder + name + (exists && isFolder.boolValue ? "/" : "")
        }
    }
}
