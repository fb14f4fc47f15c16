import Foundation
import LoopbackServer
import TerminalTestSupport
import Testing

/// A service on "another" host, by ssh on loopback.
@Suite("A service by ssh", .serialized, .timeLimit(.minutes(1)), .enabled(if: SecureShell.isAvailable))
struct SecureShellStoryTests {
    private static func showsDownload(_ screen: VirtualScreen) -> Bool { screen.text.contains(/25(\.0)?%/) }

    @Test("ssh -t opens a window on the tasks of the other host")
    func window() async throws {
        let download = try GatedDownload()
        let user = try UserFolder()
        let environment = try user.environmentWithService()
        let shell = try await SecureShell()
        let added = try await ProgramRun.finished(
            ["add", download.url], in: download.folder, environment: environment)
        #expect(added.text == "1\n", "\(added)")
        let variables = environment.merging(["LANG": "C.UTF-8"]) { $1 }.map { "\($0)='\($1)'" }
        let window = try PseudoTerminal(
            shell.client(["-t"]) + ["env"] + variables + [try Program.path()], environment: environment)
        try await window.waitForScreen("the download in the middle", Self.showsDownload)
        try window.type("D")
        #expect(try await window.waitForEnd() == 0)
        let stopped = try await ProgramRun.finished(["stop"], in: download.folder, environment: environment)
        #expect(stopped.status == 0, "\(stopped)")
    }

    @Test("A forwarded socket serves window and commands; a cut line is told, and joined again by itself")
    func forwarding() async throws {
        let download = try GatedDownload()
        let (there, here) = (try UserFolder(), try UserFolder())
        let remote = try there.environmentWithService()
        let shell = try await SecureShell()
        let service = try ProgramRun(["serve"], in: download.folder, environment: remote)
        try await service.waitForMessages("the service to listen") { $0.contains("Serving session") }
        let socket = try #require(service.messages.firstMatch(of: /at (\/\S+)/)).1
        let local = shell.folder.path(of: "local.sock")
        let environment = try here.environmentWithService().merging(["NETDASH_SOCKET": local]) { $1 }
        let early = try await ProgramRun.finished(["status"], in: download.folder, environment: environment)
        #expect(early.messages == "netdash: No service answers at $NETDASH_SOCKET, \(local)\n" && early.status == 1)
        let forward = shell.client(["-N", "-o", "StreamLocalBindUnlink=yes", "-L", "\(local):\(socket)"])
        let tunnel = try await shell.tunnel(forward, to: local)
        let added = try await ProgramRun.finished(
            ["add", "-d", download.folder.path, download.url], in: download.folder, environment: environment)
        #expect(added.text == "1\n", "\(added)")
        let window = try PseudoTerminal([try Program.path()], environment: environment)
        try await window.waitForScreen("the download in the middle", Self.showsDownload)
        SecureShell.end(tunnel)
        try await window.waitForScreen("the lost line") { $0.text.contains("service lost") }
        let second = try await shell.tunnel(forward, to: local)
        defer { SecureShell.end(second) }
        download.release()
        try await window.waitForScreen("the end") { $0.text.contains("done 1") }
        #expect(download.file == GatedDownload.content.bytes)
        try window.type("D")
        #expect(try await window.waitForEnd() == 0)
        let stopped = try await ProgramRun.finished(["stop"], in: download.folder, environment: environment)
        #expect(stopped.status == 0, "\(stopped)")
        #expect(try await service.waitForEnd().status == 0)
    }

    @Test("Without its tunnel a window says so and runs nothing here")
    func noTunnel() async throws {
        let shell = try await SecureShell()
        let window = try PseudoTerminal(
            [try Program.path()], environment: ["NETDASH_SOCKET": shell.folder.path(of: "none.sock")])
        #expect(try await window.waitForEnd() == 1)
        #expect(window.screen.text.contains("No service answers at"), "\(window.screen.text)")
    }
}
