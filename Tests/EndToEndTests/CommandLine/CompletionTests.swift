import Glibc
import Testing

/// The completions, each in its own shell.
///
/// `script/bootstrap test` installs zsh and fish; without them their tests say so by being left out.
@Suite("Completions", .timeLimit(.minutes(1)))
struct CompletionTests {
    private static func isInstalled(_ shell: String) -> Bool { access("/usr/bin/\(shell)", X_OK) == 0 }

    /// What is typed before a tab, and the line that comes of it; `+` is where the cursor then stands.
    typealias Case = (typed: String, line: String)

    /// What bash and zsh make the same of.
    private static let common: [Case] = [
        ("upl", "upload +"),
        ("help req", "help request +"),
        ("completions f", "completions fish +"),
        ("request PA", "request PATCH +"),
        ("request --http2", "request --http2 +"),
        ("https://h:80/x --plai", "https://h:80/x --plain +"),
        ("--if-exists=ren", "--if-exists=rename +"),
        ("--if-exists ov", "--if-exists overwrite +"),
        ("--checksum sha-5", "--checksum sha-512=+"),
        ("-cd fol", "-cd folder/+"),
        ("upload with", "upload with\\ blank +"),
        ("request -b @bo", "request -b @body +"),
        ("--session nigh", "--session nightly +"),
        // An option of another command.
        ("upload --che", "upload --che+"),
        ("demo --sess", "demo --sess+"),
    ]

    /// What differs by what a shell puts behind a long option that has a value.
    private static func lines(behindLongOption end: String) -> [Case] {
        [
            ("request --meth", "request --method\(end)+"),
            // A value that is called like a command is none.
            ("-d upload --if-e", "-d upload --if-exists\(end)+"),
        ]
    }

    /// A folder with something to complete, among it a saved session.
    private static func folder() throws -> ScratchFolder {
        let folder = try ScratchFolder()
        for name in ["folder", "state", "state/netdash"] { mkdir(folder.path(of: name), 0o700) }
        for name in ["with blank", "body", "state/netdash/nightly.sqlite"] { try folder.write("", to: name) }
        return folder
    }

    /// Types each case into a shell that has read its completions, and compares the line.
    private static func check(_ cases: [Case], in session: TmuxSession) async throws {
        for (typed, line) in cases {
            try session.type("netdash " + typed)
            try session.send("Tab")
            // Shows where the cursor stands, and that the tab was dealt with.
            try session.type("+")
            let screen = try await session.waitUntilScreen("what comes of \(typed)") { $0[0].hasSuffix("+") }
            #expect(screen[0] == "ready> netdash " + line, "\(typed)")
            try session.send("C-u", "C-l")
            try await session.waitUntilScreen("an empty line") { $0[0] == "ready>" }
        }
    }

    /// Types the start of a list of options, and checks what is in the list.
    private static func checkList(in session: TmuxSession, tabs: Int) async throws {
        try session.type("netdash upload --")
        for _ in 0..<tabs { try session.send("Tab") }
        let screen = try await session.waitUntilScreen("a list of options") { rows in
            let text = rows.joined(separator: " ")
            let options = ["--exit-when-done", "--stall-timeout", "--method", "--body", "--header"]
            return options.allSatisfy { text.contains($0) }
        }
        let text = screen.joined(separator: " ")
        for option in ["--dir", "--if-exists", "--checksum"] { #expect(!text.contains(option), "\(option)") }
    }

    private static func run(_ line: String, in session: TmuxSession) async throws {
        try session.type(line + "; PS1='rea''dy> '; clear")
        try session.send("Enter")
        try await session.waitUntilScreen("the prompt") { $0.last { !$0.isEmpty } == "ready>" }
    }

    @Test("bash completes commands, options and values", .enabled(if: TmuxSession.isAvailable))
    func bash() async throws {
        let folder = try Self.folder()
        let session = try TmuxSession(rows: 150, columns: 120)
        try await session.waitUntilScreen("a prompt") { $0.joined().contains { "#$".contains($0) } }
        try await Self.run(
            "cd \(folder.path); XDG_STATE_HOME=\(folder.path)/state; source <(\(Program.path()) completions bash); "
                + "bind 'set completion-query-items 500'", in: session)
        try await Self.check(Self.common + Self.lines(behindLongOption: " "), in: session)
        try await Self.checkList(in: session, tabs: 2)
    }

    @Test(
        "zsh completes commands, options and values, from its path or sourced",
        .enabled(if: TmuxSession.isAvailable && isInstalled("zsh"), "zsh and tmux are needed"),
        arguments: ["fpath=($PWD $fpath); compinit -D -u", "compinit -D -u; source ./_netdash"])
    func zsh(start: String) async throws {
        let folder = try Self.folder()
        let session = try TmuxSession(rows: 150, columns: 120, command: ["/usr/bin/zsh", "-f"])
        try await session.waitUntilScreen("a prompt") { $0.joined().contains { "#%".contains($0) } }
        try await Self.run(
            "cd \(folder.path); XDG_STATE_HOME=\(folder.path)/state; \(Program.path()) completions zsh >_netdash; "
                + "autoload -U compinit; \(start); LISTMAX=500", in: session)
        try await Self.check(Self.common + Self.lines(behindLongOption: "="), in: session)
        try await Self.checkList(in: session, tabs: 1)
    }

    @Test(
        "fish completes commands, options and values",
        .enabled(if: isInstalled("fish"), "fish is needed"),
        arguments: [
            ("upl", ["upload"]),
            ("help req", ["request"]),
            ("completions f", ["fish"]),
            ("request PA", ["PATCH"]),
            ("request --http2", ["--http2"]),
            ("https://h:80/x --plai", ["--plain"]),
            ("--if-exists=ren", ["--if-exists=rename"]),
            ("--if-exists ov", ["overwrite"]),
            ("--checksum sha-5", ["sha-512="]),
            ("-cd fol", ["folder/"]),
            ("upload with", ["with blank"]),
            ("request -b @bo", ["@body"]),
            ("--session nigh", ["nightly"]),
            ("-d upload --if-e", ["--if-exists"]),
            ("upload --che", []),
            ("demo --sess", []),
            ("request --me", ["--method"]),
        ])
    func fish(typed: String, answers: [String]) async throws {
        let folder = try Self.folder()
        // The program's name comes as the script's first argument.
        let script = "$argv[1] completions fish | source; complete -C 'netdash \(typed)'"
        let result = try await ProgramRun.finished(
            [], in: folder, environment: ["XDG_STATE_HOME": folder.path(of: "state")],
            before: ["/usr/bin/fish", "--no-config", "-c", script])
        // Behind a tab stands what the answer means.
        let lines = result.text.split(separator: "\n").map { String($0.split(separator: "\t")[0]) }
        #expect(lines == answers, "\(result.messages)")
    }
}
