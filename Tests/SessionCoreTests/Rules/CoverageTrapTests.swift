import Foundation
import LoopbackServer
import Testing

@testable import SessionCore

/// What was measured to go wrong on Linux, and stays away from here.
@Suite("Coverage: measured traps", .timeLimit(.minutes(1)))
struct CoverageTrapTests {
    @Test(
        "What traps, answers nonsense or prints on this platform is not used",
        arguments: [
            ("LT11", #"\bXMLDocument\b|\bXMLParser\b"#),
            ("LT12", #"\.suggestedFilename\b"#),
            ("LT13", #"(?i)progress\w*[?!]?\.localized(Additional)?Description\b"#),
            ("LT14", #"protectionSpace\.serverTrust|\bURLAuthenticationChallenge\b"#),
            ("LT16", #"\bCURLOPT_TIMEOUT(_MS)?\b|\bCURLOPT_LOW_SPEED_\w+"#),
            ("LT17", #"\bCURLOPT_ACCEPT_ENCODING\b"#),
            ("LT18", #"\bLocale\.|\bBundle\.main\b"#),
            ("LT19", #"\bURLSession(Configuration)?(\(|\.shared|\.default)"#),
        ])
    func trapsAreNotUsed(trap: String, pattern: String) throws {
        let code = try Self.code.get()
        try #require(code.utf16.count > 200_000)
        // Foundation's expressions: those of Swift take ten times as long for this.
        let expression = try NSRegularExpression(pattern: pattern)
        let found = expression.matches(in: code, range: NSRange(code.startIndex..., in: code))
            .compactMap { Range($0.range, in: code).map { code[code.lineRange(for: $0)] } }
        #expect(found.isEmpty, "\(trap)")
    }

    /// Every line of Swift and of the C beside libcurl that is no comment; but for the module that keeps LT11 away.
    private static let code = Result {
        let wrapper = SourceTree.root.appending(path: "Sources/CCurl/CCurl.c")
        let lines =
            try SourceTree.files(under: "Sources").filter { !$0.path.hasPrefix("Sources/SessionXML/") }.flatMap(\.lines)
            + String(contentsOf: wrapper, encoding: .utf8).components(separatedBy: "\n")
        return lines.filter { line in
            let text = line.drop { $0 == " " }
            return !["//", "/*", "*"].contains { text.hasPrefix($0) }
        }.joined(separator: "\n")
    }

    @Test("LT9: a URL that is empty or relative is an error, never a crash", arguments: ["", "/path", "path?query"])
    func aRelativeURLIsAnError(url: String) {
        let manager = SessionManager(configuration: .default) { _ in ScriptedEngine() }
        let error = #expect(throws: SessionError.self) {
            try manager.dataTask(with: TransferRequest(url: url), completionHandler: nil)
        }
        #expect(error?.code == .invalidURL)
    }

    @Test("LT10: a URL travels as the text that was given, and a space in it is an error")
    func aURLTravelsAsItsText() throws {
        let fixture = ManagerFixture()
        let text = "http://127.0.0.1/%7Ea//b/ü?q=[1]|{2}#f"
        let task = try fixture.manager.dataTask(with: TransferRequest(url: text), completionHandler: nil)
        task.resume()
        #expect(fixture.engine.description(of: task)?.request.url == text)
        #expect(throws: SessionError.self) {
            try fixture.manager.dataTask(with: TransferRequest(url: "http://127.0.0.1/a b"), completionHandler: nil)
        }
    }

    @Test("LT12 LT17: a download is named by its URL, asks for plain bytes, and counts what arrives")
    func aDownloadCountsWhatArrives() async throws {
        let server = LoopbackServer()
        try server.start()
        let folder = try TemporaryFolder()
        let body = String(repeating: "the same again ", count: 20_000)
        server.setRoute("/files/plain.txt", .respond(.text(body)))
        let manager = SessionManager()
        manager.postsNotifications = false
        manager.responseSerializer = DataResponseSerializer()
        let counts = EventLog<Int64>()
        let task = try manager.downloadTask(
            with: TransferRequest(url: server.url("/files/plain.txt")), progress: { counts.add($0.completedUnitCount) },
            options: TaskOptions(target: DownloadTarget(folder: folder.path)), completionHandler: nil)
        task.resume()
        let completion = await task.completion()
        #expect(completion.error == nil)
        #expect(completion.fileURL?.lastPathComponent == "plain.txt")
        #expect(counts.entries.last == Int64(body.utf8.count))
        #expect(server.requests(for: "/files/plain.txt").first?.headers["Accept-Encoding"] == "identity")
    }
}
