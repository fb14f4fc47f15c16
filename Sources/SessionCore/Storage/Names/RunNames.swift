import Glibc
import SessionSupport

/// The file names that the downloads of one session have claimed, so that none takes another's file for an older one.
///
/// If several URLs claim one name in one folder, the first one added gets it; each other one gets the number of its
/// position, in every run of the same list. A file that existed before does not belong to the run.
final class RunNames: Sendable {
    private struct State: Sendable {
        /// The URLs that claim a name, in order; both are hashes, because lists are long.
        var owners: [UInt64: [UInt64]] = [:]
        /// Names that files of this run have, or will have in a moment.
        var taken: Set<UInt64> = []
    }

    private let state = Locked(State())

    init() {}

    /// Returns the name for a URL's file that claims this one; the same at every call.
    func claim(_ name: String, in folder: String, url: String) -> String {
        let owner = StableHash.value(url)
        let directory = Self.plain(folder)
        return state.withLock { state in
            var (candidate, number) = (name, 0)
            while true {
                let key = Self.key(candidate, in: directory)
                var wanting = state.owners[key] ?? []
                if !wanting.contains(owner) {
                    wanting.append(owner)
                    state.owners[key] = wanting
                }
                guard let index = wanting.firstIndex(of: owner), index > 0, number < FileNames.highestNumber else {
                    return candidate
                }
                number = number == 0 ? index : number + 1
                candidate = FileNames.numbered(name, number)
            }
        }
    }

    /// Records the name of a file of this run, right before it gets it.
    func take(_ name: String, in folder: String) {
        let key = Self.key(name, in: Self.plain(folder))
        state.withLock { _ = $0.taken.insert(key) }
    }

    /// Returns whether the file with a name may belong to this run; must be asked after the file was seen.
    func isTaken(_ name: String, in folder: String) -> Bool {
        let key = Self.key(name, in: Self.plain(folder))
        return state.withLock { $0.taken.contains(key) }
    }

    private static func key(_ name: String, in directory: String) -> UInt64 {
        StableHash.value("\(directory)\0\(name)")
    }

    /// Returns the folder's absolute path without `.` components.
    private static func plain(_ folder: String) -> String {
        var path = folder
        if !path.hasPrefix("/"), let current = getcwd(nil, 0) {
            path = String(cString: current) + "/" + path
            free(current)
        }
        return path.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
    }
}
