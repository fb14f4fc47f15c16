import Glibc

/// Open folders by path, shared so that transfers into one folder share its scan for parts and its syncs.
///
/// Keeps the folders that were asked for last. A path that has come to mean another folder is opened anew.
final class FolderCache: Sendable {
    private static let capacity = 64

    private struct Entry {
        var path: String
        var folder: Folder
    }

    private let entries = Locked<[Entry]>([])

    init() {}

    /// The folder at a path, opened and created where needed.
    ///
    /// Blocks; belongs on a storage thread.
    func folder(at path: String, creating: Bool = true) throws(SessionError) -> Folder {
        let known = entries.withLock { entries in entries.first { $0.path == path }?.folder }
        var raw = stat()
        if let known, stat(path, &raw) == 0, FileStatus(raw).identity == known.identity { return known }
        let opened = try Folder(path: path, creating: creating)
        return entries.withLock { entries in
            // Another thread may have opened the same folder meanwhile; there should be one instance of it.
            if let index = entries.firstIndex(where: { $0.path == path }) {
                if entries[index].folder.identity == opened.identity { return entries[index].folder }
                entries.remove(at: index)
            }
            if entries.count >= Self.capacity { entries.removeFirst() }
            entries.append(Entry(path: path, folder: opened))
            return opened
        }
    }
}
