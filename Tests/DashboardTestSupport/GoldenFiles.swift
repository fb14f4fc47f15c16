package import Dashboard
import Foundation

/// The folder of golden screens.
///
/// With NETDASH_UPDATE_GOLDEN=1 in the environment the files are written instead of read.
package enum GoldenFiles {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "DashboardTests/Golden")

    package static let isUpdating = ProcessInfo.processInfo.environment["NETDASH_UPDATE_GOLDEN"] == "1"

    /// What the file says; nil when there is none.
    package static func read(_ name: String) -> String? {
        try? String(contentsOf: folder.appending(path: name + ".txt"), encoding: .utf8)
    }

    package static func write(_ text: String, to name: String) throws {
        try text.write(to: folder.appending(path: name + ".txt"), atomically: true, encoding: .utf8)
    }

    /// A surface as text, one line a row, without the blanks at the ends of lines.
    package static func text(of surface: Surface) -> String {
        (0..<surface.size.rows).map { row in
            let line = (0..<surface.size.columns).map { surface[row, $0].cluster.text }.joined()
            return String(line.reversed().drop { $0 == " " }.reversed())
        }.joined(separator: "\n") + "\n"
    }
}
