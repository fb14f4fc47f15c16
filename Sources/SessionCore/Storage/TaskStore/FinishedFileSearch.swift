import Glibc

/// Looks for a file that was about to get its name when its program ended.
enum FinishedFileSearch {
    /// A file that has got its name.
    struct Found: Sendable, Equatable {
        var path: String
        var size: Int64
    }

    /// Numbers that are tried after the name itself.
    private static let numbers = 100

    /// The file, and nothing left to be done for it: its name is on the disk, and the meta of the part it was is gone.
    ///
    /// Nil when it is nowhere near the name it wanted. Blocks.
    static func find(_ file: StoredTransfer.FinishingFile) -> Found? {
        guard let slash = file.path.lastIndex(of: "/") else { return nil }
        let folderPath = file.path[..<slash].isEmpty ? "/" : String(file.path[..<slash])
        let name = String(file.path[file.path.index(after: slash)...])
        guard let folder = try? Folder(path: folderPath, creating: false) else { return nil }
        for candidate in [name] + (1...numbers).map({ FileNames.numbered(name, $0) }) {
            // Device numbers may change when the machine starts again; the inode does not.
            guard let status = folder.status(candidate), status.kind == .regular, status.owner == geteuid(),
                status.identity.inode == file.inode
            else { continue }
            // A disk that refuses this now would not be helped by fetching the file again.
            try? folder.sync()
            PartFile.removeMetas(describing: file.inode, in: folder)
            return Found(path: folder.path(of: candidate), size: status.size)
        }
        return nil
    }
}
