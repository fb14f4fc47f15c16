import Foundation
import Glibc
import LoopbackServer
import TerminalTestSupport
import Testing

/// A service that is killed a moment after a window has asked it to remove or to change a running task.
@Suite("A service that is killed between two steps", .serialized, .timeLimit(.minutes(3)))
struct KilledStepTests {
    /// A service whose download stands still in the middle, and a window that shows it.
    private struct Scene {
        let shared: SharedService
        let service: ProgramRun
        let window: PseudoTerminal
        let process: pid_t

        init() async throws {
            shared = try SharedService()
            let complete = Behaviour.resource(
                ServedResource(seed: GatedDownload.content.seed, count: GatedDownload.content.count))
            let gate = try shared.download.server.gate(named: "middle")
            shared.download.server.setRoute("/file.bin", complete.stalling(after: GatedDownload.passed, until: gate))
            service = try await shared.serve()
            try await shared.run("add", shared.download.url)
            window = try shared.window()
            try await window.waitForScreen("the download in the middle") { $0.text.contains(/25(\.0)?%/) }
            process = try await shared.process()
        }

        /// Types the last key of a command, kills the service after a moment, and starts the next one, which the window
        /// may have done before; returns the process and what the service says.
        func kill(afterTyping key: String, milliseconds: Int) async throws -> (next: ProgramRun, status: String) {
            try window.type(key)
            try await Task.sleep(for: .milliseconds(milliseconds))
            Glibc.kill(process, SIGKILL)
            _ = try await service.waitForEnd()
            let next = try ProgramRun(["serve"], in: shared.download.folder, environment: shared.environment)
            try await next.waitForMessages("a service") {
                $0.contains("Serving session") || $0.contains("open in another netdash")
            }
            var status = try await shared.run("status")
            while status.messages.contains("No service runs") { status = try await shared.run("status") }
            return (next, status.text)
        }

        func end(_ next: ProgramRun) async throws {
            #expect(try await shared.run("stop").status == 0)
            _ = try await next.waitForEnd()
        }
    }

    @Test(
        "A removed task is gone after it, or as before: never cancelled, and its part is kept or deleted as was said",
        arguments: [0, 5, 15, 40], ["k", "d"])
    func removal(milliseconds: Int, key: String) async throws {
        let scene = try await Scene()
        try scene.window.type("X")
        try await scene.window.waitForScreen("the question") { $0.text.contains("from the list?") }
        let (next, status) = try await scene.kill(afterTyping: key, milliseconds: milliseconds)
        #expect(!status.contains("cancelled"), "\(status)")
        let folder = scene.shared.download.folder
        if !status.contains("file.bin") {
            // The next service may still be deleting it.
            if key == "d" { _ = try await waitUntil("the deleted part") { try folder.names.isEmpty ? true : nil } }
            #expect(try folder.names.isEmpty == (key == "d"))
        }
        try await scene.end(next)
    }

    @Test(
        "A moved task is where it was or where it was to be, and goes on to the right file",
        arguments: [0, 5, 15, 40])
    func move(milliseconds: Int) async throws {
        let scene = try await Scene()
        try scene.window.type("W")
        try await scene.window.waitForScreen("the path") { $0.text.contains("Move file to") }
        try scene.window.type(".new")
        try await scene.window.waitForScreen("the new path") { $0.text.contains("file.bin.new") }
        let (next, status) = try await scene.kill(afterTyping: "\r", milliseconds: milliseconds)
        #expect(status.contains("file.bin") && !status.contains("cancelled"), "\(status)")
        scene.shared.download.release()
        #expect(try await scene.shared.run("wait").status == 0)
        // Between the two, the description of a part without bytes may be left.
        let names = try scene.shared.download.folder.names.filter { !$0.hasPrefix(".") && !$0.contains(".part") }
        #expect(names == ["file.bin"] || names == ["file.bin.new"])
        #expect(names.first.map { scene.shared.download.folder.bytes(of: $0) } == GatedDownload.content.bytes)
        try await scene.end(next)
    }
}
