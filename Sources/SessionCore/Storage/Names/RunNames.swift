import Glibc
import SessionSupport

/// The file names that the downloads of one session have claimed, so that none takes another's file for an older one.
///
/// If several URLs claim one name in one folder, the first one added gets it; each other one gets the number of its
/// position, in every run of the same list. A file that existed before does not belong to the run.
///
/// A field like `token` may sign a link or choose the file. So two links are two files, but a download that goes on
/// with its link signed anew keeps its place.
final class RunNames: Sendable {
    private struct State: Sendable {
        /// The URLs that claim a name, in order; both are hashes, because lists are long.
        var owners: [UInt64: [UInt64]] = [:]
        /// The owners of signed links, by the hashes of the links.
        private var signedLinks: [UInt64: UInt64] = [:]
        /// The latest signed link of each download.
        private var latest: [TransferID: (file: UInt64, link: UInt64)] = [:]
        private var lastOwner: UInt64 = 0
        /// Names that files of this run have, or will have in a moment.
        var taken: Set<UInt64> = []
        /// Hashes of the folders' absolute paths when they were first named: most downloads of a run share a few.
        private var folders: [String: UInt64] = [:]

        /// Returns the key of a name in a folder.
        mutating func key(_ name: String, in folder: String) -> UInt64 {
            StableHash.value(name, after: hash(of: folder))
        }

        /// Returns the owner that a URL stands for: another one for each URL, except for links of one file by which one
        /// download goes on.
        mutating func owner(of url: String, for id: TransferID) -> UInt64 {
            let (link, text) = (StableHash.value(url), ResourceName.text(url))
            guard text.utf8.count < url.utf8.count else { return link }
            let file = StableHash.value(text)
            if let former = latest.updateValue((file, link), forKey: id), former.file == file, former.link != link,
                signedLinks[link] == nil
            {
                // Another download may come with the former link, which may be another file.
                signedLinks[link] = signedLinks.removeValue(forKey: former.link)
            }
            if let owner = signedLinks[link] { return owner }
            lastOwner += 1
            signedLinks[link] = lastOwner
            return lastOwner
        }

        private mutating func hash(of folder: String) -> UInt64 {
            if let known = folders[folder] { return known }
            let hash = StableHash.value("\0", after: StableHash.value(RunNames.plain(folder)))
            if folders.count >= Self.knownFolders { folders = [:] }
            folders[folder] = hash
            return hash
        }

        private static let knownFolders = 256
    }

    /// The downloads that want a name and have no file yet, in the order in which they were added, and the names that
    /// are being given.
    fileprivate struct Turns: Sendable {
        var waiting: [UInt64: [TransferID]] = [:]
        var placing: Set<UInt64> = []
    }

    private let state = Locked(State())
    private let turns = Monitor(Turns())

    init() {}

    /// Returns the name for the file of a URL that claims this one; the same at every call, and for the same download's
    /// link with another signature.
    func claim(_ name: String, in folder: String, url: String, for id: TransferID) -> String {
        state.withLock { state in
            let owner = state.owner(of: url, for: id)
            var (candidate, number) = (name, 0)
            while true {
                let key = state.key(candidate, in: folder)
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
        state.withLock { state in _ = state.taken.insert(state.key(name, in: folder)) }
    }

    /// Returns whether the file with a name may belong to this run; must be asked after the file was seen.
    func isTaken(_ name: String, in folder: String) -> Bool {
        state.withLock { state in state.taken.contains(state.key(name, in: folder)) }
    }

    // MARK: - Turns

    func key(of name: String, in folder: String) -> UInt64 { state.withLock { $0.key(name, in: folder) } }

    func enter(_ id: TransferID, _ key: UInt64) {
        turns.withLock { turns in
            var waiting = turns.waiting[key] ?? []
            waiting.insert(id, at: waiting.firstIndex { $0 >= id } ?? waiting.count)
            turns.waiting[key] = waiting
        }
    }

    func leave(_ id: TransferID, _ key: UInt64) { turns.withLock { $0.leave(id, key) } }

    func isAlone(_ id: TransferID, _ key: UInt64) -> Bool { turns.withLock { $0.waiting[key] ?? [id] } == [id] }

    func isBehindAnother(_ id: TransferID, _ key: UInt64) -> Bool {
        turns.withLock { turns in turns.waiting[key]?.first.map { $0 < id } ?? false }
    }

    /// Waits until no other file gets the name; returns how many downloads before this one want it.
    func beginPlacing(_ id: TransferID, _ key: UInt64) -> Int {
        turns.wait { turns in
            guard turns.placing.insert(key).inserted else { return nil }
            return turns.waiting[key]?.firstIndex(of: id) ?? 0
        }
    }

    func endPlacing(_ id: TransferID, _ key: UInt64, leaves: Bool) {
        turns.change { turns in
            turns.placing.remove(key)
            if leaves { turns.leave(id, key) }
        }
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

extension RunNames.Turns {
    fileprivate mutating func leave(_ id: TransferID, _ key: UInt64) {
        guard var rest = waiting[key], let index = rest.firstIndex(of: id) else { return }
        rest.remove(at: index)
        waiting[key] = rest.isEmpty ? nil : rest
    }
}
