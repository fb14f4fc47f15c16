import Foundation
import Testing

/// What a program can name explains itself: a sentence, and code that compiles.
@Suite("Public examples", .timeLimit(.minutes(1)))
struct PublicExamplesTests {
    @Test("The comment of every public type begins with what it is and shows its use")
    func everyTypeHasAnExample() throws {
        let types = try PublicDeclarations.of(PublicExamples.modules).types
        try #require(types.count > 100)
        let questions: Set<Substring> = ["What", "Where", "Whether", "How", "When", "Why", "Who", "Whoever", "Which"]
        for type in types {
            let summary = PublicExamples.summary(of: type.comment)
            #expect(!questions.contains(summary.prefix { $0 != " " }), "\(type.name): \(summary)")
            #expect(summary.hasSuffix(".") && summary.contains(" "), "\(type.name): \(summary)")
            #expect(!PublicExamples.example(in: type.comment).isEmpty, "\(type.name) has no example")
        }
    }

    @Test("Every row of a guide has two columns, and each name of another library stands there once")
    func guidesHaveTwoColumns() throws {
        for guide in PublicExamples.guides {
            let rows = try PublicExamples.rows(of: guide)
            #expect(rows.count >= 30, "\(guide)")
            #expect(Set(rows.map(\.theirs)).count == rows.count, "\(guide)")
            for row in rows { #expect(!row.ours.isEmpty, "\(guide): \(row.theirs)") }
        }
    }

    @Test("What comments and guides show is what is compiled")
    func shownIsCompiled() throws {
        let folder = SourceTree.root.appending(path: PublicExamples.folder)
        let files = try PublicExamples.files()
        if ProcessInfo.processInfo.environment["NETDASH_UPDATE_DOCUMENTS"] != nil {
            try? FileManager.default.removeItem(at: folder)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            for (name, text) in files { try Data(text.utf8).write(to: folder.appending(path: name)) }
        }
        let there = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(there.sorted() == files.keys.sorted())
        for (name, text) in files {
            let compiled = try? String(contentsOf: folder.appending(path: name), encoding: .utf8)
            #expect(compiled == text, "\(name) is not what is shown: run this test with NETDASH_UPDATE_DOCUMENTS=1")
        }
    }
}
