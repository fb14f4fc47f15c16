import Foundation
import LoopbackServer
import Testing

/// Runs the programs of `Examples/` as their users do.
@Suite("Examples", .timeLimit(.minutes(1)))
struct ExamplesTests {
    private let server = LoopbackServer()
    private let folder: TemporaryFolder

    init() throws {
        try server.start()
        folder = try TemporaryFolder()
        server.setRoute("/file.bin", .file(seed: 5, count: 300_000))
    }

    /// How a program ended, and what it said.
    private struct End {
        var status: Int32
        var output: Data
        var errors: String
        var text: String { String(decoding: output, as: UTF8.self) }
    }

    private func run(_ name: String, _ arguments: String..., interruptWhen isDue: () -> Bool = { false }) throws -> End
    {
        let process = Process()
        process.executableURL = try CrashingProgram.location(of: "example-" + name)
        process.arguments = arguments
        // Files and not pipes, which would have to be emptied side by side.
        let (output, errors) = (folder.file("output"), folder.file("errors"))
        for file in [output, errors] { _ = FileManager.default.createFile(atPath: file.path, contents: nil) }
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = try FileHandle(forWritingTo: errors)
        process.standardInput = FileHandle.nullDevice
        try process.run()
        if isDue() { process.interrupt() }
        process.waitUntilExit()
        #expect(process.terminationReason == .exit)
        return End(
            status: process.terminationStatus, output: try Data(contentsOf: output),
            errors: try String(contentsOf: errors, encoding: .utf8))
    }

    @Test("A download shows its progress and stores the file")
    func download() throws {
        let end = try run("download", server.url("/file.bin"), folder.path)
        #expect(
            end.status == 0 && end.text.hasSuffix("100 % (300000 bytes)\nStored as \(folder.file("file.bin").path)\n"))
        #expect(folder.bytes(of: "file.bin")?.count == 300_000)
        let missing = try run("download", server.url("/none"), folder.path)
        #expect(missing.status == 1 && missing.text.contains("404"))
        #expect(try run("download").status == 2)
    }

    @Test("An upload sends a form with a file")
    func upload() throws {
        server.setRoute("/photos") { request in
            let text = String(decoding: request.bodyPrefix, as: UTF8.self)
            return .text(text.contains("Holiday") && text.contains("JPEG") ? "whole" : "half")
        }
        try folder.write(Array("JPEG".utf8), to: "photo.jpg")
        let end = try run("upload", folder.file("photo.jpg").path, server.url("/photos"))
        #expect(end.status == 0 && end.text.hasSuffix("100 % sent\nThe server answered 200: whole\n"))
        #expect(try run("upload", folder.file("none").path, server.url("/photos")).status == 1)
    }

    @Test("A token is renewed once for ten calls")
    func tokenRefresh() throws {
        let end = try run("token-refresh")
        #expect(end.status == 0 && end.text == "10 answers, 1 renewal\n")
    }

    @Test("A client is tested without a server")
    func stub() throws {
        let end = try run("stub")
        #expect(end.status == 0 && end.text.hasPrefix("Both tests passed"))
    }

    @Test("A tool prints what a URL has, and ends with 0, 1 or 2")
    func fetch() throws {
        let end = try run("fetch", server.url("/file.bin"))
        #expect(end.status == 0 && end.errors.isEmpty)
        #expect(Array(end.output) == DeterministicContent(seed: 5, count: 300_000).bytes(in: 0..<300_000))
        let missing = try run("fetch", server.url("/none"))
        #expect(missing.status == 1 && missing.text.isEmpty && missing.errors.contains("404"))
        #expect(try run("fetch").status == 2)
        let nonsense = try run("fetch", "nonsense")
        #expect(nonsense.errors == "fetch: URL has no scheme; write http:// or https:// in front of it\n")
    }

    @Test("Ctrl-C ends the tool in the middle of a body")
    func interrupted() throws {
        let gate = try server.gate(named: "middle")
        server.setRoute("/slow", Behaviour.file(seed: 5, count: 300_000).stalling(after: 100_000, until: gate))
        let end = try run("fetch", server.url("/slow")) { server.waitForRequests(count: 1) }
        #expect(end.status == 1 && end.output.count < 300_000)
    }
}
