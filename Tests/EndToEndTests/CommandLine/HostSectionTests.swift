import Glibc
import LoopbackServer
import Testing

/// Settings of the configuration for some hosts, and profiles, in runs of the program.
@Suite("Hosts and profiles, by the program", .timeLimit(.minutes(1)))
struct HostSectionTests {
    @Test("A host's section and a profile apply to the command line and to lists")
    func sections() async throws {
        let folder = try ScratchFolder()
        let server = try Served.start(["/a": .file(seed: 1, count: 10), "/b": .file(seed: 2, count: 10)])
        let text = """
            [host "127.0.0.*"]
            header = X-A: of-host
            dir = \(folder.path)/host
            [profile "quiet"]
            quiet = yes
            """
        #expect(mkdir(folder.path(of: "netdash"), 0o700) == 0)
        try folder.write(text.utf8, to: "netdash/config")
        let environment = ["XDG_CONFIG_HOME": folder.path]
        try folder.write("\(server.url("/b"))\n header=X-A: own\n".utf8, to: "list")
        let words = ["--profile", "quiet", server.url("/a"), "-i", "list"]
        let run = try await ProgramRun.finished(words, in: folder, environment: environment)
        #expect(run.status == 0 && run.messages.isEmpty, "\(run.messages)")
        #expect(folder.bytes(of: "host/a")?.count == 10 && folder.bytes(of: "host/b")?.count == 10)
        #expect(server.requests(for: "/a").first?.headers["X-A"] == "of-host")
        #expect(server.requests(for: "/b").first?.headers["X-A"] == "own")
        let wrong = try await ProgramRun.finished(
            ["--profile", "day", server.url("/a")], in: folder, environment: environment)
        #expect(
            wrong.status == 2 && wrong.messages.contains("no profile \"day\"; known are quiet"), "\(wrong.messages)")
    }
}
