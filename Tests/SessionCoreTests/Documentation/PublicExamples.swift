import Foundation

/// The code that documentation comments and guides show, as functions of a target that sees only what is public.
///
/// The functions are written to files, so that they are compiled with everything else and a test has nothing to compile.
enum PublicExamples {
    /// The modules that a program of another package may import.
    static let modules = ["SessionCore", "TransferValues", "SessionHTTP", "SessionStubs", "SessionXML"]
    /// The guides whose second column is ours.
    static let guides = ["FROM_URLSESSION", "FROM_ALAMOFIRE", "FROM_AFURLSESSIONMANAGER"]
    /// The folder of the files.
    static let folder = "Tests/DocumentationExamples/Made"

    /// The files by name, as they have to be.
    static func files() throws -> [String: String] {
        var files: [String: String] = [:]
        let types = try PublicDeclarations.of(modules).types
        for (folder, types) in Dictionary(grouping: types, by: \.folder) {
            let name = folder.split(separator: "/").dropFirst().joined()
            files[name + ".swift"] = file(
                of: folder, types.map { ("exampleOf" + $0.name.replacing(".", with: ""), example(in: $0.comment)) })
        }
        for guide in guides {
            let name = guide.split(separator: "_").map(\.capitalized).joined()
            let rows = try rows(of: guide).enumerated().map { number, row in
                (name: "row\(number + 1)\(name)", code: used(row.ours))
            }
            files[name + ".swift"] = file(of: "docs/\(guide).md", rows)
        }
        return files
    }

    /// The lines of the Swift block in a documentation comment.
    static func example(in comment: [String]) -> [String] {
        let rest = comment.drop { $0 != "```swift" }.dropFirst()
        return Array(rest.prefix { $0 != "```" })
    }

    /// The first sentence of a documentation comment.
    static func summary(of comment: [String]) -> String {
        comment.prefix { !$0.isEmpty }.joined(separator: " ")
    }

    /// The rows of a guide: what another library is called with, and what this one is.
    static func rows(of guide: String) throws -> [(theirs: String, ours: String)] {
        let text = try String(contentsOf: SourceTree.root.appending(path: "docs/\(guide).md"), encoding: .utf8)
        return text.split(separator: "\n").filter { $0.hasPrefix("| `") }.map { line in
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            return (cells[0], cells.count == 2 ? String(cells[1].dropFirst().dropLast()) : "")
        }
    }

    /// A row's code as a statement.
    private static func used(_ code: String) -> [String] {
        let isStatement = code.contains(#/^(let|var) |^[\w.?]+ = /#)
        return [isStatement ? code : "use(\(code))"]
    }

    private static func file(of source: String, _ functions: [(name: String, code: [String])]) -> String {
        var lines = [
            "// swift-format-ignore-file", "// Made of \(source); NETDASH_UPDATE_DOCUMENTS=1 makes it anew.",
            "import SessionCore", "import SessionHTTP", "import SessionStubs", "import SessionXML", "",
            "extension Surroundings {",
        ]
        for (name, code) in functions {
            lines.append("    mutating func \(name)() async throws {")
            lines += (code + uses(in: code)).map { $0.isEmpty ? "" : "        " + $0 }
            lines.append("    }")
        }
        return (lines + ["}", ""]).joined(separator: "\n")
    }

    /// A use of each name that an example declares and may not use itself.
    private static func uses(in code: [String]) -> [String] {
        code.flatMap { line -> [String] in
            guard let match = line.firstMatch(of: /^(?:let|var) (?:\(([^)]*)\)|(\w+))/) else { return [] }
            let names = match.output.1?.split(separator: ", ") ?? [match.output.2 ?? ""]
            return names.filter { $0 != "_" }.map { "_ = \($0)" }
        }
    }
}
