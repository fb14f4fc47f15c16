import LoopbackServer
import Testing

/// Servers and networks that misbehave: one clear sentence, the right status, and never a partial file under its name.
@Suite("Trouble on the way", .timeLimit(.minutes(1)))
struct TroubleTests {
    private static let content = DeterministicContent(seed: 7, count: 400_000)
    private static let resource = ServedResource(body: .content(content))

    /// Breaks off in the middle, and then before the first byte each time.
    private static func repeatedly(cut manner: Cut.Manner) -> Behaviour {
        let complete = Behaviour.resource(resource)
        return .sequence([complete.cutting(after: 100_000, manner), complete.cutting(after: 0, manner)])
    }

    /// The content without validators, and with a length that is not its own.
    private static func lying(_ length: String?) -> ScriptedResponse {
        ScriptedResponse(body: .content(content), framing: length.map { .declaredLength([$0]) } ?? .chunked)
    }

    /// A fault, and the sentence and status it deserves.
    struct Fault: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var behaviour: Behaviour
        var sentence: String
        var status = 1

        init(_ name: String, _ behaviour: Behaviour, says sentence: String) {
            testDescription = name
            self.behaviour = behaviour
            self.sentence = sentence
        }
    }

    @Test(
        "An answer that cannot be had whole fails with a sentence and leaves no file",
        arguments: [
            Fault("404", .respond(.text("no\n", status: 404)), says: "404 Not Found"),
            Fault("503", .respond(.text("no\n", status: 503)), says: "503 Service Unavailable"),
            Fault("body cut short", repeatedly(cut: .close), says: "closed early"),
            Fault("connection reset", repeatedly(cut: .reset), says: "Connection"),
            Fault(
                "length too large", .respond(lying("500000")), says: "closed early"),
            Fault(
                "two lengths", .resource(resource).framed(.declaredLength(["400000", "300000"])),
                says: "Two different lengths"),
            Fault(
                "length that is no number", .resource(resource).framed(.declaredLength(["many"])),
                says: "Invalid HTTP response"
            ),
            Fault(
                "negative length", .resource(resource).framed(.declaredLength(["-5"])), says: "Invalid HTTP response"),
            Fault(
                "chunks without an end", .respond(lying(nil)).framed(.chunked).cutting(after: 300_000),
                says: "closed early"),
            Fault("no answer", .silence(), says: "lost"),
            Fault("no HTTP", .raw("SSH-2.0-OpenSSH_9.2\r\n"), says: "not an HTTP server"),
            Fault("redirect in circles", .redirect(to: "/file"), says: "Redirect loop"),
            Fault("redirect to a file", .redirect(to: "file:///etc/passwd"), says: "file"),
        ])
    func faults(fault: Fault) async throws {
        let folder = try ScratchFolder()
        let server = try Served.start(["/file": fault.behaviour])
        let result = try await ProgramRun.finished(["--retries", "0", server.url("/file")], in: folder)
        Self.expectFailed(result, saying: fault.sentence, status: fault.status)
        #expect(try !folder.names.contains("file"))
    }

    @Test("Nobody listens: status 4")
    func refused() async throws {
        let folder = try ScratchFolder()
        let url = try Served.refusedURL()
        let result = try await ProgramRun.finished(["--retries", "0", url], in: folder)
        let authority = url.split(separator: "/")[1]
        Self.expectFailed(result, saying: "Connection refused by " + authority, status: 4)
        #expect(try folder.names.isEmpty)
    }

    @Test("Nobody knows the host: status 4")
    func unknownHost() async throws {
        let folder = try ScratchFolder()
        let result = try await ProgramRun.finished(["--retries", "0", "http://nohost.invalid/file"], in: folder)
        Self.expectFailed(result, saying: "nohost.invalid", status: 4)
        #expect(try folder.names.isEmpty)
    }

    @Test("One of two transfers reached the network: status 1")
    func partlyRefused() async throws {
        let folder = try ScratchFolder()
        let server = try Served.start(["/file": .resource(Self.resource)])
        let result = try await ProgramRun.finished(
            ["--retries", "0", Served.refusedURL(), server.url("/file")], in: folder)
        Self.expectFailed(result, saying: "Connection refused by", status: 1)
        #expect(folder.bytes(of: "file") == Self.content.bytes)
    }

    @Test("A server that stops sending is given up after the stall timeout, and the part is kept")
    func stall() async throws {
        let folder = try ScratchFolder()
        let server = try Served.start()
        let gate = try server.gate(named: "never")
        let complete = Behaviour.resource(Self.resource)
        server.setRoute(
            "/file",
            .sequence([complete.stalling(after: 100_000, until: gate), complete.stalling(after: 0, until: gate)]))
        let result = try await ProgramRun.finished(
            ["--stall-timeout", "1", "--retries", "1", server.url("/file")], in: folder)
        Self.expectFailed(result, saying: "stopped sending", status: 1)
        #expect(try !folder.names.contains("file"))
        #expect(try folder.parts.map { try folder.size(of: $0) } == [100_000])
    }

    @Test(
        "A break in the middle is mended by a retry that asks for the rest alone",
        arguments: [Cut.Manner.close, .reset])
    func mended(manner: Cut.Manner) async throws {
        let folder = try ScratchFolder()
        let server = try Served.start(["/file": .flaky(Self.resource, after: 150_000, manner)])
        let result = try await ProgramRun.finished([server.url("/file")], in: folder)
        #expect(result.status == 0, "\(result.messages)")
        #expect(folder.bytes(of: "file") == Self.content.bytes)
        #expect(try folder.names == ["file"])
        #expect(server.requests.map { $0.header("Range") } == [nil, "bytes=149744-"])
    }

    @Test("A busy server is asked again")
    func busy() async throws {
        let folder = try ScratchFolder()
        let server = try Served.start([
            "/file": .sequence([.respond(.text("later\n", status: 503)), .resource(Self.resource)])
        ])
        let result = try await ProgramRun.finished([server.url("/file")], in: folder)
        #expect(result.status == 0, "\(result.messages)")
        #expect(result.messages.contains(" retry 1 in "))
        #expect(folder.bytes(of: "file") == Self.content.bytes)
    }

    @Test("A full disk fails with status 3")
    func fullDisk() async throws {
        let folder = try ScratchFolder()
        let server = try Served.start(["/file": .resource(Self.resource)])
        let full = try DeviceFile("/dev/full")
        let run = try ProgramRun(["-o", "-", server.url("/file")], in: folder, output: full.descriptor)
        Self.expectFailed(try await run.waitForEnd(), saying: "No space left", status: 3)
    }

    @Test("A name from the server stays in the folder and off the terminal")
    func hostileName() async throws {
        let folder = try ScratchFolder()
        try folder.write("mine", to: "secret")
        let name = #"attachment; filename="../../\#u{1B}]0;evil\#u{7}/..secret""#
        let server = try Served.start(["/file": .resource(Self.resource).header("Content-Disposition", name)])
        let result = try await ProgramRun.finished(["-d", "inner", server.url("/file")], in: folder)
        #expect(result.status == 0, "\(result.messages)")
        #expect(try folder.names == ["inner", "secret"])
        #expect(!result.messages.utf8.contains(0x1B))
        #expect(!result.messages.utf8.contains(0x07))
    }

    /// The failure's sentence is there once, on a line of its transfer, and the status is right.
    static func expectFailed(
        _ result: ProgramRun.Result, saying sentence: String, status: Int,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(result.status == status, "\(result.messages)", sourceLocation: sourceLocation)
        let failures = result.lines.filter { $0.contains(" failed: ") }
        #expect(failures.count == 1, "\(result.messages)", sourceLocation: sourceLocation)
        #expect(failures.allSatisfy { $0.contains(sentence) }, "\(result.messages)", sourceLocation: sourceLocation)
        #expect(result.lines.last?.contains("1 failed") == true, "\(result.messages)", sourceLocation: sourceLocation)
    }
}
