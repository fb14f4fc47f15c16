import Foundation

/// Files of the project that are made from the program, and checked by tests.
///
/// With NETDASH_UPDATE_DOCUMENTS=1 in the environment they are written instead of compared.
enum ProjectFiles {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    static let isUpdating = ProcessInfo.processInfo.environment["NETDASH_UPDATE_DOCUMENTS"] == "1"

    static func read(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    static func write(_ text: String, to path: String) throws {
        let file = root.appending(path: path)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try text.write(to: file, atomically: true, encoding: .utf8)
    }
}
