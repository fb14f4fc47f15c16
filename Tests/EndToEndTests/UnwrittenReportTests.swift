import LoopbackServer
import Testing

/// Lines that cannot be written: whoever reads the exit status must not believe that everything was told.
@Suite("Reports that cannot be written", .timeLimit(.minutes(1)))
struct UnwrittenReportTests {
    private let folder: ScratchFolder
    private let server: LoopbackServer

    init() throws {
        folder = try ScratchFolder()
        server = try Served.start(["/file": .file(count: 1000)])
    }

    @Test("JSON that meets a full disk ends with 3 and one sentence, and the transfer is done all the same")
    func fullOutput() async throws {
        let full = try DeviceFile("/dev/full")
        let run = try ProgramRun(["--json", server.url("/file")], in: folder, output: full.descriptor)
        let result = try await run.waitForEnd()
        #expect(result.status == 3)
        #expect(result.lines == ["netdash: standard output cannot be written: No space left on device"])
        #expect(folder.bytes(of: "file")?.count == 1000)
    }

    @Test("JSON that nobody reads ends with 1 and one sentence")
    func readerGone() async throws {
        let pipe = try Pipeline()
        let run = try ProgramRun(["--json", server.url("/file")], in: folder, output: pipe.writeEnd)
        pipe.closeReadEnd()
        let result = try await run.waitForEnd()
        #expect(result.status == 1)
        #expect(result.lines == ["netdash: Nobody reads standard output any more"])
    }

    @Test("A log that meets a full disk ends with 3 and a sentence that names it")
    func fullLog() async throws {
        let result = try await ProgramRun.finished(["--log", "/dev/full", server.url("/file")], in: folder)
        #expect(result.status == 3)
        #expect(result.lines.last == "netdash: /dev/full cannot be written: No space left on device")
    }

    @Test("Lines that meet a full disk end with 3")
    func fullMessages() async throws {
        let result = try await ProgramRun.finished(
            ["--plain", server.url("/file")], in: folder, before: ["/bin/sh", "-c", "exec \"$@\" 2>/dev/full", "sh"])
        #expect(result.status == 3)
    }

    @Test("A failed transfer decides about the status before its report does")
    func failedTransfer() async throws {
        let full = try DeviceFile("/dev/full")
        let run = try ProgramRun(["--json", server.url("/missing")], in: folder, output: full.descriptor)
        #expect(try await run.waitForEnd().status == 1)
    }

    @Test("Help that cannot be written ends with 3 and one sentence")
    func fullHelp() async throws {
        let full = try DeviceFile("/dev/full")
        let result = try await ProgramRun(["--help"], in: folder, output: full.descriptor).waitForEnd()
        #expect(result.status == 3)
        #expect(result.lines == ["netdash: standard output cannot be written: No space left on device"])
    }
}
