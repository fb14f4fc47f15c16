import Foundation
import Glibc
import LoopbackServer
import TerminalTestSupport
import Testing

/// A service that is killed, and the one that a command or a window starts after it.
@Suite("The settings of a service outlive it", .serialized, .timeLimit(.minutes(1)))
struct ServiceRestartTests {
    private static func words(of process: pid_t) throws -> [String] {
        try String(contentsOfFile: "/proc/\(process)/cmdline", encoding: .utf8).split(separator: "\0").map(String.init)
    }

    /// A service with settings of its own, in folders of the test.
    private static func serve(_ options: [String]) async throws -> (SharedService, ProgramRun) {
        let shared = try SharedService()
        for name in ["drop", "files"] {
            try FileManager.default.createDirectory(
                atPath: shared.download.folder.path(of: name), withIntermediateDirectories: true)
        }
        let service = try ProgramRun(
            ["serve"] + options, in: shared.download.folder, environment: shared.environment)
        try await service.waitForMessages("the service to listen") { $0.contains("Serving session") }
        return (shared, service)
    }

    @Test("After a kill the next addition starts the service with its folders, log and limits, and a stop ends that")
    func killed() async throws {
        let (shared, service) = try await Self.serve([
            "--watch", "drop", "-d", "files", "--log", "service.log", "--limit-rate", "50M",
        ])
        let folder = shared.download.folder
        let server = shared.download.server
        for name in ["first", "second", "third"] { server.setRoute("/" + name, .respond(.text(name))) }
        kill(try await shared.process(), SIGKILL)
        _ = try await service.waitForEnd()
        // From another folder, and without an option.
        let added = try await ProgramRun.finished(
            ["add", server.url("/first")], in: try ScratchFolder(), environment: shared.environment)
        #expect(added.status == 0, "\(added)")
        let process = try await shared.process()
        let words = try Self.words(of: process)
        #expect(words.contains("--watch=" + folder.path(of: "drop")), "\(words)")
        #expect(words.contains("--dir=" + folder.path(of: "files")), "\(words)")
        #expect(words.contains("--log=" + folder.path(of: "service.log")), "\(words)")
        #expect(words.contains("--limit-rate=50M") && !words.contains { $0.hasPrefix("--idle-exit") }, "\(words)")
        try folder.write(server.url("/second") + "\n", to: "list")
        #expect(rename(folder.path(of: "list"), folder.path(of: "drop/list.txt")) == 0)
        _ = try await waitUntil("the dropped task") { folder.bytes(of: "files/second") }
        // A second kill changes nothing.
        kill(process, SIGKILL)
        _ = try await waitUntil("the end of the service") { Program.isRunning(process) ? nil : true }
        let third = try await shared.run("add", server.url("/third"))
        #expect(third.status == 0, "\(third)")
        #expect(try Self.words(of: try await shared.process()) == words)
        #expect(try await shared.run("stop").status == 0)
        // A start after an end that was wanted has its own settings.
        try await shared.run("add", server.url("/first"))
        let own = try Self.words(of: try await shared.process())
        #expect(own.contains("--idle-exit=30") && !own.contains { $0.hasPrefix("--watch") }, "\(own)")
        #expect(try await shared.run("stop").status == 0)
    }

    @Test("A window starts a killed service with its settings, and names the option whose secret was not saved")
    func secret() async throws {
        let (shared, service) = try await Self.serve(["-d", "files", "--on-error", "curl -u me:hunter2 https://h/"])
        let window = try shared.window(shared.download.url)
        try await window.waitForScreen("the download in the middle") { $0.text.contains(/25(\.0)?%/) }
        kill(try await shared.process(), SIGKILL)
        _ = try await service.waitForEnd()
        try await window.waitForScreen("the lost service") { $0.text.contains("service lost") }
        let state = try #require(shared.environment["XDG_STATE_HOME"] ?? shared.environment["HOME"])
        for path in FileManager.default.enumerator(atPath: state)?.compactMap({ $0 as? String }) ?? [] {
            let bytes = FileManager.default.contents(atPath: state + "/" + path) ?? Data()
            #expect(bytes.range(of: Data("hunter2".utf8)) == nil, "\(path)")
        }
        try window.type("p")
        try await window.waitForScreen("the sentence") { $0.text.contains("without --on-error") }
        let words = try Self.words(of: try await shared.process())
        #expect(words.contains("--dir=" + shared.download.folder.path(of: "files")), "\(words)")
        #expect(!words.contains { $0.contains("hunter2") }, "\(words)")
        try window.type("D")
        #expect(try await window.waitForEnd() == 0)
        #expect(try await shared.run("stop").status == 0)
    }
}
