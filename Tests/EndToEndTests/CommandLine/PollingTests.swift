import Foundation
import LoopbackServer
import Testing

/// Requests that are repeated until their response is as wanted, and what follows it.
@Suite("Polls and what follows", .timeLimit(.minutes(1)))
struct PollingTests {
    private let server: LoopbackServer
    private let folder: ScratchFolder

    init() throws {
        server = try Served.start(["/a": .respond(.text("first")), "/b": .respond(.text("second"))])
        let done = #"{"state": "done", "files": [{"url": "/a"}, {"url": "\#(server.url("/b"))"}]}"#
        server.setRoute(
            "/job",
            .sequence([
                .respond(.json(#"{"state": "pending"}"#)), .respond(.text("busy", status: 404)), .respond(.json(done)),
            ]))
        server.setRoute("/never", .respond(.json(#"{"state": "pending"}"#)))
        server.setRoute("/evil", .respond(.json(#"{"state": "done", "files": [{"url": "file:///etc/passwd"}]}"#)))
        folder = try ScratchFolder()
    }

    private let until = ["--until", #"json:.state=="done""#, "--poll", "100ms"]

    @Test("The request is sent until the condition holds, and only the last body is written")
    func poll() async throws {
        let result = try await ProgramRun.finished(["GET"] + until + [server.url("/job")], in: folder)
        #expect(result.status == 0, "\(result.messages)")
        #expect(result.text.hasPrefix(#"{"state": "done""#) && server.requests(for: "/job").count == 3)
        #expect(result.messages.contains(#"found "pending""#))
    }

    /// Lets a poll end with its time, or with a longer one where this machine needed the first for less.
    private func expectEnd(
        of words: [String], after seconds: String, _ found: String, requests: ClosedRange<Int>
    ) async throws {
        var sentence = ""
        let result = try await tryingLonger(seconds, "20") { seconds in
            sentence = "within \(seconds) s, \(found)"
            server.clearRequests()
            return try await ProgramRun.finished(words + ["--poll-max-time", seconds + "s"], in: folder)
        } isInTime: {
            $0.messages.contains(sentence) && requests.contains(server.requestCount)
        }
        TroubleTests.expectFailed(result, saying: sentence, status: 7)
        #expect(requests.contains(server.requestCount), "\(server.requestCount): \(result.messages)")
    }

    @Test("It gives up in time with 7 and a sentence")
    func limit() async throws {
        let words = ["GET"] + until + [server.url("/never")]
        try await expectEnd(of: words, after: "3", "found \"pending\"", requests: 2...1_000)
    }

    @Test("The time of a poll ends a request without a response, and its busy server's retries")
    func bound() async throws {
        let never = try server.gate(named: "never")
        server.setRoute("/silent", Behaviour.respond(.text("late")).adjusting { $0.gateBeforeHead = never })
        server.setRoute("/busy", .respond(.text("busy", status: 503)))
        for (path, requests) in [("/silent", 1...1), ("/busy", 4...1_000)] {
            try await expectEnd(
                of: ["GET", "--poll", "200ms", server.url(path)], after: "4", "found", requests: requests)
        }
    }

    @Test("A poll whose interval is longer than its time sends a last request in time")
    func lastRequest() async throws {
        let words = ["GET", "--until", "status=404", "--poll", "1m", server.url("/never")]
        // A last one that was answered sooner than the one before leaves time for another.
        try await expectEnd(of: words, after: "2.5", "found 200", requests: 2...6)
    }

    @Test("A poll waits for a server that refuses connections, and says so at the end")
    func refused() async throws {
        let result = try await ProgramRun.finished(
            ["GET", "--poll", "100ms", "--poll-max-time", "6s", "http://127.0.0.1:1/"], in: folder)
        TroubleTests.expectFailed(result, saying: "Expected status=2xx within 6 s: ", status: 7)
        #expect(result.messages.split(separator: "\n").count { $0.contains("retry") } > 5, "\(result.messages)")
    }

    @Test("A poll without a condition waits for a status of success")
    func status() async throws {
        server.setRoute("/up", .sequence([.respond(.text("no", status: 404)), .respond(.text("yes"))]))
        let result = try await ProgramRun.finished(["GET", "--poll", "100ms", server.url("/up")], in: folder)
        #expect(result.status == 0 && result.text == "yes", "\(result.messages)")
    }

    @Test("The URLs of the response are downloaded, relative ones from its own, and no others than http and https")
    func download() async throws {
        let words = ["GET", "-d", "files", "--then-download", ".files[].url"] + until
        let result = try await ProgramRun.finished(words + [server.url("/job")], in: folder)
        #expect(result.status == 0, "\(result.messages)")
        #expect(
            folder.bytes(of: "files/a") == Array("first".utf8) && folder.bytes(of: "files/b") == Array("second".utf8))
        let evil = try await ProgramRun.finished(words + [server.url("/evil")], in: folder)
        TroubleTests.expectFailed(evil, saying: "Not an http or https URL", status: 1)
    }

    @Test("Options of downloads apply to them, and so does the folder of a list's line")
    func downloadOptions() async throws {
        try FileManager.default.createDirectory(atPath: folder.path(of: "files"), withIntermediateDirectories: true)
        try folder.write("old", to: "files/a")
        server.setRoute("/list", .respond(.json(#"{"u": ["/a"]}"#)))
        let result = try await ProgramRun.finished(
            ["GET", "-d", "files", "--if-exists", "skip", "-x", "1", "--then-download", ".u[]", server.url("/list")],
            in: folder)
        #expect(result.status == 0 && folder.bytes(of: "files/a") == Array("old".utf8), "\(result.messages)")
        try folder.write("\(server.url("/list"))\n kind=data\n then-download=.u[]\n dir=other\n", to: "jobs")
        let list = try await ProgramRun.finished(["-i", "jobs"], in: folder)
        #expect(list.status == 0 && folder.bytes(of: "other/a") == Array("first".utf8), "\(list.messages)")
    }

    @Test("Credentials go to downloads of the same server alone")
    func credentials() async throws {
        let other = try Served.start(["/c": .respond(.text("third"))])
        server.setRoute("/list", .respond(.json(#"{"u": ["/a", "\#(other.url("/c"))"]}"#)))
        let result = try await ProgramRun.finished(
            ["GET", "--user", "me:hush", "-H", "X-Api-Key: hush", "--then-download", ".u[]", server.url("/list")],
            in: folder)
        #expect(result.status == 0, "\(result.messages)")
        #expect(server.requests(for: "/a").first?.header("Authorization") != nil)
        #expect(server.requests(for: "/a").first?.header("X-Api-Key") == "hush")
        let foreign = try #require(other.requests.first)
        #expect(foreign.header("Authorization") == nil && foreign.header("X-Api-Key") == nil)
    }
}
