import Dashboard
import Foundation
import SessionSupport

/// Looks at the places of downloads that are being typed.
final class DestinationLookup: Sendable {
    /// A queue of its own: the place may be on a disk that takes long to answer.
    private let queue = DispatchQueue(label: "netdash.places")
    /// The number of the question asked last; older ones are not worth an answer any more.
    private let latest = Locked<UInt64>(0)

    /// Answers with a message about the place where a download would go, unless another question comes first.
    func lookUp(
        _ job: Job, _ publisher: RowPublisher, facts: @escaping @Sendable () -> DestinationFacts
    ) {
        let number = latest.withLock { number in
            number += 1
            return number
        }
        queue.async { [latest] in
            guard latest.withLock({ $0 == number }) else { return }
            publisher.post(.lookedUp(job, facts()))
        }
    }

    /// Answers with the paths that begin with a text.
    func complete(_ start: String, _ answer: @escaping @Sendable ([String]) -> Void) {
        queue.async { answer(PathCompletion.paths(startingWith: start)) }
    }
}

/// Paths that a half-typed one may mean.
enum PathCompletion {
    /// The number of paths that somebody reads at most.
    private static let limit = 200

    /// The paths that begin with a text, sorted; folders end in a slash.
    ///
    /// A leading `~/` stands for the home folder and stays as it was typed. Names that begin with a dot are left out
    /// unless the dot was typed.
    static func paths(startingWith start: String) -> [String] {
        let slash = start.lastIndex(of: "/").map { start.index(after: $0) } ?? start.startIndex
        let folder = String(start[..<slash])
        let beginning = String(start[slash...])
        let real = folder.isEmpty ? "." : (folder as NSString).expandingTildeInPath
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: real) else { return [] }
        let fitting = names.filter { $0.hasPrefix(beginning) && (!$0.hasPrefix(".") || beginning.hasPrefix(".")) }
        return fitting.sorted().prefix(limit).map { name in
            var isFolder: ObjCBool = false
            let exists = FileManager.default.fileExists(atPath: real + "/" + name, isDirectory: &isFolder)
            return folder + name + (exists && isFolder.boolValue ? "/" : "")
        }
    }
}
