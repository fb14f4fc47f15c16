import Foundation
import Glibc
import LoopbackServer
import Testing

/// Bodies that come from and go to other programs, and lists of jobs.
@Suite("Streams and lists", .timeLimit(.minutes(1)))
struct StreamTests {
    private static let content = DeterministicContent(seed: 11, count: 300_000)
    private static let behaviour = Behaviour.file(seed: 11, count: 300_000)

    // MARK: Downloads and requests

    @Test("With -o - a download goes to standard output, and nothing else does")
    func downloadToOutput() async throws {
        let folder = try ScratchFolder()
        let server = try Served.start(["/file": Self.behaviour])
        let result = try await ProgramRun.finished(["-o", "-", server.url("/file")], in: folder)
        #expect(result.status == 0, "\(result.messages)")
        #expect(result.output == Self.content.bytes)
        #expect(result.messages.contains("completed"))
        #expect(try folder.names.isEmpty)
    }

    @Test("With -x a download to standard output comes over several connections, in order")
    func severalConnections() async throws {
        let folder = try ScratchFolder()
        let count: Int64 = 8 << 20
        let server = try Served.start()
        // Each connection waits within its part until there are several.
        let gate = try server.gate(named: "several")
        server.setRoute("/file", Behaviour.file(seed: 12, count: count).stalling(after: 64 << 10, until: gate))
        let run = try ProgramRun(["--quiet", "-x4", "-o", "-", server.url("/file")], in: folder)
        _ = try await waitUntil("several connections", otherwise: { run.messages }) { gate.arrivals > 2 ? true : nil }
        gate.release()
        let result = try await run.waitForEnd()
        #expect(result.status == 0, "\(result.messages)")
        #expect(DeterministicContent(seed: 12, count: count).bytes == result.output)
        #expect(server.requests(for: "/file").map(\.simultaneousCount).max() ?? 0 > 2)
    }

