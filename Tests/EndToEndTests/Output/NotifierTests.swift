import Foundation
import Glibc
import LoopbackServer
import TerminalTestSupport
import Testing

/// Bell, notifications and hook commands, as somebody who does something else meanwhile has them.
@Suite("Telling that work has ended", .timeLimit(.minutes(1)))
struct NotifierTests {
    private let folder: ScratchFolder
    private let server: LoopbackServer

    init() throws {
        folder = try ScratchFolder()
        server = try Served.start(["/file": .file(count: 1000), "/none": .respond(.text("no\n", status: 404))])
    }

    private func text(_ name: String) -> String {
        folder.bytes(of: name).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    /// The options of hooks that each write a line into `told`.
    private var hooks: [String] {
        ["complete", "error", "all-done"].flatMap { moment in
            [
                "--on-" + moment,
                "echo \"$NETDASH_EVENT $NETDASH_NAME $NETDASH_HTTP_STATUS $NETDASH_COMPLETED\" >>told; cat >>json",
            ]
        }
    }

    @Test(
        "Lines and JSON run hooks for each end and for the end of all, and print nothing of them",
        arguments: ["--plain", "--json", "--quiet"])
    func hooksOfLines(style: String) async throws {
        let url = server.url("/none").replacing("://", with: "://me:word@")
        let result = try await ProgramRun.finished(
            [style, "-j", "1", "--bell", "complete,all-done", "--notify", "error"] + hooks + [
                server.url("/file"), url,
            ],
            in: folder)
        #expect(result.status == 1)
        let told = text("told").split(separator: "\n").sorted()
        #expect(told == ["all-done   1", "complete file 200 ", "error none 404 "])
        #expect(!text("json").contains("word"))
        #expect(text("json").contains(#""errorKind":"http""#))
        #expect(!result.messages.contains("\u{7}") && !result.messages.contains("\u{1B}"))
        let lines = result.text.split(separator: "\n")
        #expect(lines.allSatisfy { $0.hasPrefix("{") })
        #expect(!result.messages.contains("hook"))
    }

    @Test("A hook has the path of the file that was uploaded as the disk has it, whatever a screen makes of it")
    func uploadedPath() async throws {
        server.setRoute("/put", .respond(.text("ok\n")))
        let name = "-up\u{1B}[31m\n\"$(x)\""
        try folder.write("bytes", to: name)
        let hook = "cat \"$NETDASH_PATH\" >seen && printf %s \"$NETDASH_PATH\" >path"
        let result = try await ProgramRun.finished(
            ["upload", "--plain", "--ephemeral", "--on-complete", hook, "--", name, server.url("/put")], in: folder)
        #expect(result.status == 0, "\(result.messages)")
        #expect(text("seen") == "bytes")
        #expect(text("path").hasPrefix("/") && text("path").hasSuffix("/" + name))
    }

    @Test("A log that nobody reads from is refused, and one that somebody reads is written")
    func logInPipe() async throws {
        let pipe = folder.path(of: "pipe")
        try #require(mkfifo(pipe, 0o600) == 0)
        let refused = try await ProgramRun.finished(["--log", "pipe", server.url("/file")], in: folder)
        #expect(refused.status == 2)
        #expect(refused.messages == "netdash: --log: cannot write \"pipe\": No such device or address\n")
        let reader = open(pipe, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        try #require(reader >= 0)
        defer { close(reader) }
        let result = try await ProgramRun.finished(["--plain", "--log", "pipe", server.url("/file")], in: folder)
        #expect(result.status == 0, "\(result.messages)")
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = read(reader, &bytes, bytes.count)
        #expect(String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self).contains("completed"))
    }

    @Test("A hook that fails or is not there is one sentence and a line of the log, and changes no exit status")
    func failingHooks() async throws {
        let result = try await ProgramRun.finished(
            [
                "--json", "--log", "log", "--on-complete", "no-such-command", "--on-all-done", "exit 7",
                server.url("/file"),
            ],
            in: folder)
        #expect(result.status == 0)
        let lines = result.lines.map(String.init).sorted()
        #expect(lines.count == 2)
        #expect(lines.first == "netdash: on-all-done command failed: exit status 7")
        #expect(lines.last?.hasPrefix("netdash: on-complete command for file failed: exit status 127: ") == true)
        #expect(result.text.split(separator: "\n").allSatisfy { $0.hasPrefix("{") })
        #expect(text("log").contains("error ") && text("log").contains("on-all-done command failed: exit status 7"))
    }

    @Test("A run waits for its hooks, and a signal ends the wait: the hook goes on, and that is said")
    func hangingHook() async throws {
        try #require(mkfifo(folder.path(of: "pipe"), 0o600) == 0)
        let run = try ProgramRun(
            ["--plain", "--on-complete", "echo >begun; read -r line <pipe; echo >over", server.url("/file")], in: folder
        )
        _ = try await waitUntil("the hook") { folder.bytes(of: "begun") != nil ? true : nil }
        try await run.waitForMessages("the last line") { $0.contains("1 completed") }
        try run.signal(SIGINT)
        let result = try await run.waitForEnd()
        #expect(result.status == 0)
        #expect(result.lines.last == "netdash: 1 hook command still running")
        let pipe = open(folder.path(of: "pipe"), O_RDWR | O_CLOEXEC)
        try #require(pipe >= 0 && write(pipe, "x\n", 2) == 2)
        defer { close(pipe) }
        _ = try await waitUntil("the hook's end") { folder.bytes(of: "over") != nil ? true : nil }
    }

    @Test("On a terminal lines ring and notify")
    func terminalOfLines() async throws {
        let program = try Program.path()
        let terminal = try PseudoTerminal(
            [
                "/usr/bin/env", "-C", folder.path, program, "--plain", "--bell", "error", "--notify", "all-done",
                server.url("/none"),
            ])
        #expect(try await terminal.waitForEnd() == 1)
        let text = String(decoding: terminal.bytes, as: UTF8.self)
        #expect(text.contains("\u{1B}]9;netdash: all done: 1 failed\u{7}"))
        #expect(text.replacing(/\u{1B}\][^\u{7}]*\u{7}/, with: "").contains("\u{7}"))
    }

    @Test(
        "The dashboard rings, notifies and says which hook failed, at every size",
        arguments: [(24, 80), (10, 40), (5, 20)])
    func dashboard(rows: Int, columns: Int) async throws {
        let program = try Program.path()
        let options = [
            "--ephemeral", "--bell", "complete", "--notify", "all-done", "--on-complete", "echo no mail >&2; exit 1",
        ]
        let terminal = try PseudoTerminal(
            ["/usr/bin/env", "-C", folder.path, program] + options + [server.url("/file")], rows: rows, columns: columns
        )
        try await terminal.waitForScreen("the hook's failure") { $0.text.contains("on-compl") }
        let text = try await waitUntil("the notification") { () -> String? in
            terminal.pump()
            let text = String(decoding: terminal.bytes, as: UTF8.self)
            return text.contains("\u{1B}]9;netdash: all done: 1 completed\u{7}") ? text : nil
        }
        #expect(text.replacing(/\u{1B}\][^\u{7}]*\u{7}/, with: "").contains("\u{7}"))
        if columns == 80 {
            try await terminal.press("L")
            try await terminal.waitForScreen("the log") {
                $0.text.contains("on-complete command for file failed: exit status 1: no mail")
            }
            try terminal.type("q")
        }
        try terminal.type("Q")
        #expect(try await terminal.waitForEnd() == 0)
    }

    @Test("A dashboard that is left while a hook hangs ends soon and says that the hook goes on")
    func dashboardLeft() async throws {
        try #require(mkfifo(folder.path(of: "pipe"), 0o600) == 0)
        let program = try Program.path()
        let terminal = try PseudoTerminal(
            [
                "/usr/bin/env", "-C", folder.path, program, "--ephemeral", "--on-complete",
                "echo >begun; read -r line <pipe; echo >over", server.url("/file"),
            ])
        _ = try await waitUntil("the hook") { folder.bytes(of: "begun") != nil ? true : nil }
        try terminal.type("Q")
        #expect(try await terminal.waitForEnd() == 0)
        try await terminal.waitForScreen("the sentence") { $0.text.contains("1 hook command still running") }
        let pipe = open(folder.path(of: "pipe"), O_RDWR | O_CLOEXEC)
        try #require(pipe >= 0 && write(pipe, "x\n", 2) == 2)
        defer { close(pipe) }
        _ = try await waitUntil("the hook's end") { folder.bytes(of: "over") != nil ? true : nil }
    }

    @Test(
        "What cannot be a moment or a command is refused with a sentence, from the line and from the file",
        arguments: [
            (["--bell", "sometimes"], "--bell: \"sometimes\" is not one of complete, error, all-done"),
            (["--bell", ""], "--bell: empty; for no moment write never"),
            (["--notify", "error,error"], "--notify: \"error\" is listed twice"),
            (["--on-error", " "], "--on-error: empty; expected a shell command"),
        ])
    func slips(options: [String], sentence: String) async throws {
        let result = try await ProgramRun.finished(options + [server.url("/file")], in: folder)
        #expect(result.status == 2)
        #expect(result.messages == "netdash: \(sentence)\n")
        #expect(server.requestCount == 0)
    }

    @Test("Hooks stand in the configuration file, and the line wins over it")
    func configuration() async throws {
        try #require(mkdir(folder.path(of: "netdash"), 0o700) == 0)
        try folder.write(
            "on-complete = echo file >>told\nbell = never\non-all-done = echo all >>told\n", to: "netdash/config")
        let result = try await ProgramRun.finished(
            ["--plain", "--on-complete", "echo line >>told", server.url("/file")], in: folder,
            environment: ["XDG_CONFIG_HOME": folder.path])
        #expect(result.status == 0, "\(result.messages)")
        #expect(text("told").split(separator: "\n").sorted() == ["all", "line"])
    }
}
