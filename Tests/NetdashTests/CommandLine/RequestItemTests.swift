import Dashboard
import Foundation
import Testing
import TransferValues

@testable import netdash

@Suite("Requests as HTTPie writes them, and uploads of several files")
struct RequestItemTests {
    private func job(_ words: String...) throws -> Job {
        let invocation = try CommandLine.parse(words).get()
        return try #require(invocation.jobs.first)
    }

    @Test("Items are members of a JSON body, fields of the URL and headers")
    func items() throws {
        let job = try job(
            "POST", "http://h/a?b=1#c", "name=tea \"x\"", "n:=[1, 2]", "q==a&b", "X-Key:v:w", "X-Two:2", "empty=")
        #expect(job.kind == .data && job.method == "POST")
        #expect(job.body == .text(#"{"name":"tea \"x\"","n":[1, 2],"empty":""}"#))
        #expect(job.url == "http://h/a?b=1&q=a%26b#c")
        #expect(job.headers["X-Key"] == "v:w" && job.headers["X-Two"] == "2")
        #expect(try self.job("GET", "h/a").sentMethod == "GET")
        #expect(try self.job("request", "http://h/", "a=b").sentMethod == "POST")
        #expect(try self.job("request", "PURGE", "http://h/").method == "PURGE")
    }

    @Test(
        "What is no item, no JSON or a second body is refused",
        arguments: [
            (["POST", "http://h/", "word"], "word: \(JobUsage.notAnItem)"),
            (["POST", "http://h/", "a:=x"], JobUsage.itemNotJSON),
            (["request", "http://h/", "a=b", "-b", "c"], JobUsage.bodyAndItems), (["POST"], JobUsage.requestNeedsURL),
            (["request", "word"], URLUsage.word("word")),
            (["POST", "http://h/", "=x"], JobUsage.notAnItem),
            (["GET", "http://h/", "http://h/2"], JobUsage.secondURL),
            (["GET", "http://h/", "127.0.0.1:80/f"], JobUsage.secondURL), (["POST", "http://h/", "f=@t"], "-F f=@t"),
            (["POST", "http://h/", "bad name:x"], ValueUsage.headerName("bad name")),
        ])
    func refused(words: [String], sentence: String) {
        guard case .failure(let error) = CommandLine.parse(words) else {
            Issue.record("\(words) was taken")
            return
        }
        #expect(error.message.contains(sentence), "\(error.message)")
    }

    @Test("A bare word is no host", arguments: ["list", "attach", "host", "5"])
    func words(word: String) {
        guard case .failure(let error) = CommandLine.parse([word]) else {
            Issue.record("\(word) was taken")
            return
        }
        let hint = error.message.contains("did you mean") ? "" : "commands: "
        #expect(error.message.contains("unknown command; \(hint)") && error.message.contains("http://\(word)/"))
    }

    @Test("Files go below a URL that ends in a slash, and those of a folder below its name")
    func uploads() throws {
        let root = FileManager.default.temporaryDirectory.appendingPathComponent("uploads-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: root) }
        try FileManager.default.createDirectory(
            at: root.appendingPathComponent("photos/sub dir/empty"), withIntermediateDirectories: true)
        for name in ["a.txt", "photos/b.txt", "photos/sub dir/c d.txt"] {
            try Data("x".utf8).write(to: root.appendingPathComponent(name))
        }
        let odd = root.path + "/odd"
        try FileManager.default.createDirectory(atPath: odd, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: odd + "/link", withDestinationPath: root.path + "/photos")
        #expect(throws: UsageError.self) { try CommandLine.parse(["upload", odd, "http://h/in/"]).get() }
        let (file, folder) = (root.path + "/a.txt", root.path + "/photos")
        let jobs = try CommandLine.parse(["upload", file, folder, "http://h/in/?k=1"]).get().jobs
        #expect(
            jobs.map(\.url) == [
                "http://h/in/a.txt?k=1", "http://h/in/photos/b.txt?k=1", "http://h/in/photos/sub%20dir/c%20d.txt?k=1",
            ])
        #expect(
            jobs.map(\.body)
                == ["/a.txt", "/photos/b.txt", "/photos/sub dir/c d.txt"].map { .file(path: root.path + $0) })
        #expect(try CommandLine.parse(["upload", file, "http://h/in"]).get().jobs.map(\.url) == ["http://h/in"])
        for words in [
            ["upload", file, folder, "http://h/in"], ["upload", file, "-", "http://h/in/"],
            ["upload", root.path + "/photos/sub dir/empty", "http://h/in/"], ["upload", file],
            ["upload", file, file, "http://h/in/"],
            ["upload", file, file, "http://h/in/", "-o", "answer"],
        ] {
            #expect(throws: UsageError.self, "\(words)") { try CommandLine.parse(words).get() }
        }
    }
}
