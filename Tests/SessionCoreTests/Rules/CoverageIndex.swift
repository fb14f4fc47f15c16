/// Finds declarations and tests by name in the package's own text.
struct CoverageIndex {
    private let declarations: [CoverageDeclarations]
    /// What belongs to a tool of the library's own, which a program does not see although other modules may.
    private let tools: [CoverageDeclarations]
    /// The files that declare a suite, by its name.
    private let suites: [String: [SourceTree.File]]

    /// Of this package.
    init() throws {
        try self.init(
            sources: ["SessionCore", "TransferValues", "SessionHTTP", "SessionStubs", "SessionXML"].flatMap {
                try SourceTree.files(under: "Sources/\($0)").map(\.lines)
            },
            tools: SourceTree.files(under: "Sources/SessionSupport").map(\.lines),
            tests: SourceTree.files(under: "Tests"))
    }

    init(sources: [[String]], tools: [[String]] = [], tests: [SourceTree.File]) {
        declarations = sources.map(CoverageDeclarations.init)
        self.tools = tools.map(CoverageDeclarations.init)
        var suites: [String: [SourceTree.File]] = [:]
        for file in tests {
            for suite in file.lines.compactMap(Self.suite) { suites[suite, default: []].append(file) }
        }
        self.suites = suites
    }

    /// The name of the structure that a line begins.
    private static func suite(in line: String) -> String? {
        guard line.hasSuffix(" {") else { return nil }
        let words = line.split(separator: " ")
        return words.firstIndex(of: "struct").flatMap { $0 + 1 < words.count ? String(words[$0 + 1]) : nil }
    }

    /// Whether a file declares or extends every type of a dotted name and declares its last part.
    func declares(_ symbol: String) -> Bool {
        // The only nested type of another module that the library extends.
        let nested = "Notification.Name"
        var path = symbol.split(separator: ".").map(String.init)
        if symbol.hasPrefix(nested + ".") { path = [nested] + path.dropFirst(2) }
        guard let name = path.last else { return false }
        return (declarations + tools).contains { file in
            file.types.isSuperset(of: path.dropLast()) && (file.types.contains(name) || file.members.contains(name))
        }
    }

    /// Whether a dotted name ends with a function or property that is public.
    func isPublicMember(_ symbol: String) -> Bool {
        let path = symbol.split(separator: ".").map(String.init)
        guard let name = path.last, path.count > 1 else { return false }
        return declarations.contains { $0.types.contains(path[path.count - 2]) && $0.publicMembers.contains(name) }
    }

    /// The lines of a test from its attribute to its name, where `suite/function` is one; nil where it is none.
    func attribute(ofTest test: String) -> String? {
        let parts = test.split(separator: "/")
        guard parts.count == 2 else { return nil }
        for file in suites[String(parts[0])] ?? [] {
            guard let end = file.lines.firstIndex(where: { $0.contains("func \(parts[1])(") }) else { continue }
            let begin = file.lines[...end].lastIndex { $0.contains("@Test") } ?? file.lines.startIndex
            let lines = file.lines[begin...end]
            guard lines[begin].contains("@Test"), !lines.dropLast().contains(where: Self.endsDeclaration) else {
                continue
            }
            return lines.joined(separator: "\n")
        }
        return nil
    }

    /// The lines of a test from its name to the brace that ends it; nil where it is none.
    func body(ofTest test: String) -> String? {
        let parts = test.split(separator: "/")
        guard parts.count == 2 else { return nil }
        for file in suites[String(parts[0])] ?? [] {
            guard let begin = file.lines.firstIndex(where: { $0.contains("func \(parts[1])(") }) else { continue }
            let end = file.lines[begin...].firstIndex { $0.hasPrefix("    }") && $0.count == 5 } ?? begin
            return file.lines[begin...end].joined(separator: "\n")
        }
        return nil
    }

    private static func endsDeclaration(_ line: String) -> Bool {
        line.isEmpty || line.hasPrefix("    }")
    }
}
