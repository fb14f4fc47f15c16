import Glibc

/// Looks whether a file that was about to get its name has got it.
enum FinishedFileSearch {
    /// Numbers that are tried after the name itself.
    private static let numbers = 100

    /// The path that the file has now; nil when it is nowhere near the name it wanted.
    static func path(of file: StoredTransfer.FinishingFile) -> String? {
        guard let slash = file.path.lastIndex(of: "/") else { return nil }
        let folderPath = file.path[..<slash].isEmpty ? "/" : String(file.path[..<slash])
        let name = String(file.path[file.path.index(after: slash)...])
        guard let folder = try? Folder(path: folderPath, creating: false) else { return nil }
        let names = [name] + (1...numbers).map { FileNames.numbered(name, $0) }
        // Device numbers may change when the machine starts again; the inode does not.
        let found = names.first { candidate in
            guard let status = folder.status(candidate) else { return false }
            return status.kind == .regular && status.owner == geteuid() && status.identity.inode == file.inode
        }
        return found.map { folder.path(of: $0) }
    }
}
