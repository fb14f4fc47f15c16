import Foundation
import LoopbackServer
import Testing

/// Something that users of other programs take for granted, and the command that shows it.
struct Expectation: Sendable, CustomTestStringConvertible {
    let what: String
    /// A command of the shell, in an empty folder.
    ///
    /// `$S` is the address of the server.
    let command: String
    /// The exit code.
    let status: Int
    /// Pieces of what is printed.
    let says: [String]

    var testDescription: String { what }

    init(_ what: String, _ command: String, status: Int = 0, says: String...) {
        (self.what, self.command, self.status, self.says) = (what, command, status, says)
    }

    /// Runs the command and checks what it left.
    func check() async throws {
        let server = try Self.server()
        let folder = try ScratchFolder()
        let script = "program=$0; netdash() { \"$program\" \"$@\"; }; " + command
        let run = try await ProgramRun.finished(
            [], in: folder, environment: ["S": "http://127.0.0.1:\(server.port)"], before: ["/bin/sh", "-c", script])
        let printed = run.text + run.messages
        let story = "\(command)\n\(printed)\(try folder.names)"
        #expect(run.status == status, "\(story)")
        for piece in says { #expect(printed.contains(piece), "\(piece) in \(story)") }
    }

    private static func server() throws -> LoopbackServer {
        let server = LoopbackServer()
        func file(_ path: String, _ seed: UInt64, _ count: Int64) -> Behaviour {
            let behaviour = Behaviour.resource(ServedResource(seed: seed, count: count))
            server.setRoute(path, behaviour)
            return behaviour
        }
        let first = file("/a.bin", 1, 3_000)
        _ = file("/b.bin", 2, 5_000)
        _ = file("/dir/sub/c.bin", 3, 4_000)
        _ = file("/large.bin", 4, 3_000_000)
        for number in 1...3 { _ = file("/n\(number).bin", UInt64(10 + number), 1_000) }
        server.setRoute("/echo", .echo)
        for name in ["a.txt", "b.txt", "d/a.txt", "d/sub/c.txt", ""] { server.setRoute("/put/\(name)", .uploadSink()) }
        server.setRoute("/basic.bin", .guarded(authorization: "Basic dTpw", first))
        server.setRoute("/bearer.bin", .guarded(authorization: "Bearer t0k", challenge: "Bearer", first))
        server.setRoute("/moved", .redirect(to: "/a.bin"))
        server.setRoute("/gone", .respond(.text("No more.\n", status: 410)))
        server.setRoute("/named", first.header("Content-Disposition", "attachment; filename=\"report.bin\""))
        server.setRoute(
            "/busy.bin", .sequence([.respond(.text("Busy.\n", status: 503)), first]))
        server.setRoute("/odd.bin", .sequence([.respond(.text("Not yet.\n", status: 404)), first]))
        server.setRoute("/rated.bin", .atRate(5, first, else: .text("Too many.\n", status: 429)))
        server.setRoute(
            "/state", .sequence([.respond(.json("{\"state\":\"busy\"}")), .respond(.json("{\"state\":\"done\"}"))]))
        server.setRoute("/page1", Behaviour.respond(.json("[1]")).header("Link", "</page2>; rel=\"next\""))
        server.setRoute("/page2", .respond(.json("[2]")))
        server.setRoute("/files", .respond(.json("{\"files\":[{\"url\":\"/a.bin\"},{\"url\":\"/b.bin\"}]}")))
        server.setRoute(
            "/index.html",
            .respond(.html("<a href=\"a.bin\">a</a> <a href='/b.bin'>b</a> <a href=\"note.txt\">n</a>")))
        try server.start()
        return server
    }
}

@Suite("What people expect", .timeLimit(.minutes(2)))
struct ExpectationTests {
    @Test("Welcome: foreign options, words, first contact", arguments: Expectation.welcome)
    func welcome(expectation: Expectation) async throws { try await expectation.check() }

    @Test("The queue: lists, names, rules, times", arguments: Expectation.queue)
    func queue(expectation: Expectation) async throws { try await expectation.check() }

    @Test("Secrets, routes and links that expire", arguments: Expectation.secrets)
    func secrets(expectation: Expectation) async throws { try await expectation.check() }

    @Test("Uploads", arguments: Expectation.uploads)
    func uploads(expectation: Expectation) async throws { try await expectation.check() }

    @Test("Calls", arguments: Expectation.calls)
    func calls(expectation: Expectation) async throws { try await expectation.check() }
}
