import Foundation
import LoopbackServer
import Testing

/// What programs read: one JSON object a line, in an order that can be relied on.
@Suite("JSON events", .timeLimit(.minutes(1)))
struct JSONEventsTests {
    private static let content = DeterministicContent(seed: 3, count: 300_000)
    private static let behaviour = Behaviour.file(seed: 3, count: 300_000)

    @Test("A server that refuses more is told of once, with the tasks that it gets at once from then on")
    func limited() async throws {
        let folder = try ScratchFolder()
        let server = try Served.start()
        let gate = try server.gate(named: "all")
        let busy = Behaviour.respond(ScriptedResponse(429, headers: ["Retry-After": "0"]))
        server.setRoute("/1", .sequence([busy, Self.behaviour]))
        server.setRoute("/*", Self.behaviour.waiting(for: gate))
        let urls = (1...4).map { server.url("/\($0)") }
        let run = try ProgramRun(["--json", "-j", "4", "--max-per-host", "4"] + urls, in: folder)
        _ = try await waitUntil("the news") { try JSONLines(run.output).first("limited") }
        gate.release()
        let result = try await run.waitForEnd()
        #expect(result.status == 0, "\(result.messages)")
        let events = try JSONLines(result.output).events.filter { $0.name == "limited" }
        #expect(events.count == 1 && events[0].text("host") == "127.0.0.1:\(server.port)")
        #expect(events[0].number("tasks").map { (1...3).contains($0) } == true)
    }

    @Test("A download tells its story from added to completed, and a summary comes last")
    func story() async throws {
        let folder = try ScratchFolder()
        let server = try Served.start(["/file": Self.behaviour])
        let result = try await ProgramRun.finished(["--json", server.url("/file")], in: folder)
        #expect(result.status == 0)
        #expect(result.messages.isEmpty, "\(result.messages)")
        let lines = try JSONLines(result.output)
        #expect(lines.names(of: 1) == ["added", "started", "response", "completed"])
        #expect(lines.events.last?.name == "summary")
        let added = try #require(lines.first("added"))
        #expect(added.text("kind") == "download")
        #expect(added.text("url") == server.url("/file"))
        #expect(added.text("method") == "GET")
        let response = try #require(lines.first("response"))
        #expect(response.number("status") == 200)
        #expect(response.fields["resumable"] as? Bool == true)
        let completed = try #require(lines.first("completed"))
        #expect(completed.number("bytes") == 300_000)
        #expect(completed.text("path")?.hasSuffix("/file") == true)
        #expect(completed.fields["skipped"] as? Bool == false)
        #expect(completed.text("url") == server.url("/file"))
        let summary = try #require(lines.first("summary"))
        #expect(summary.number("completed") == 1)
        #expect(summary.number("failed") == 0)
        #expect(summary.number("bytes") == 300_000)
        #expect(folder.bytes(of: "file") == Self.content.bytes)
    }

    @Test("A file that is there already is told as skipped, with its path and without a byte")
    func skipped() async throws {
        let folder = try ScratchFolder()
        try folder.write("mine", to: "file")
        let server = try Served.start(["/file": Self.behaviour])
        let result = try await ProgramRun.finished(
            ["--json", "--if-exists", "skip", "-o", "file", server.url("/file")], in: folder)
        #expect(result.status == 0)
        let completed = try #require(try JSONLines(result.output).first("completed"))
        #expect(completed.fields["skipped"] as? Bool == true)
        #expect(completed.number("bytes") == 0)
        #expect(completed.text("path")?.hasSuffix("/file") == true)
        #expect(folder.bytes(of: "file") == Array("mine".utf8))
    }

    @Test("Every event names its URL once, secrets masked, and the mark that the list gave it")
    func urlAndTag() async throws {
        let folder = try ScratchFolder()
        let server = try Served.start(["/file": Self.behaviour.limited(to: 100_000)])
        try folder.write("\(server.url("/file"))?token=hush&a=1\n  tag=row 7\n  out=x\n", to: "list")
        let result = try await ProgramRun.finished(["--json", "-i", "list"], in: folder)
        #expect(result.status == 0)
        let lines = try JSONLines(result.output)
        let events = lines.events.filter { $0.name != "summary" }
        #expect(events.contains { $0.name == "progress" })
        for event in events {
            #expect(event.text("url") == server.url("/file") + "?token=***&a=1", "\(event.name)")
            #expect(event.text("tag") == "row 7", "\(event.name)")
        }
        let text = String(decoding: result.output, as: UTF8.self)
        for line in text.split(separator: "\n") where !line.contains("summary") {
            #expect(line.components(separatedBy: "\"url\":").count == 2, "\(line)")
        }
        #expect(!text.contains("hush"))
    }

