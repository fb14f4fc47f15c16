import Glibc
import LoopbackServer
import TerminalTestSupport
import Testing

/// The settings that a user keeps in a file.
@Suite("The configuration file", .timeLimit(.minutes(1)))
struct ConfigurationFileTests {
    /// A folder with a configuration in it, and the variable that leads there.
    private static func folder(_ text: String) throws -> (folder: ScratchFolder, environment: [String: String]) {
        let folder = try ScratchFolder()
        guard mkdir(folder.path(of: "netdash"), 0o700) == 0 else { throw WaitingFailed(description: "No folder") }
        try folder.write(text, to: "netdash/config")
        return (folder, ["XDG_CONFIG_HOME": folder.path])
    }

    @Test("A folder for downloads is taken from the file, and the command line wins over it")
    func folderOfDownloads() async throws {
        let server = try Served.start(["/file": .file(count: 10)])
        let (folder, environment) = try Self.folder("# mine\ndir = ~/from-file\nheader = X-Mine: yes\n")
        let home = environment.merging(["HOME": folder.path]) { $1 }
        let first = try await ProgramRun.finished([server.url("/file")], in: folder, environment: home)
        #expect(first.status == 0, "\(first.messages)")
        #expect(folder.bytes(of: "from-file/file")?.count == 10)
        let second = try await ProgramRun.finished(
            ["-d", "from-line", server.url("/file")], in: folder, environment: home)
        #expect(second.status == 0, "\(second.messages)")
        #expect(folder.bytes(of: "from-line/file")?.count == 10)
        #expect(server.requests.allSatisfy { $0.headers["X-Mine"] == "yes" })
    }

    @Test(
        "What is wrong in the file is said with its path and line, and nothing begins",
        arguments: [
            ("fps = 3\nspeed = 4\n", "netdash/config:2: unknown setting \"speed\""),
            ("retries = many\n", "netdash/config:1: retries: \"many\""),
            ("key.pause = u\nkey.resume = u\n", "netdash/config:2: u would be both pause and resume"),
            ("dir = netdash/config\n", "netdash/config:1: dir: \"netdash/config\" is not a folder"),
            ("log = no/such/folder\n", "netdash/config:1: log: cannot write \"no/such/folder\""),
        ])
    func slips(text: String, sentence: String) async throws {
        let server = try Served.start(["/file": .file(count: 10)])
        let (folder, environment) = try Self.folder(text)
        BadInputTests.expectRefused(
            try await ProgramRun.finished([server.url("/file")], in: folder, environment: environment),
            naming: sentence)
        #expect(try folder.names == ["netdash"])
        #expect(server.requestCount == 0)
        #expect(try await ProgramRun.finished(["--help"], in: folder, environment: environment).status == 0)
    }

    @Test("A file that cannot be read and a folder in its place are refused", .enabled(if: Unprivileged.isPossible))
    func unreadable() async throws {
        let (folder, environment) = try Self.folder("fps = 3\n")
        chmod(folder.path, 0o755)
        chmod(folder.path(of: "netdash"), 0o755)
        chmod(folder.path(of: "netdash/config"), 0o000)
        BadInputTests.expectRefused(
            try await ProgramRun.finished(
                ["http://127.0.0.1:1/"], in: folder, environment: environment, before: Unprivileged.words),
            naming: "netdash/config: cannot read settings")
        unlink(folder.path(of: "netdash/config"))
        mkdir(folder.path(of: "netdash/config"), 0o755)
        BadInputTests.expectRefused(
            try await ProgramRun.finished(["http://127.0.0.1:1/"], in: folder, environment: environment),
            naming: "netdash/config: not a file")
    }

