import Foundation
import Glibc
import LoopbackServer
import TerminalTestSupport
import Testing

/// What one window does to the rows of a service, as the others and a script see it.
@Suite("Windows of a service tell the same", .serialized, .timeLimit(.minutes(2)))
struct ServiceWindowsTests {
    /// A service with two completed downloads, and windows on it.
    private static func shared(windows count: Int) async throws -> (SharedService, ProgramRun, [PseudoTerminal]) {
        let shared = try SharedService()
        for name in ["first.bin", "second.bin"] { shared.download.server.setRoute("/" + name, .respond(.text(name))) }
        let service = try await shared.serve()
        for name in ["first.bin", "second.bin"] { try await shared.run("add", shared.download.server.url("/" + name)) }
        #expect(try await shared.run("wait").status == 0)
        let windows = try (0..<count).map { _ in try shared.window() }
        for window in windows { try await window.waitForScreen("the rows") { $0.text.contains("done 2") } }
        return (shared, service, windows)
    }

    /// A service whose download stands still in the middle, however often it is requested.
    private static func stalled() throws -> SharedService {
        let shared = try SharedService()
        let server = shared.download.server
        let complete = Behaviour.resource(
            ServedResource(seed: GatedDownload.content.seed, count: GatedDownload.content.count))
        server.setRoute(
            "/file.bin", complete.stalling(after: GatedDownload.passed, until: try server.gate(named: "middle")))
        return shared
    }

    @Test("Cleared rows leave every window and the status at once, z brings them back, and a kill changes nothing")
    func clearing() async throws {
        let (shared, service, windows) = try await Self.shared(windows: 2)
        try windows[0].type("c")
        try await windows[1].waitForScreen("no rows") { !$0.text.contains("second.bin") }
        #expect(!(try await shared.run("status").text.contains("second.bin")))
        try windows[0].type("z")
        for window in windows { try await window.waitForScreen("the rows again") { $0.text.contains("done 2") } }
        #expect(try await shared.run("status").text.contains("second.bin"))
        try windows[0].type("c")
        try await windows[1].waitForScreen("no rows again") { !$0.text.contains("second.bin") }
        try windows[0].signal(SIGKILL)
        #expect(!(try await shared.run("status").text.contains("second.bin")))
        try windows[1].type("D")
        #expect(try await windows[1].waitForEnd() == 0)
        #expect(try await shared.run("stop").status == 0)
        #expect(try await service.waitForEnd().status == 0)
        // The saved session has none of them either.
        let next = try await shared.serve()
        #expect(!(try await shared.run("status").text.contains("second.bin")))
        #expect(try await shared.run("stop").status == 0)
        #expect(try await next.waitForEnd().status == 0)
    }

    @Test("Commands and windows that start in the same moment share one service", arguments: 1...3)
    func startedTogether(round: Int) async throws {
        let shared = try Self.stalled()
        let runs = try (1...4).map { number in
            try ProgramRun(
                ["add", shared.download.url + "?\(number)"], in: shared.download.folder, environment: shared.environment
            )
        }
        let windows = try [shared.window(), shared.window()]
        for run in runs {
            let end = try await run.waitForEnd()
            #expect(end.status == 0, "\(end.messages)")
        }
        for window in windows { try await window.waitForScreen("the rows") { $0.text.contains("All 4") } }
        #expect(try await shared.run("stop").status == 0)
    }

    @Test("A window that ends after netdash stop starts no service to forget what it has removed")
    func closingAfterStop() async throws {
        let (shared, service, windows) = try await Self.shared(windows: 1)
        try windows[0].type("c")
        try await shared.waitForStatus("no rows") { !$0.isEmpty && !$0.contains("second.bin") }
        #expect(try await shared.run("stop").status == 0)
        #expect(try await service.waitForEnd().status == 0)
        try await windows[0].waitForScreen("the stopped service") { $0.text.contains("service stopped") }
        try windows[0].type("q")
        #expect(try await windows[0].waitForEnd() == 0)
        #expect(try await shared.run("status").status == 1)
    }

