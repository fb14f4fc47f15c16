import AriaRPC
import Dashboard
import TransferService

/// The options for sessions, output and notifications.
extension CommandLineOption {
    static let session = record("session")
    static let watch = record("watch")
    static let rpcSecret = record("rpc-secret")

    /// The options for saved sessions.
    static var ofSessions: [CommandLineOption] {
        [
            CommandLineOption(
                "profile", .profile, "take the settings of [profile \"NAME\"] in the configuration file",
                for: Set<ProgramCommand>.sessions.union([.demo, .serve, .doctor]), reach: .run
            ) { values, name, _ in values.profile = name },
            CommandLineOption(
                "failed-to", .file, "write failed and interrupted tasks to FILE, as a list for -i",
                for: [.download, .upload, .request], reach: .run
            ) { values, path, _ in values.settings.failedPath = path },
            CommandLineOption(
                "session", .session, "saved session to use (dashboard: default, lines: none)",
                for: .sessions
            ) { (values, session, label) throws(UsageError) in try values.choose(session, label: label) },
            CommandLineOption(
                "retry-failed", "retry failed tasks of the saved session", for: [.download], reach: .run
            ) {
                values, _ in values.settings.retriesFailed = true
            },
            CommandLineOption(
                "idle-exit", .seconds, "end SECONDS after the last task and window (never)", for: [.serve]
            ) { values, seconds, _ in values.settings.idleExit = seconds },
            CommandLineOption(
                "watch", .path("DIR", hint: .folder),
                "make tasks of the links, lists and requests that appear in DIR (none)",
                for: [.download, .serve]
            ) { values, path, label in values.settings.watch = WatchSetting(path: path, label: label) },
            CommandLineOption(
                "no-service", "run the dashboard's tasks in its own process; they end with it",
                for: [.download, .upload, .request]
            ) { values, _ in values.settings.usesService = false },
            CommandLineOption(
                "keep-secrets", "keep secrets in a file of mode 0600 beside the session, and in --failed-to (off)",
                for: .runs
            ) { values, _ in values.settings.keepsSecrets = true },
            CommandLineOption("ephemeral", "do not save a session", for: .transfers, subject: "session") {
                (values, label) throws(UsageError) in try values.choose(SessionChoice.ephemeral, label: label)
            },
        ]
    }

    /// The options for aria2's interface.
    static var ofRPC: [CommandLineOption] {
        [
            CommandLineOption(
                "rpc", .rpcAddress,
                "answer aria2's JSON-RPC at PORT, HOST:PORT or unix:PATH (off; 127.0.0.1:6800)",
                for: [.serve], takes: { RPCAddress.mayBe($0) }
            ) { values, address, _ in values.settings.rpc.address = address },
            CommandLineOption(
                "rpc-secret", .rpcSecret, "token that clients of --rpc need; @env:NAME or @file:PATH reads it (none)",
                for: [.serve]
            ) { values, secret, _ in values.settings.rpc.secret = secret },
            CommandLineOption(
                "rpc-allow-origin", .origin,
                "let web pages of ORIGIN use --rpc: https://host, null or * (none)",
                for: [.serve], isRepeatable: true
            ) { values, origin, _ in values.settings.rpc.origins.insert(origin) },
            CommandLineOption(
                "rpc-cert", .file, "serve --rpc over TLS with the certificate and the key in FILE (PEM)",
                for: [.serve]
            ) { values, path, _ in values.settings.rpc.certificate = path },
        ]
    }

