import Foundation

/// The code that documents show, and the marked regions of the tests that run it.
enum DocumentationText {
    /// Every Swift block of the articles, of the guides and of the README, with the document it stands in.
    static func codeBlocks() throws -> [(document: String, code: String)] {
        try documents().flatMap { document in
            let text = try String(contentsOf: SourceTree.root.appending(path: document), encoding: .utf8)
            return blocks(in: text).map { (document, $0) }
        }
    }

    /// The regions by name; pieces of one name belong together, an empty line between them.
    static func examples() throws -> [String: String] {
        var pieces: [String: [String]] = [:]
        for file in try SourceTree.files(under: "Tests/DocumentationExamples") {
            var current: (name: String, lines: [String])?
            for line in file.lines {
                let text = line.trimmingCharacters(in: .whitespaces)
                if text.hasPrefix("// example: ") {
                    current = (String(text.dropFirst(12)), [])
                } else if text == "// end", let (name, lines) = current {
                    pieces[name, default: []].append(dedented(lines))
                    current = nil
                } else {
                    current?.lines.append(line)
                }
            }
        }
        return pieces.mapValues { $0.joined(separator: "\n\n") }
    }

    private static func documents() throws -> [String] {
        let catalogue = "Sources/SessionCore/SessionCore.docc"
        let names = try FileManager.default.subpathsOfDirectory(atPath: SourceTree.root.appending(path: catalogue).path)
        let articles = names.filter { $0.hasSuffix(".md") }.sorted().map { "\(catalogue)/\($0)" }
        return ["README.md"] + PublicExamples.guides.map { "docs/\($0).md" } + articles
    }

    static func blocks(in text: String) -> [String] {
        var blocks: [String] = []
        var current: [String]?
        for line in text.components(separatedBy: "\n") {
            if line == "```swift" {
                current = []
            } else if line == "```", let lines = current {
                blocks.append(dedented(lines))
                current = nil
            } else {
                current?.append(line)
            }
        }
        return blocks
    }

    /// The lines without the indent they share and without empty lines at the ends.
    private static func dedented(_ lines: [String]) -> String {
        let filled = lines.filter { !$0.allSatisfy(\.isWhitespace) }
        let indent = filled.map { $0.prefix { $0 == " " }.count }.min() ?? 0
        return lines.map { String($0.dropFirst(indent)) }.joined(separator: "\n")
            .trimmingCharacters(in: .newlines)
    }
}
