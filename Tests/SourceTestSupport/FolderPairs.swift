package import Foundation

/// The folders that use each other inside one room, compared with the exceptions in `docs/ARCHITECTURE.md`.
package enum FolderPairs {
    /// The differences between the pairs that a module has and the ones that its block of exceptions lists.
    package static func problems(of module: String, in package: URL) throws -> [String] {
        let document = try String(contentsOf: package.appending(path: "docs/ARCHITECTURE.md"), encoding: .utf8)
        let found = Set(try TypeReferences(root: package.appending(path: "Sources/\(module)")).mutualPairs())
        let listed = Set(RoomMap.pairs(of: module, in: document))
        return found.subtracting(listed).sorted().map { "\($0) is new: give the arrow one direction" }
            + listed.subtracting(found).sorted().map { "\($0) is gone: remove it from the list" }
    }
}
