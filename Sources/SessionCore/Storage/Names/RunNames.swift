import Glibc
import SessionSupport

/// The names that the downloads of one session have asked for, so that none of them takes another's file for an old one.
///
/// Of several URLs whose files are to have one name in one folder, the first that was added has it; each of the others has
/// the number of its place, in every run of the same list.
final class RunNames: Sendable {
    /// Which URLs want a name, in the order in which they asked; both are hashes, because lists are long.
    private let owners = Locked<[UInt64: [UInt64]]>([:])

    init() {}

    /// The name that a URL's file has, where it wants one; the same at every call.
    func claim(_ name: String, in folder: String, url: String) -> String {
        let owner = StableHash.value(url.utf8)
        let place = Self.plain(folder)
        return owners.withLock { owners in
            var (candidate, number) = (name, 0)
            while true {
                let key = StableHash.value("\(place)\0\(candidate)".utf8)
                var wanting = owners[key] ?? []
                if !wanting.contains(owner) {
                    wanting.append(owner)
                    owners[key] = wanting
                }
                guard let index = wanting.firstIndex(of: owner), index > 0, number < FileNames.highestNumber else {
                    return candidate
                }
                number = number == 0 ? index : number + 1
                candidate = FileNames.numbered(name, number)
            }
        }
    }

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
