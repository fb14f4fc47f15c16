import Dashboard
import TransferService

/// The options for sessions, output and notifications.
extension CommandLineOption {
    static let removesParts = record("remove")
    static let session = record("session")

    /// The options for saved sessions.
    static var ofSessions: [CommandLineOption] {
        [
            CommandLineOption(
                "failed-to", .file, "write what failed, or was cut short, to FILE, as a list for -i",
                for: [.download, .upload, .request], reach: .run
            ) { values, path, _ in values.settings.failedPath = path },
            CommandLineOption(
                "session", .session, "the saved session to work on (default for the dashboard, none for lines)",
                for: [.download, .upload, .request]
            ) { (values, session, label) throws(UsageError) in try values.choose(session, label: label) },
            CommandLineOption(
                "retry-failed", "try again what has failed in the saved session", for: [.download], reach: .run
            ) {
                values, _ in values.settings.retriesFailed = true
            },
            CommandLineOption("ephemeral", "save nothing", for: .transfers, subject: "session") {
                (values, label) throws(UsageError) in try values.choose(SessionChoice.ephemeral, label: label)
            },
        ]
    }

    /// The options for output and notifications.
    static var ofOutput: [CommandLineOption] {
        [
            CommandLineOption("plain", "print lines instead of opening the dashboard", for: .transfers) {
                (values, label) throws(UsageError) in try values.choose(Invocation.Output.plain, label: label)
            },
            CommandLineOption(
                "json", "print one JSON object a line on standard output", for: .transfers, subject: "plain"
            ) {
                (values, label) throws(UsageError) in try values.choose(Invocation.Output.json, label: label)
            },
            CommandLineOption("quiet", "print only errors", for: .transfers, subject: "plain") {
                (values, label) throws(UsageError) in try values.beQuiet(label: label)
            },
            CommandLineOption("http2", "HTTP/2 for downloads and uploads too", for: .requests) {
                values, _ in values.jobDefaults.usesHTTP2 = true
            },
            CommandLineOption("log", .file, "append what happened to FILE, without secrets", for: .transfers) {
                ($0.settings.logPath, $0.settings.logLabel) = ($1, $2)
            },
            CommandLineOption("log-level", .word("LEVEL"), "error, warning, info or debug (info)", for: .transfers) {
                values, level, _ in values.settings.logLevel = level
            },
            CommandLineOption(
                "bell", .moments, "ring the bell at: complete, error, all-done; several between commas (never)",
                for: .transfers
            ) { values, moments, _ in values.settings.notifier.bell = moments },
            CommandLineOption(
                "notify", .moments, "have the terminal show a notification at the same moments (never)", for: .transfers
            ) { values, moments, _ in values.settings.notifier.notification = moments },
            hook(.complete, "run COMMAND when a task was completed; NETDASH_... tells of it, and JSON on its input"),
            hook(.error, "run COMMAND when a task has failed"),
            hook(.allDone, "run COMMAND when every task has ended"),
        ]
    }

    /// The options for the dashboard, and questions about the program.
    static var ofDashboard: [CommandLineOption] {
        [
            CommandLineOption(
                "fps", .number(in: 1...30), "frames a second of the dashboard, 1 to 30 (4, over ssh 2)", for: .transfers
            ) { values, frames, _ in values.settings.framesPerSecond = frames },
            CommandLineOption("color", .word("WHEN"), "auto, always or never (auto)", for: .transfers) {
                values, color, _ in values.settings.color = color
            },
            CommandLineOption(
                "glyphs", .word("SET"), "blocks, ascii, braille or console (blocks; on the Linux console: console)",
                for: .transfers
            ) { values, glyphs, _ in values.settings.glyphs = glyphs },
            CommandLineOption(
                "mouse", "the mouse selects and clicks; hold Shift to select text (off)", for: .transfers
            ) { values, _ in values.settings.usesMouse = true },
            CommandLineOption("exit-when-done", "leave the dashboard when nothing is left to do", for: .transfers) {
                values, _ in values.settings.exitsWhenDone = true
            },
            CommandLineOption("remove", "remove the parts that are listed", for: [.parts], reach: .run) {
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

    private static func hook(_ moment: NotificationEvent, _ summary: String) -> CommandLineOption {
        CommandLineOption(moment.optionName, .command, summary, for: .transfers, isHook: true) {
            values, command, _ in values.settings.notifier.hooks[moment] = command
        }
    }
}