    @Test("The number of a closed standard descriptor is held, so that no file gets it", arguments: 0...2)
    func closedDescriptor(_ number: Int) async throws {
        let folder = try ScratchFolder()
        let server = try Served.start()
        let gate = try server.gate(named: "half")
        server.setRoute("/file", Self.behaviour.stalling(after: 100_000, until: gate))
        let run = try ProgramRun(
            [server.url("/file")], in: folder, before: ["/bin/sh", "-c", #"exec "$0" "$@" \#(number)>&-"#])
        _ = try await waitUntil("the server to stand still") { gate.arrivals > 0 ? true : nil }
        let target = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(run.process)/fd/\(number)")
        #expect(target == "/dev/null")
        gate.release()
        // The file is there, and a run without standard error was asked for no line.
        #expect(try await run.waitForEnd().status == 0)
        #expect(try Array(Data(contentsOf: URL(fileURLWithPath: folder.path + "/file"))) == Self.content.bytes)
        #expect(try folder.names == ["file"])
    }

    @Test("A download that fails with -o - sends no page of the error to standard output")
    func failedDownloadToOutput() async throws {
        let folder = try ScratchFolder()
        let server = try Served.start(["/file": .respond(.html("<p>no</p>", status: 404))])
        let result = try await ProgramRun.finished(["-o", "-", server.url("/file")], in: folder)
        TroubleTests.expectFailed(result, saying: "404", status: 1)
        #expect(result.output.isEmpty)
    }

    @Test(
        "What went to standard output is no success when it is not the file that was asked for",
        arguments: [
            (["--checksum", "md5=" + String(repeating: "0", count: 32)], "checksum mismatch", 5),
            (["--checksums", "SUMS"], "checksum mismatch", 5),
            (["--length", "299999"], "File has 300000 B, expected 299999 B", 5),
        ])
    func wrongFile(_ words: [String], _ reason: String, _ status: Int) async throws {
        let folder = try ScratchFolder()
        try Data((String(repeating: "0", count: 64) + "  file\n").utf8)
            .write(to: URL(fileURLWithPath: folder.path + "/SUMS"))
        let server = try Served.start(["/file": Self.behaviour])
        for connections in ["1", "4"] {
            let result = try await ProgramRun.finished(
                ["-x", connections, "-k", "64k", "-o", "-"] + words + [server.url("/file")], in: folder)
            TroubleTests.expectFailed(result, saying: reason, status: status)
            // A length that is announced is compared before the first byte.
            #expect(result.output.isEmpty == (words[0] == "--length"))
        }
    }

    @Test("A checksum proves what went to standard output")
    func rightFile() async throws {
        let folder = try ScratchFolder()
        let server = try Served.start(["/file": .respond(.text("abc", status: 200))])
        let result = try await ProgramRun.finished(
            ["-o", "-", "--length", "3", "--checksum", "md5=900150983cd24fb0d6963f7d28e17f72", server.url("/file")],
            in: folder)
        #expect(result.status == 0 && result.text == "abc", "\(result.messages)")
        #expect(result.messages.contains("checksum matches"))
    }

    @Test("A request's body goes to standard output, also that of an error status, which ends with 1")
    func request() async throws {
        let folder = try ScratchFolder()
        let server = try Served.start(["/good": .echo, "/bad": .respond(.text("the reason\n", status: 422))])
        let good = try await ProgramRun.finished(
            ["request", "-b", "a body", "-H", "X-Mark: 7", "POST", server.url("/good?q=1")], in: folder)
        #expect(good.status == 0, "\(good.messages)")
        #expect(good.text.contains("\"method\":\"POST\""), "\(good.text)")
        #expect(good.text.contains("a body"))
        #expect(server.requests.first?.header("X-Mark") == "7")
        let bad = try await ProgramRun.finished(["request", server.url("/bad")], in: folder)
        TroubleTests.expectFailed(bad, saying: "422", status: 1)
        #expect(bad.text == "the reason\n")
    }

    @Test("With --include the head stands in front of the body, also that of an error and one without a body")
    func include() async throws {
        let folder = try ScratchFolder()
        let server = try Served.start([
            "/good": .respond(.text("body\n")), "/bad": .respond(.text("the reason\n", status: 422)),
            "/busy": .respond(.text("later\n", status: 503)),
        ])
        for (path, start, end, status) in [
            ("/good", "HTTP/1.1 200 OK\r\n", "\r\n\r\nbody\n", 0), ("/bad", "HTTP/1.1 422", "\r\n\r\nthe reason\n", 1),
            ("/busy", "HTTP/1.1 503", "\r\n\r\n", 1),
        ] as [(String, String, String, Int32)] {
            let result = try await ProgramRun.finished(
                ["request", "--include", "--retries", "0", server.url(path)], in: folder)
            #expect(result.status == status, "\(result.messages)")
            #expect(result.text.hasPrefix(start), "\(result.text)")
            #expect(result.text.contains(end), "\(result.text)")
        }
        let head = try await ProgramRun.finished(["request", "HEAD", "--include", server.url("/good")], in: folder)
        #expect(head.text.hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(head.text.hasSuffix("\r\n\r\n"))
        let json = try await ProgramRun.finished(
            ["request", "--include", "--json", "-o", "body", server.url("/good")], in: folder)
        #expect(json.text.contains("\"version\":\"HTTP/1.1\",\"reason\":\"OK\",\"fields\":[["), "\(json.text)")
        #expect(folder.bytes(of: "body") == Array("body\n".utf8))
    }

    @Test("The answer to an upload goes where that of a request does", arguments: [200, 413])
    func uploadReply(status: Int) async throws {
        let folder = try ScratchFolder()
        let server = try Served.start(["/in": .respond(.text("stored as 17\n", status: status))])
        let printed = try await ProgramRun.finished(["upload", "-b", "x", server.url("/in")], in: folder)
        #expect(printed.text == "stored as 17\n", "\(printed.messages)")
        #expect(printed.status == (status == 200 ? 0 : 1))
        _ = try await ProgramRun.finished(["upload", "-b", "x", "-o", "reply", server.url("/in")], in: folder)
        #expect(folder.bytes(of: "reply") == Array("stored as 17\n".utf8))
        let json = try await ProgramRun.finished(["upload", "-b", "x", "--json", server.url("/in")], in: folder)
        #expect(!json.text.contains("stored as"))
    }

    @Test("A request's body in a file has its name only when it is whole")
    func requestToFile() async throws {
        let folder = try ScratchFolder()
        let server = try Served.start(["/file": Self.behaviour, "/cut": Self.behaviour.cutting(after: 1000)])
        let complete = try await ProgramRun.finished(["request", "-o", "body", server.url("/file")], in: folder)
        #expect(complete.status == 0, "\(complete.messages)")
        #expect(folder.bytes(of: "body") == Self.content.bytes)
        let cut = try await ProgramRun.finished(
            ["request", "--retries", "0", "-o", "half", server.url("/cut")], in: folder)
        #expect(cut.status == 1)
        #expect(try folder.names == ["body"])
    }

    @Test("A reader that goes away ends the transfer instead of the world")
    func readerGone() async throws {
        let folder = try ScratchFolder()
        let server = try Served.start(["/file": .file(count: 50_000_000)])
        let pipe = try Pipeline()
        let run = try ProgramRun(["-o", "-", server.url("/file")], in: folder, output: pipe.writeEnd)
        pipe.closeWriteEnd()
        var first = [UInt8](repeating: 0, count: 10)
        #expect(read(pipe.readEnd, &first, first.count) == 10)
        pipe.closeReadEnd()
        let result = try await run.waitForEnd()
        TroubleTests.expectFailed(result, saying: "Standard output closed", status: 1)
    }

    // MARK: Uploads

    @Test("A file is uploaded whole, under its own name when the URL ends in a slash")
    func upload() async throws {
        let folder = try ScratchFolder()
        let server = try Served.start(["/in/*": .uploadSink()])
        try folder.write(Self.content.bytes, to: "file.bin")
        let result = try await ProgramRun.finished(["upload", "file.bin", server.url("/in/")], in: folder)
        #expect(result.status == 0, "\(result.messages)")
        let request = try #require(server.requests.first)
        #expect(request.path == "/in/file.bin")
        #expect(request.method == "PUT")
        #expect(request.bodyChecksum == BodyChecksum(of: Self.content))
    }

    @Test("An upload reads standard input as it comes, to its end")
    func uploadFromPipe() async throws {
        let folder = try ScratchFolder()
        let server = try Served.start(["/in": .uploadSink()])
        let pipe = try Pipeline()
        let run = try ProgramRun(["upload", "-", server.url("/in")], in: folder, input: pipe.readEnd)
        pipe.closeReadEnd()
        try pipe.write(Array("first ".utf8))
        _ = try await waitUntil("the request") { server.requests.first }
        try pipe.write(Array("second".utf8))
        pipe.closeWriteEnd()
        let result = try await run.waitForEnd()
        #expect(result.status == 0, "\(result.messages)")
        #expect(server.requests.first?.bodyPrefix == Array("first second".utf8))
        #expect(server.requests.first?.bodyIsComplete == true)
    }

    @Test("An upload that is refused ends with 1")
    func uploadRefused() async throws {
        let folder = try ScratchFolder()
        let server = try Served.start(["/in": .refusing(.text("too much\n", status: 413))])
        try folder.write(Self.content.bytes, to: "file.bin")
        let result = try await ProgramRun.finished(["upload", "file.bin", server.url("/in")], in: folder)
        TroubleTests.expectFailed(result, saying: "413", status: 1)
    }

    @Test(
        "A body is sent with the type that curl gives it, JSON with its own, unless a header names one",
        arguments: [
            (["request", "-b", "a=1&b=2"], "application/x-www-form-urlencoded"),
            (["request", "-b", #" {"a": [1]} "#], "application/json"),
            (["request", "-b", "[]"], "application/json"),
            (["request", "-b", "{no json"], "application/x-www-form-urlencoded"),
            (["request", "-b", "@data.json"], "application/json"),
            (["request", "-b", "@data"], "application/x-www-form-urlencoded"),
            (["request", "-b", "[]", "-H", "content-type: text/x"], "text/x"),
            (["upload", "-b", "{}"], "application/json"),
            (["upload", "data.json"], nil),
            (["request"], nil),
        ] as [([String], String?)])
    func contentType(words: [String], type: String?) async throws {
        let folder = try ScratchFolder()
        try folder.write("{}", to: "data.json")
        try folder.write("a=1", to: "data")
        let server = try Served.start(["/in": .uploadSink()])
        let result = try await ProgramRun.finished(words + [server.url("/in")], in: folder)
        #expect(result.status == 0, "\(result.messages)")
        #expect(server.requests.count == 1)
        #expect(server.requests.first?.header("Content-Type") == type)
    }

    // MARK: Lists

    @Test("A list holds jobs of every kind with options of their own")
    func list() async throws {
        let folder = try ScratchFolder()
        let server = try Served.start(["/file": Self.behaviour, "/in": .uploadSink(), "/api": .echo])
        try folder.write("payload", to: "payload")
        try folder.write(
            """
            # jobs
            \(server.url("/file"))
             out=renamed.bin
             dir=inner
             header=X-Mark: 7

            \(server.url("/in"))
             kind=upload
             body-file=payload
            \(server.url("/api"))
             kind=data
             method=POST
             body=question
             out=answer

            """, to: "list")
        let result = try await ProgramRun.finished(["-i", "list"], in: folder)
        #expect(result.status == 0, "\(result.messages)")
        #expect(folder.bytes(of: "inner/renamed.bin") == Self.content.bytes)
        #expect(server.requests(for: "/file").first?.header("X-Mark") == "7")
        #expect(server.requests(for: "/in").first?.bodyPrefix == Array("payload".utf8))
        #expect(folder.bytes(of: "answer").map { String(decoding: $0, as: UTF8.self) }?.contains("question") == true)
    }

    @Test("A list on standard input is worked on while it comes, and a bad line is a failed task of its own")
    func arrivingList() async throws {
        let folder = try ScratchFolder()
        let server = try Served.start(["/one": Self.behaviour, "/two": Self.behaviour])
        let pipe = try Pipeline()
        let run = try ProgramRun(["-i", "-"], in: folder, input: pipe.readEnd)
        pipe.closeReadEnd()
        try pipe.write(Array("\(server.url("/one"))\n out=one\n\nftp://127.0.0.1/bad\n".utf8))
        try await run.waitForMessages("the first file") { $0.contains("#1 completed") }
        #expect(folder.bytes(of: "one") == Self.content.bytes)
        try pipe.write(Array("\(server.url("/two"))\n".utf8))
        pipe.closeWriteEnd()
        let result = try await run.waitForEnd()
        #expect(result.status == 1)
        #expect(result.messages.contains("#2 failed"), "\(result.messages)")
        #expect(result.messages.contains("ftp"))
        #expect(folder.bytes(of: "two") == Self.content.bytes)
    }

    @Test("A list that breaks off on standard input is a failed task of its own")
    func brokenArrivingList() async throws {
        let folder = try ScratchFolder()
        // A folder can be opened and not be read.
        let result = try await ProgramRun.finished(
            ["-i", "-"], in: folder, before: ["/bin/sh", "-c", "exec \"$@\" <.", "sh"])
        let sentence = "-i: cannot read standard input to the end: Is a directory"
        TroubleTests.expectFailed(result, saying: sentence, status: 1)
    }

    @Test("A list of a thousand small files arrives whole")
    func manyFiles() async throws {
        let folder = try ScratchFolder()
        let server = try Served.start(["/small/*": .handler { .text("\($0.path)\n") }])
        let list = (0..<1000).map { server.url("/small/\($0)") + "\n" }.joined()
        try folder.write(list, to: "list")
        let result = try await ProgramRun.finished(["-d", "files", "-j", "20", "-i", "list"], in: folder)
        #expect(result.status == 0)
        #expect(result.lines.last?.contains("1000 completed") == true)
        for number in [0, 1, 499, 999] {
            #expect(folder.bytes(of: "files/\(number)") == Array("/small/\(number)\n".utf8))
        }
    }
}
