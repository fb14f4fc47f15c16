import Foundation
import Testing

/// Rules of `CONTRIBUTING.md` that a text search can decide.
@Suite("Source rules", .timeLimit(.minutes(1)))
struct SourceRulesTests {
    @Test("No file is longer than 400 lines", arguments: ["Sources", "Tests"])
    func filesStayShort(folder: String) throws {
        let files = try SourceTree.files(under: folder)
        try #require(!files.isEmpty)
        for file in files {
            #expect(file.lines.count <= 400, "\(file) has \(file.lines.count) lines: split it")
        }
    }

    @Test(
        "Nothing in Sources traps where an error could be thrown",
        arguments: [#"\btry!"#, #"\bas!"#, #"\bfatalError\s*\("#])
    func nothingTraps(pattern: String) throws {
        #expect(try Self.matches(of: pattern).isEmpty)
    }

    @Test("Open work stands in issues, not in Sources")
    func noOpenWork() throws {
        #expect(try Self.matches(of: #"\b(TODO|FIXME|XXX)\b"#).isEmpty)
    }

    @Test("Only the locks and the subclasses of Foundation's sendable classes are sendable on their own word")
    func uncheckedSendableIsRare() throws {
        let allowed = [
            "Sources/SessionSupport/Locked.swift", "Sources/SessionCore/Session/DelegateQueue.swift",
            "Sources/SessionCore/Tasks/TransferProgress.swift",
        ]
        let matches = try Self.matches(of: #"@unchecked\s+Sendable"#)
        #expect(matches.filter { match in !allowed.contains { match.hasPrefix($0 + ":") } }.isEmpty)
    }

    /// The main queue, in full or with its type left out.
    ///
    /// No `\b`: for it a dot between letters is inside of a word, and `main.async` one word.
    private static let mainQueue = #"(^|[^\w)\]>?!])\.main(?!\w)|(DispatchQueue|OperationQueue|RunLoop)\.main(?!\w)"#

    @Test("One place delivers on the main dispatch queue, which never runs while the dashboard blocks in poll")
    func nothingReliesOnTheMainQueue() throws {
        let matches = try Self.matches(of: Self.mainQueue)
        #expect(matches.count == 1, "\(matches)")
        let isDefault = { (match: String) in
            match.hasPrefix("Sources/SessionCore/Session/CompletionDelivery.swift:")
                && match.hasSuffix("static let defaultQueue = DispatchQueue.main")
        }
        #expect(matches.allSatisfy(isDefault), "\(matches)")
    }

    @Test(
        "The main queue is found however it is written",
        arguments: [
            "DispatchQueue.main.async {", "let queue: DispatchQueue? = .main", "run(.main)", "queue ?? .main",
            "[.main]", "OperationQueue.main",
        ])
    func mainQueueIsFound(line: String) throws {
        #expect(try Self.matches(of: Self.mainQueue, in: [.init(path: "A.swift", lines: [line])]).count == 1)
    }

    @Test(
        "What only ends in main is not taken for the queue",
        arguments: ["Bundle.main", "remain", "pane.main", ".mainLane"])
    func otherMainsAreNone(line: String) throws {
        #expect(try Self.matches(of: Self.mainQueue, in: [.init(path: "A.swift", lines: [line])]).isEmpty)
    }

    @Test("The loop reads the caller's intent in one place, because it changes while the loop acts on it")
    func intentIsReadOnce() throws {
        let matches = try Self.matches(of: #"\bcontrol\.intent\b"#)
        #expect(
            matches.count == 1 && matches[0].contains("perform(machine.reconcile(control.intent, mustWait: mustWait))"),
            "\(matches)")
    }

    @Test("Every file and folder that the map of the code names is there, with the symbol beside it")
    func mapIsCurrent() throws {
        let map = try String(contentsOf: SourceTree.root.appending(path: "docs/ARCHITECTURE.md"), encoding: .utf8)
        let sources = SourceTree.root.appending(path: "Sources").path
        let modules = try FileManager.default.contentsOfDirectory(atPath: sources)
        let others = ["Benchmarks", "Fleet", "Tests"]
        let names = (modules + others).joined(separator: "|")
        let entry = try Regex(
            "`((?:\(names))/[^`]*)`(?: \\| `([^`]+)`)?", as: (Substring, Substring, Substring?).self)
        let entries = map.matches(of: entry).map(\.output)
        try #require(entries.count > 60)
        for (_, path, symbol) in entries {
            let isSource = !others.contains { path.hasPrefix($0 + "/") }
            let file = SourceTree.root.appending(path: isSource ? "Sources/\(path)" : String(path))
            #expect(FileManager.default.fileExists(atPath: file.path), "docs/ARCHITECTURE.md names \(path)")
            guard let symbol else { continue }
            let text = try String(contentsOf: file, encoding: .utf8)
            #expect(text.contains(symbol), "docs/ARCHITECTURE.md names \(symbol) in \(path)")
        }
    }

    @Test("A04: the library leaves nothing on the queue that can be cancelled")
    func nothingCancellableIsLeft() throws {
        let found = try Self.matches(of: #"\baddOperations?\b|\bBlockOperation\b|\.addBarrierBlock\b"#)
        let library = found.filter { $0.hasPrefix("Sources/SessionCore/") }
        #expect(!library.isEmpty && library.allSatisfy { $0.contains("/DelegateQueue.swift:") })
    }

    @Test("A rule finds what it forbids, where it is forbidden")
    func rulesFind() throws {
        let file = SourceTree.File(path: "A.swift", lines: ["let value = try load()", "let value = try! load()"])
        #expect(try Self.matches(of: #"\btry!"#, in: [file]) == ["A.swift:2: let value = try! load()"])
    }

    /// Where a regular expression occurs in files, Sources if none are given, as `path:line: text`.
    static func matches(of pattern: String, in files: [SourceTree.File]? = nil) throws -> [String] {
        let expression = try Regex(pattern)
        return try (files ?? SourceTree.files(under: "Sources")).flatMap { file in
            file.lines.enumerated().filter { $0.element.contains(expression) }
                .map { "\(file.path):\($0.offset + 1): \($0.element)" }
        }
    }
}
