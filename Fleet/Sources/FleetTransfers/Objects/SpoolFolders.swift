internal import Foundation

/// The folders of a spool that jobs use, so that the ones which are left go.
///
/// An object's key may be another one's folder (`docs` and `docs/a.html`), which no two files of a disk may be.
struct SpoolFolders: Sendable {
    /// The seconds for which a folder stays at least that no job uses: the session trusts for one second that a folder is there,
    /// and the next job often has the same one.
    static let patience = 5.0

    /// A folder that no job of this worker uses.
    private struct Left {
        /// The moment from which on it is left as it is.
        var since: Double
        /// When a file last came into it or left it, by the file system; nil before the first look.
        var change: Int?
    }

    /// The numbers of jobs below each folder, by its path in the spool.
    private var uses: [Substring: Int] = [:]
    private var left: [Substring: Left] = [:]
    private var nextLook = -Double.infinity

    var isEmpty: Bool { uses.isEmpty && left.isEmpty }

    /// Notes a job's destination.
    mutating func use(_ destination: String) {
        for folder in Self.folders(of: destination) {
            uses[folder, default: 0] += 1
            left[folder] = nil
        }
    }

    /// Forgets a job's destination.
    mutating func leave(_ destination: String, at now: Double) {
        for folder in Self.folders(of: destination) {
            let count = uses[folder, default: 1] - 1
            uses[folder] = count > 0 ? count : nil
            if count <= 0 { left[folder] = Left(since: now) }
        }
    }

    /// Removes the empty folders in `spool` that were left before a moment; one with a part in it stays.
    ///
    /// A first look notes when a folder has changed, and a later one removes it if it has not changed since: another
    /// worker of the spool may use it.
    mutating func remove(leftBefore moment: Double, in spool: String) {
        // A list of all of them for each report would be long.
        guard !left.isEmpty, moment >= nextLook else { return }
        nextLook = moment + 1
        let folders = left.filter { $0.value.since < moment }.keys
        for folder in folders.sorted(by: { $0.utf8.count > $1.utf8.count }) {
            let path = spool + "/" + folder
            let change = Self.lastChange(of: path)
            if change == nil || change == left[folder]?.change {
                left[folder] = nil
                _ = rmdir(path)
            } else {
                left[folder] = Left(since: moment + Self.patience, change: change)
            }
        }
    }

    /// Removes all empty folders in `spool` that were left, at a worker's end.
    mutating func removeAll(in spool: String) {
        for folder in left.keys.sorted(by: { $0.utf8.count > $1.utf8.count }) { _ = rmdir(spool + "/" + folder) }
        left = [:]
    }

    /// The time of a folder's last change in nanoseconds; nil if it is not there.
    private static func lastChange(of path: String) -> Int? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return status.st_mtim.tv_sec * 1_000_000_000 + status.st_mtim.tv_nsec
    }

    /// Removes an empty folder in `spool` that has the name of a job's file, also one that an earlier worker has left.
    func makeRoom(for destination: String, in spool: String) {
        guard uses[destination[...]] == nil else { return }
        Self.removeEmpty(spool + "/" + destination)
    }

    private static func removeEmpty(_ path: String) {
        guard rmdir(path) != 0, errno == ENOTEMPTY || errno == EEXIST else { return }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        for name in names { removeEmpty(path + "/" + name) }
        _ = rmdir(path)
    }

    /// The folders above a file.
    private static func folders(of destination: String) -> [Substring] {
        var folders: [Substring] = []
        var rest = destination[...]
        while let slash = rest.utf8.lastIndex(of: 0x2F) {
            rest = rest[..<slash]
            folders.append(rest)
        }
        return folders
    }
}
