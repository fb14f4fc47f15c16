import Glibc
import SessionSupport

/// The names that the downloads of one session have asked for, so that none of them takes another's file for an old one.
///
/// Of several URLs whose files are to have one name in one folder, the first that was added has it; each of the others has
/// the number of its place, in every run of the same list. A file that was there before is nobody's of the run.
final class RunNames: Sendable {
    private struct State: Sendable {
        /// Which URLs want a name, in the order in which they asked; both are hashes, because lists are long.
        var owners: [UInt64: [UInt64]] = [:]
        /// The names that files of this run have, or are about to have.
        var taken: Set<UInt64> = []
    }

    private let state = Locked(State())

    init() {}

    /// The name that a URL's file has, where it wants one; the same at every call.
    func claim(_ name: String, in folder: String, url: String) -> String {
        let owner = StableHash.value(url)
        let place = Self.plain(folder)
        return state.withLock { state in
            var (candidate, number) = (name, 0)
            while true {
                let key = Self.key(candidate, in: place)
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

    /// Records that a file of this run is about to have a name, before it has.
    func take(_ name: String, in folder: String) {
        let key = Self.key(name, in: Self.plain(folder))
        state.withLock { _ = $0.taken.insert(key) }
    }

    /// Whether what has a name may be a file of this run; asked after it was seen there.
    func isTaken(_ name: String, in folder: String) -> Bool {
        let key = Self.key(name, in: Self.plain(folder))
        return state.withLock { $0.taken.contains(key) }
    }

    private static func key(_ name: String, in place: String) -> UInt64 { StableHash.value("\(place)\0\(name)") }

    /// The folder from the root, without the parts that lead nowhere.
    private static func plain(_ folder: String) -> String {
        var path = folder
        if !path.hasPrefix("/"), let current = getcwd(nil, 0) {
            path = String(cString: current) + "/" + path
            free(current)
        }
        return path.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
    }
}