    @Test("A failure carries its kind, its sentence, the status and the kept part")
    func failure() async throws {
        let folder = try ScratchFolder()
        let server = try Served.start([
            "/cut": .sequence([Self.behaviour.cutting(after: 100_000), Self.behaviour.cutting(after: 0)])
        ])
        let result = try await ProgramRun.finished(
            ["--json", "--retries", "1", server.url("/missing"), server.url("/cut")], in: folder)
        #expect(result.status == 1)
        let lines = try JSONLines(result.output)
        let failures = lines.events.filter { $0.name == "failed" }
        let missing = try #require(failures.first { $0.id == 1 }?.fields["error"] as? [String: Any])
        #expect(missing["httpStatus"] as? Int == 404)
        #expect(failures.compactMap { $0.text("url") }.sorted() == [server.url("/cut"), server.url("/missing")])
        #expect((missing["message"] as? String)?.contains("404") == true)
        #expect((missing["kind"] as? String)?.isEmpty == false)
        let cut = try #require(failures.first { $0.id == 2 }?.fields["error"] as? [String: Any])
        let part = try #require(cut["path"] as? String)
        #expect(part.hasSuffix(".part"))
        #expect(try folder.parts == [part.split(separator: "/").last.map(String.init)])
        #expect(lines.first("summary")?.number("failed") == 2)
    }

    @Test("The summary is the last line, also where a server has refused the last transfer")
    func lastLine() async throws {
        let server = try Served.start(["/busy": .respond(.text("busy", status: 429))])
        // What a server gets at once is told in a moment of its own: of five runs two told it behind the summary.
        for _ in 1...12 {
            let result = try await ProgramRun.finished(
                ["--json", "--retries", "0", server.url("/busy")], in: try ScratchFolder())
            #expect(try JSONLines(result.output).events.last?.name == "summary")
        }
    }

    @Test("Between started and the end comes progress, and its counts never fall")
    func progress() async throws {
        let folder = try ScratchFolder()
        let server = try Served.start(["/file": Self.behaviour.limited(to: 100_000)])
        let result = try await ProgramRun.finished(["--json", server.url("/file")], in: folder)
        let lines = try JSONLines(result.output)
        let received = lines.events.filter { $0.name == "progress" }.compactMap { $0.number("received") }
        #expect(!received.isEmpty)
        #expect(received == received.sorted())
        let progress = try #require(lines.first("progress"))
        #expect(progress.number("expectedToReceive") == 300_000)
        #expect(progress.fields["bytesPerSecond"] != nil)
    }

    @Test("Secrets in a URL and in headers are not told")
    func secrets() async throws {
        let folder = try ScratchFolder()
        let server = try Served.start(["/file": Self.behaviour])
        let url = "http://user:geheim@127.0.0.1:\(server.port)/file?token=geheim"
        let log = folder.path(of: "log")
        let result = try await ProgramRun.finished(
            ["--json", "-H", "Authorization: Bearer geheim", "--log", log, "--log-level", "debug", url], in: folder)
        #expect(result.status == 0, "\(result.messages)")
        #expect(!result.text.contains("geheim"), "\(result.text)")
        #expect(!result.messages.contains("geheim"))
        #expect(try JSONLines(result.output).first("completed")?.text("url")?.contains("/file?token=***") == true)
        let logged = String(decoding: folder.bytes(of: "log") ?? [], as: UTF8.self)
        #expect(!logged.isEmpty)
        #expect(!logged.contains("geheim"), "\(logged)")
    }

