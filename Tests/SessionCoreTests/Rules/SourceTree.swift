import Foundation

/// The package's source files, read as text: what the rules that no compiler enforces are checked on.
struct SourceTree {
    /// One Swift file.
    struct File: CustomStringConvertible {
        /// The path from the package's folder, such as `Sources/SessionCore/Policy/ResumePolicy.swift`.
        let path: String
        /// The lines, without their ends.
        let lines: [String]

        var description: String { path }

        /// The modules that the file imports, in order.
        var imports: [String] { lines.compactMap(SourceTree.importedModule) }
    }

    /// The package's folder, found from where this file was compiled.
    static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// Every Swift file below a folder of the package, ordered by path.
    static func files(under folder: String) throws -> [File] {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: root.appending(path: folder).path)
        return try paths.filter { $0.hasSuffix(".swift") }.sorted().map { path in
            let text = try String(contentsOf: root.appending(path: folder).appending(path: path), encoding: .utf8)
            var lines = text.components(separatedBy: "\n")
            if lines.last == "" { lines.removeLast() }
            return File(path: "\(folder)/\(path)", lines: lines)
        }
    }

    /// The module that a line imports, or nil when the line is no import.
    ///
    /// Attributes, access levels and the kind of a scoped import are skipped; of `import struct Foundation.URL`
    /// the answer is `Foundation`.
    static func importedModule(of line: String) -> String? {
        let code = line.prefix { $0 != "/" }
        let words = code.split(whereSeparator: { $0 == " " || $0 == "\t" || $0 == ";" }).map(String.init)
        guard let position = words.firstIndex(of: "import"), position + 1 < words.count else { return nil }
        let modifiers: Set = ["public", "package", "internal", "fileprivate", "private"]
        guard words[..<position].allSatisfy({ $0.hasPrefix("@") || modifiers.contains($0) }) else { return nil }
        let kinds: Set = ["struct", "class", "enum", "protocol", "typealias", "func", "let", "var"]
        let name = words[(position + 1)...].first { !kinds.contains($0) }
        return name?.split(separator: ".").first.map(String.init)
    }
}
