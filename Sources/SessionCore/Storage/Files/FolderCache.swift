import Glibc
import SessionSupport

/// Open folders by path, shared so that transfers into one folder share its scan for parts and its syncs.
///
/// Keeps the most recently used folders. A path that now refers to another folder is opened again.
final class FolderCache: Sendable {
    private static let capacity = 64

    /// Milliseconds for which a check of a folder stays valid.
    private static let trustTime: Int64 = 1_000

    private struct Entry {
        var path: String
        var folder: Folder
        /// The last time it was seen at its path and writable.
        var writableAt: Int64?
    }

    private let entries = Locked<[Entry]>([])

    init() {}

    /// Returns the folder at a path if it was checked and writable within the last second.
    ///
    /// Never blocks.
    func recent(_ path: String, now: Int64) -> Folder? {
        entries.withLock { entries in
            entries.first { $0.path == path && $0.writableAt.map { now - $0 < Self.trustTime } ?? false }?.folder
        }
    }

    /// Returns the writable folder at a path, opened and created if needed.
    ///
    /// Blocks; belongs on a storage thread. Throws `permission` or `readOnly` besides the errors of opening it.
    func writableFolder(at path: String, now: Int64) throws(SessionError) -> Folder {
        if let recent = recent(path, now: now) { return recent }
        let folder = try folder(at: path)
        try folder.checkWritable()
        entries.withLock { entries in
            guard let index = entries.firstIndex(where: { $0.folder === folder }) else { return }
            entries[index].writableAt = now
        }
        return folder
    }

    /// Returns the folder at a path, opened and created if needed.
    ///
    /// Blocks; belongs on a storage thread.
    func folder(at path: String, creating: Bool = true) throws(SessionError) -> Folder {
        let known = entries.withLock { entries in entries.first { $0.path == path }?.folder }
        var raw = stat()
        if let known, stat(path, &raw) == 0, FileStatus(raw).identity == known.identity { return known }
        let opened = try Folder(path: path, creating: creating)
        return entries.withLock { entries in
            // Another thread may have opened the same folder, and only one instance should exist.
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