    /// The options for output and notifications.
    static var ofOutput: [CommandLineOption] {
        [
            CommandLineOption("plain", "print lines instead of opening the dashboard", for: .transfers) {
                (values, label) throws(UsageError) in try values.choose(Invocation.Output.plain, label: label)
            },
            CommandLineOption(
                "json", "print one JSON object per line on standard output",
                for: .transfers.union([.add, .status, .events, .history]),
                subject: "plain"
            ) {
                (values, label) throws(UsageError) in try values.choose(Invocation.Output.json, label: label)
            },
            CommandLineOption(
                "quiet", "print only errors", for: Set<ProgramCommand>.transfers.union(Set<ProgramCommand>.sessions),
                subject: "plain"
            ) {
                (values, label) throws(UsageError) in try values.beQuiet(label: label)
            },
            CommandLineOption("http2", "use HTTP/2 for downloads and uploads too", for: .requests) {
                values, _ in values.jobDefaults.usesHTTP2 = true
            },
            CommandLineOption("log", .file, "append a log to FILE (secrets masked)", for: .runs) {
                ($0.settings.logPath, $0.settings.logLabel) = ($1, $2)
            },
            CommandLineOption(
                "log-level", .word("LEVEL"), "log level: error, warning, info or debug (info)", for: .runs
            ) {
                values, level, _ in values.settings.logLevel = level
            },
            CommandLineOption(
                "bell", .moments, "ring the bell on complete, error, all-done; a comma list (never)",
                for: .transfers
            ) { values, moments, _ in values.settings.notifier.bell = moments },
            CommandLineOption(
                "notify", .moments, "show a terminal notification on the same events (never)", for: .transfers
            ) { values, moments, _ in values.settings.notifier.notification = moments },
            hook(.complete, "run COMMAND when a task is done; details in NETDASH_* and as JSON on stdin"),
            hook(.error, "run COMMAND when a task fails"),
            hook(.allDone, "run COMMAND when all tasks have ended"),
            expiryHook,
        ]
    }

    /// The options for the dashboard, and questions about the program.
    static var ofDashboard: [CommandLineOption] {
        [
            CommandLineOption(
                "fps", .number(in: 1...30), "frames per second of the dashboard, 1 to 30 (4, over ssh 2)",
                for: .transfers
            ) { values, frames, _ in values.settings.framesPerSecond = frames },
            CommandLineOption("color", .word("WHEN"), "use colour: auto, always or never (auto)", for: .transfers) {
                values, color, _ in values.settings.color = color
            },
            CommandLineOption(
                "glyphs", .word("SET"),
                "drawing characters: blocks, ascii, braille, console (blocks; Linux console: console)",
                for: .transfers
            ) { values, glyphs, _ in values.settings.glyphs = glyphs },
            CommandLineOption(
                "mouse", "select and click with the mouse; Shift selects text (off)", for: .transfers
            ) { values, _ in values.settings.usesMouse = true },
            CommandLineOption("exit-when-done", "quit when all tasks have ended", for: .transfers) {
                values, _ in values.settings.exitsWhenDone = true
            },
            CommandLineOption("remove", "delete the listed partial files", for: [.parts], reach: .run) {
                values, _ in values.removesParts = true
            },
            CommandLineOption("version", "print the version", for: [], reach: .question) {
                values, _ in values.special = values.special ?? .version
            },
            CommandLineOption(
                "help", "print this help", letter: "h", for: Set(ProgramCommand.allCases), reach: .question
            ) { values, _ in values.special = values.special ?? .help(nil) },
            CommandLineOption("help-keys", "print the dashboard's keys", for: [], reach: .question) {
                values, _ in values.special = values.special ?? .helpKeys
            },
        ]
    }

    /// The command that replaces an expired link.
    static var expiryHook: CommandLineOption {
        CommandLineOption(
            "on-expired", .command, "run COMMAND with an expired task as JSON; it prints a fresh URL or header lines",
            for: .runs, isHook: true
        ) { values, command, _ in values.settings.expiryCommand = command }
    }

    private static func hook(_ moment: NotificationEvent, _ summary: String) -> CommandLineOption {
        CommandLineOption(moment.optionName, .command, summary, for: .runs, isHook: true) {
            values, command, _ in values.settings.notifier.hooks[moment] = command
        }
    }
}
