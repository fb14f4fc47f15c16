import Testing

/// What other files may change of a transfer and of an attempt, counted in the source.
@Suite("Writable fields", .timeLimit(.minutes(1)))
struct WritableFieldsTests {
    /// Returns the stored fields of a type that other files may write: its `var`s without a private setter.
    private static func fields(of type: String) throws -> [String] {
        let files = try SourceTree.files(under: "Sources/SessionCore/Transport")
        for file in files {
            guard let start = file.lines.firstIndex(where: { line in declares(type, line) }) else { continue }
            let indent = String(file.lines[start].prefix { $0 == " " })
            let body = file.lines[(start + 1)...].prefix { $0 != indent + "}" }
            return body.filter { $0.hasPrefix(indent + "    var ") || $0.hasPrefix(indent + "    lazy var ") }
                .filter { !isComputed($0) }
        }
        return []
    }

    private static func declares(_ type: String, _ line: String) -> Bool {
        let words = line.split(whereSeparator: { " :{".contains($0) }).map(String.init)
        guard let keyword = words.firstIndex(where: { $0 == "struct" || $0 == "class" }) else { return false }
        return words.dropFirst(keyword + 1).first == type
    }

    /// Whether a field's line opens or contains its getter.
    private static func isComputed(_ line: String) -> Bool {
        guard let brace = line.firstIndex(of: "{") else { return false }
        return !line[..<brace].contains("=")
    }

    @Test("Others may write few fields of a transfer and of an attempt", arguments: [("Transfer", 6), ("Attempt", 8)])
    func fewFields(type: String, limit: Int) throws {
        let fields = try Self.fields(of: type)
        #expect(!fields.isEmpty && fields.count <= limit, "\(fields.joined(separator: "\n"))")
    }

    @Test(
        "The values in these fields change only through their own methods",
        arguments: [
            "TransferFigures", "AnswerState", "RequestState", "RetryControl", "AttemptSocket", "Watches", "Pacing",
            "Figures",
        ])
    func valuesAreClosed(type: String) throws {
        #expect(try Self.fields(of: type).isEmpty)
    }

    @Test("Eight files or fewer extend a transfer")
    func fewExtensions() throws {
        let files = try SourceTree.files(under: "Sources").filter { file in
            file.lines.contains { $0.hasPrefix("extension Transfer ") || $0.hasPrefix("extension Transfer:") }
        }
        #expect((1...8).contains(files.count), "\(files)")
    }
}
