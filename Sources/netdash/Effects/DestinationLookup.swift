import Dashboard
import Foundation
import SessionSupport
import TransferService

/// Looks up the destinations of downloads while their paths are typed.
final class DestinationLookup: Sendable {
    /// A separate queue: the disk may respond slowly.
    private let queue = DispatchQueue(label: "netdash.places")
    /// The number of the latest lookup; results of older ones are dropped.
    private let latest = Locked<UInt64>(0)

    /// Posts the facts about a download's destination, unless another lookup comes first.
    func lookUp(
        _ job: Job, _ publisher: RowPublisher, info: @escaping @Sendable () -> DestinationInfo
    ) {
        let number = latest.withLock { number in
            number += 1
            return number
        }
        queue.async { [latest] in
            guard latest.withLock({ $0 == number }) else { return }
            publisher.post(.lookedUp(job, info()))
        }
    }

    /// Calls back with the paths that begin with a text.
    func complete(_ start: String, _ answer: @escaping @Sendable ([String]) -> Void) {
        queue.async { answer(PathCompletion.paths(startingWith: start)) }
    }
}

/// Completes half-typed paths.
enum PathCompletion {
    /// The most paths that are returned.
    private static let limit = 200

    /// The paths that begin with a text, sorted; folders end in a slash.
    ///
    /// A leading `~/` means the home folder and stays as typed. Names that begin with a dot are left out unless the dot
    /// was typed.
    static func paths(startingWith start: String) -> [String] {
        let slash = start.lastIndex(of: "/").map { start.index(after: $0) } ?? start.startIndex
        let folder = String(start[..<slash])
        let beginning = String(start[slash...])
        let real = folder.isEmpty ? "." : UserFolder.expanding(folder)
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: real) else { return [] }
        let fitting = names.filter { $0.hasPrefix(beginning) && (!$0.hasPrefix(".") || beginning.hasPrefix(".")) }
        return fitting.sorted().prefix(limit).map { name in
            var isFolder: ObjCBool = false
            let exists = FileManager.default.fileExists(atPath: real + "/" + name, isDirectory: &isFolder)
            return folder + name + (exists && isFolder.boolValue ? "/" : "")
        }
    }
}
