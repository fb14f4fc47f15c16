import Foundation

/// The folder of golden screens of the real program.
///
/// With NETDASH_UPDATE_GOLDEN=1 in the environment the files are written instead of read.
enum GoldenFiles {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Golden")

    static let isUpdating = ProcessInfo.processInfo.environment["NETDASH_UPDATE_GOLDEN"] == "1"

    /// What the file says; nil when there is none.
    static func read(_ name: String) -> String? {
        try? String(contentsOf: folder.appending(path: name + ".txt"), encoding: .utf8)
    }

    static func write(_ text: String, to name: String) throws {
        try text.write(to: folder.appending(path: name + ".txt"), atomically: true, encoding: .utf8)
    }

    /// The names of all of them.
    static var names: [String] {
        get throws {
            try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".txt") }
                .map { String($0.dropLast(4)) }
        }
    }
}
