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

    @Test("Cleared rows leave every window and the status at once, z brings them back for all, and a kill changes nothing")
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
}