    @Test("wait says that only paused tasks are left, and ends when another command lets them go on")
    func waitForPaused() async throws {
        let shared = try Self.stalled()
        let service = try await shared.serve()
        try await shared.run("add", shared.download.url)
        #expect(try await shared.run("pause", "all").text == "Paused 1 task\n")
        let waiting = try ProgramRun(["wait"], in: shared.download.folder, environment: shared.environment)
        try await waiting.waitForMessages("the paused task") {
            $0 == "netdash: Waiting for 1 paused task: nothing runs until netdash resume\n"
        }
        try await shared.run("resume", "all")
        shared.download.release()
        #expect(try await waiting.waitForEnd().status == 0)
        #expect(shared.download.file == GatedDownload.content.bytes)
        #expect(try await shared.run("stop").status == 0)
        #expect(try await service.waitForEnd().status == 0)
    }

    @Test("A running task that a window removes is cancelled for all, z has it back and going, and wait is told")
    func runningTask() async throws {
        let shared = try Self.stalled()
        let service = try await shared.serve()
        try await shared.run("add", shared.download.url)
        let windows = try [shared.window(), shared.window()]
        for window in windows { try await window.waitForScreen("the row") { $0.text.contains("running") } }
        let waiting = try ProgramRun(["wait"], in: shared.download.folder, environment: shared.environment)
        try await waiting.waitUntilConnected(to: service)
        try windows[0].type("X")
        try await windows[0].waitForScreen("the question") { $0.text.contains("from the list?") }
        try windows[0].type("k")
        #expect(try await waiting.waitForEnd().status == 1)
        try await windows[1].waitForScreen("no row") { !$0.text.contains("file.bin") }
        #expect(!(try await shared.run("status").text.contains("file.bin")))
        try windows[0].type("z")
        // It is first there and then going.
        for window in windows { try await window.waitForScreen("the row again") { $0.text.contains(/▸ ↓ file\.bin/) } }
        shared.download.release()
        #expect(try await shared.run("wait").status == 0)
        #expect(shared.download.file == GatedDownload.content.bytes)
        for window in windows { try window.type("D") }
        for window in windows { #expect(try await window.waitForEnd() == 0) }
        #expect(try await shared.run("stop").status == 0)
        #expect(try await service.waitForEnd().status == 0)
    }

    // MARK: - Undo

    @Test("z takes back what this window did, but not what another one has set since, and says so")
    func undo() async throws {
        let shared = try Self.stalled()
        let service = try await shared.serve()
        try await shared.run("add", shared.download.url)
        let windows = try [shared.window(), shared.window()]
        for window in windows { try await window.waitForScreen("the row") { $0.text.contains("running") } }
        // A key is about the row as its window shows it.
        func press(_ key: String, in window: PseudoTerminal, _ isWanted: (String) -> Bool) async throws {
            try window.type(key)
            for window in windows { try await window.waitForScreen("what follows \(key)") { isWanted($0.text) } }
        }
        func isPaused(_ text: String) -> Bool { text.contains(/‖ ↓ file\.bin/) }
        func isRunning(_ text: String) -> Bool { text.contains(/▸ ↓ file\.bin/) }
        try await press("p", in: windows[0], isPaused)
        try await press("z", in: windows[0], isRunning)
        try await press("p", in: windows[0], isPaused)
        try await press("r", in: windows[1], isRunning)
        try await press("p", in: windows[1], isPaused)
        try windows[0].type("z")
        try await windows[0].waitForToast("another window")
        #expect(try await shared.run("status").text.contains("paused"))
        for window in windows { try window.type("D") }
        for window in windows { #expect(try await window.waitForEnd() == 0) }
        #expect(try await shared.run("stop").status == 0)
        #expect(try await service.waitForEnd().status == 0)
    }

    @Test("Once a killed service was started again, z leaves alone what was done before, and says so")
    func undoAfterKill() async throws {
        let shared = try Self.stalled()
        let service = try await shared.serve()
        try await shared.run("add", shared.download.url)
        let windows = try [shared.window(), shared.window()]
        for window in windows { try await window.waitForScreen("the row") { $0.text.contains("running") } }
        try windows[0].type("p")
        try await windows[1].waitForScreen("a paused row") { $0.text.contains("paused") }
        try windows[1].type("r")
        try await windows[1].waitForScreen("a running row") { $0.text.contains("running") }
        try windows[1].type("p")
        try await shared.waitForStatus("a row that the other window has paused") { $0.contains("paused") }
        try await shared.save()
        kill(try await shared.process(), SIGKILL)
        _ = try await service.waitForEnd()
        for window in windows { try await window.waitForScreen("the loss") { $0.text.contains("service lost") } }
        let next = try await shared.serve()
        for window in windows { try await window.waitForScreen("the service") { !$0.text.contains("service lost") } }
        try await windows[0].waitForQuiet()
        try windows[0].type("z")
        try await windows[0].waitForToast("restart of the service")
        #expect(try await shared.run("status").text.contains("paused"))
        for window in windows { try window.type("D") }
        for window in windows { #expect(try await window.waitForEnd() == 0) }
        #expect(try await shared.run("stop").status == 0)
        #expect(try await next.waitForEnd().status == 0)
    }

    @Test("z moves a file back, but not one that another window has moved since, and says so")
    func undoOfMove() async throws {
        let (shared, service, windows) = try await Self.shared(windows: 2)
        let folder = shared.download.folder
        for window in windows { try await window.waitForQuiet() }
        func rename(_ window: PseudoTerminal, _ old: String, adding end: String) async throws {
            // A window that does not show an earlier move yet would ask for the old name.
            try await window.waitForScreen("the row of \(old)") { $0.text.contains(old + " ") }
            let name = old + end
            try window.type("W")
            try await window.waitForScreen("the path") { $0.text.contains("Move file to") }
            try window.type(end + "\r")
            _ = try await waitUntil("the moved file") { folder.bytes(of: name) }
        }
        try windows[0].type("G")
        try windows[1].type("G")
        try await rename(windows[0], "second.bin", adding: ".a")
        try windows[0].type("z")
        _ = try await waitUntil("the file at its place") { folder.bytes(of: "second.bin") }
        try await rename(windows[0], "second.bin", adding: ".a")
        try await rename(windows[1], "second.bin.a", adding: ".b")
        try windows[0].type("z")
        try await windows[0].waitForToast("another window")
        #expect(folder.bytes(of: "second.bin.a.b") != nil && folder.bytes(of: "second.bin") == nil)
        for window in windows { try window.type("D") }
        for window in windows { #expect(try await window.waitForEnd() == 0) }
        #expect(try await shared.run("stop").status == 0)
        #expect(try await service.waitForEnd().status == 0)
    }

    @Test("A form whose task another window has changed or removed keeps its text, says so and saves nothing")
    func overtakenForm() async throws {
        let shared = try SharedService()
        let server = shared.download.server
        server.setRoute(
            "/file.bin", .choosing { .respond(.text("refused", status: $0.header("X-Window") == nil ? 404 : 410)) })
        let service = try await shared.serve()
        try await shared.run("add", shared.download.url)
        #expect(try await shared.run("wait").status == 1)
        let windows = try [shared.window(), shared.window()]
        for (number, window) in windows.enumerated() {
            try await window.waitForScreen("the row") { $0.text.contains("file.bin") }
            try window.type("e")
            try await window.waitForScreen("the form") { $0.text.contains("Edit task") }
            try window.type("\t\t\tX-Window: \(number + 1)")
            try await window.waitForScreen("the header") { $0.text.contains("X-Window: \(number + 1)") }
        }
        try windows[0].type("\r")
        _ = try await waitUntil("the edited request") {
            server.requests(for: "/file.bin").contains { $0.header("X-Window") == "1" } ? true : nil
        }
        try windows[1].type("\r")
        try await windows[1].waitForScreen("the refusal in the form") {
            $0.text.contains("Another window's change") && $0.text.contains("X-Window: 2") && !$0.text.contains("Saved")
        }
        #expect(!server.requests(for: "/file.bin").contains { $0.header("X-Window") == "2" })
        // What has not ended as far as the window knows is not removed without a question.
        try await windows[0].waitForScreen("the second failure") {
            $0.text.contains(/✗.*file\.bin/) && $0.text.contains(/\b410\b/)
        }
        try windows[0].type("X")
        try await shared.waitForStatus("no row") { !$0.isEmpty && !$0.contains("file.bin") }
        try windows[1].type("\r")
        try await windows[1].waitForScreen("the refusal of a removed task") {
            $0.text.contains("This task was removed") && $0.text.contains("X-Window: 2")
        }
        #expect(!(try await shared.run("status").text.contains("file.bin")))
        try windows[1].type("\u{1B}")
        try await windows[1].waitForScreen("the list") { !$0.text.contains("Edit task") }
        for window in windows { try window.type("D") }
        for window in windows { #expect(try await window.waitForEnd() == 0) }
        #expect(try await shared.run("stop").status == 0)
        #expect(try await service.waitForEnd().status == 0)
    }
}