    @Test("A signal ends the stream of events with a summary all the same")
    func ended() async throws {
        let folder = try ScratchFolder()
        let server = try Served.start()
        let gate = try server.gate(named: "never")
        server.setRoute("/file", Self.behaviour.stalling(after: 100_000, until: gate))
        let run = try ProgramRun(["--json", server.url("/file")], in: folder)
        _ = try await waitUntil("the server's gate") { gate.arrivals > 0 ? true : nil }
        _ = try await waitUntil("the part") { try folder.parts.first }
        try run.signal(15)
        let result = try await run.waitForEnd()
        #expect(result.status == 143)
        let lines = try JSONLines(result.output)
        #expect(lines.events.last?.name == "summary")
        #expect(lines.first("summary")?.number("paused") == 1)
        #expect(lines.first("failed") == nil)
    }

    @Test("A URL that is named again is told, under the number of the transfer that stands for it")
    func repetition() async throws {
        let folder = try ScratchFolder()
        let server = try Served.start(["/file": Self.behaviour, "/other": Self.behaviour])
        let list = "\(server.url("/file"))\n\(server.url("/other"))\n\(server.url("/file"))\n out=b\n"
        try folder.write(list, to: "list")
        let words = ["--json", "-i", "list", "-i", "-", server.url("/file"), server.url("/file")]
        let result = try await ProgramRun.finished(words, in: folder, input: list)
        #expect(result.status == 0, "\(result.messages)")
        let added = try JSONLines(result.output).events.filter { $0.name == "added" }
        #expect(
            added.map { $0.text("url") == server.url("/file") } == [true, true, true, false, true, true, false, true])
        #expect(added.map(\.id) == [1, 1, 1, 2, 3, 1, 2, 3])
        let repeated = [false, true, true, false, false, true, true, true]
        #expect(added.map { $0.fields["repeated"] as? Bool } == repeated)
        #expect(try JSONLines(result.output).first("summary")?.number("completed") == 3)
        #expect(server.requests.count == 3)
        #expect(try folder.names == ["b", "file", "list", "other"])
    }

    @Test("A transfer that has failed is tried again when its URL comes once more")
    func repetitionOfFailure() async throws {
        let folder = try ScratchFolder()
        let server = try Served.start(["/file": .sequence([.respond(.text("no", status: 404)), Self.behaviour])])
        let pipe = try Pipeline()
        let run = try ProgramRun(["--json", "-i", "-"], in: folder, input: pipe.readEnd)
        pipe.closeReadEnd()
        try pipe.write(Array("\(server.url("/file"))\n\n".utf8))
        _ = try await waitUntil("the failure") {
            String(decoding: run.output, as: UTF8.self).contains("failed") ? true : nil
        }
        try pipe.write(Array("\(server.url("/file"))\n".utf8))
        pipe.closeWriteEnd()
        let result = try await run.waitForEnd()
        #expect(result.status == 0, "\(result.text)")
        let names = try JSONLines(result.output).names(of: 1)
        #expect(
            names == ["added", "started", "failed", "added", "resumed", "started", "response", "completed"])
        #expect(folder.bytes(of: "file") == Self.content.bytes)
    }

    @Test("A URL that stands twice in a list is tried once, however soon it fails")
    func repetitionInList() async throws {
        let folder = try ScratchFolder()
        let server = try Served.start()
        let lines = (0..<600).map { server.url("/missing/\($0 % 200)") + "\n" }
        try folder.write(lines.joined(), to: "list")
        let result = try await ProgramRun.finished(["--json", "-i", "list"], in: folder)
        #expect(result.status == 1)
        let events = try JSONLines(result.output).events
        #expect(events.count { $0.name == "added" } == 600)
        #expect(events.count { $0.name == "failed" } == 200)
        #expect(events.last?.number("failed") == 200)
        #expect(server.requests.count == 200)
    }

    @Test("Folders that are written in two ways are one place", arguments: ["inner", "./inner", "inner//", "inner/."])
    func samePlace(folderName: String) async throws {
        let folder = try ScratchFolder()
        let server = try Served.start(["/file": Self.behaviour])
        try folder.write("\(server.url("/file"))\n dir=\(folderName)\n", to: "list")
        let result = try await ProgramRun.finished(
            ["--json", "-d", "inner", "-i", "list", server.url("/file")], in: folder)
        #expect(result.status == 0, "\(result.text)")
        #expect(try JSONLines(result.output).events.filter { $0.name == "added" }.map(\.id) == [1, 1])
        #expect(try ScratchFolder.names(in: folder.path(of: "inner")) == ["file"])
    }
}