    @Test(
        "Commands of a file that others may write are not run, the rest of it holds, and one sentence says so",
        arguments: [
            (0o620, nil, 65_534, "writable by its group"), (0o602, nil, nil, "writable by everybody"),
            (0o644, 65_534, nil, "owned by another user"), (0o644, nil, nil, nil),
            // Root has no group of its own that could be meant to write its files.
            (0o664, nil, 0, "writable by its group"),
        ] as [(mode_t, uid_t?, gid_t?, String?)])
    func othersMayWrite(mode: mode_t, owner: uid_t?, group: gid_t?, reason: String?) async throws {
        // Only root can give a file away.
        guard owner == nil && group == nil || getuid() == 0 else { return }
        let server = try Served.start(["/file": .file(count: 10)])
        let (folder, environment) = try Self.folder(
            "on-complete = echo >ran\non-all-done = echo >ran-too\nbearer = @cmd:echo >asked; echo x\ndir = from-file\nopen-command = sh\n"
        )
        let path = folder.path(of: "netdash/config")
        try #require(chmod(path, mode) == 0)
        try #require(chown(path, owner ?? getuid(), group ?? getgid()) == 0)
        let result = try await ProgramRun.finished([server.url("/file")], in: folder, environment: environment)
        #expect(result.status == 0)
        #expect(folder.bytes(of: "from-file/file")?.count == 10)
        #expect((folder.bytes(of: "ran") == nil) == (reason != nil))
        #expect((folder.bytes(of: "ran-too") == nil) == (reason != nil))
        #expect((folder.bytes(of: "asked") == nil) == (reason != nil))
        let said = result.lines.filter { $0.contains("commands ignored") }
        #expect(said.count == (reason == nil ? 0 : 1), "\(result.messages)")
        if let reason {
            let names = "(on-complete, on-all-done, bearer, open-command)"
            #expect(said.first?.contains("\(path): commands ignored \(names), because \(reason)") == true)
        }
        let own = try await ProgramRun.finished(
            ["--on-complete", "echo >mine", server.url("/file")], in: folder, environment: environment)
        #expect(own.status == 0 && folder.bytes(of: "mine") != nil, "what the command line names runs")
    }

    @Test("Keys that were chosen work in the dashboard, and footer and list of keys show them")
    func keys() async throws {
        let (folder, environment) = try Self.folder("key.help = F2\nkey.quit = *\nglyphs = ascii\n")
        let listed = try await ProgramRun.finished(["--help-keys"], in: folder, environment: environment)
        #expect(listed.text.contains("  * "), "\(listed.text)")
        let terminal = try PseudoTerminal([Program.path()], environment: environment)
        try await terminal.waitForScreen("the footer", within: .seconds(30)) { $0.text.contains("* Quit") }
        #expect(terminal.screen.text.contains("F2 Help"))
        try terminal.type("\u{1B}OQ")
        try await terminal.waitForScreen("the help", within: .seconds(30)) { $0.text.contains("Help: List") }
        try terminal.type("\r")
        try await terminal.waitForScreen("the list", within: .seconds(30)) { $0.text.contains("* Quit") }
        try terminal.type("*")
        #expect(try await terminal.waitForEnd() == 0)
    }
    @Test("Options that are saved stand in the file beside what was there, and hold in the next run")
    func savedOptions() async throws {
        let (folder, environment) = try Self.folder("# mine\nfps = 2   # slow\nkey.quit = *\n")
        chmod(folder.path(of: "netdash/config"), 0o640)
        let terminal = try PseudoTerminal([Program.path()], environment: environment)
        try await terminal.waitForScreen("the footer", within: .seconds(30)) { $0.text.contains("* Quit") }
        try terminal.type("ojjl" + "jjjjjJ" + "ls")
        try await terminal.waitForToast("Saved fps, columns to")
        let columns = "columns = done size speed rates time state protocol host\n"
        let text = "# mine\nfps = 4   # slow\nkey.quit = *\n" + columns
        #expect(folder.bytes(of: "netdash/config") == Array(text.utf8))
        #expect(try folder.names == ["netdash"])
        var status = stat()
        #expect(stat(folder.path(of: "netdash/config"), &status) == 0 && status.st_mode & 0o777 == 0o640)
        try terminal.type("q*")
        #expect(try await terminal.waitForEnd() == 0)
        let next = try PseudoTerminal([Program.path()], environment: environment)
        try await next.waitForScreen("the footer", within: .seconds(30)) { $0.text.contains("* Quit") }
        #expect(!next.screen.text.contains("PROGRESS"))
        try next.type("*")
        #expect(try await next.waitForEnd() == 0)
    }
}
