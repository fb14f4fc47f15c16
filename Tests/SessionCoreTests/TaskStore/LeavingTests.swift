import Foundation
import LoopbackServer
import Testing

/// Programs that call `exit()` while a session of theirs works, and use nothing but the library.
@Suite("Leaving while a session works", .timeLimit(.minutes(1)), .serialized)
struct LeavingTests {
    /// How a program ended: 0 when it could leave.
    private func leave(_ url: String) throws -> Int32 { try CrashingProgram.run(["leave", url]).status }

    @Test("With secure connections under way", .enabled(if: OpenSSLServer.isAvailable))
    func secure() throws {
        let server = try OpenSSLServer()
        for _ in 0..<5 { #expect(try leave(server.url) == 0) }
    }

    @Test("With plain transfers under way, and with connections that idle")
    func plain() throws {
        let server = LoopbackServer()
        try server.start()
        defer { server.stop() }
        server.setRoute("/text", .respond(.text("text")))
        for _ in 0..<20 { #expect(try leave(server.url("/text")) == 0) }
    }
}
