import Dashboard
import SessionSupport

/// Errors in the configuration file, in words that follow the file and the line.
enum ConfigurationUsage {
    // MARK: - The file

    static let noFolder = "no folder for settings; set HOME or XDG_CONFIG_HOME"
    static let notFile = "not a file; settings are lines name = value"
    static let tooLarge = "larger than 1 MiB; settings are lines name = value"
    static let notUTF8 = "not UTF-8 text"

    static func unreadable(_ reason: String) -> String { "cannot read settings: \(reason)" }

    static func unwritable(_ reason: String) -> String { "cannot write: \(reason)" }

    static func noNewFolder(_ reason: String) -> String { "cannot create folder: \(reason)" }

    // MARK: - A line

    static let noName = "no name before ="

    static func noSign(_ line: String) -> String { "no = in \"\(line)\"; write name = value" }

    static func twice(_ name: String, line: Int) -> String { "\(name) is set already on line \(line)" }

    static func unknown(_ name: String, hint: String) -> String { "unknown setting \"\(name)\"; \(hint)" }

    static let seeHelp = "see netdash --help"

    static func ofOneRun(_ name: String, option: String) -> String {
        "\(name) belongs to one run; write \(option) on its command line"
    }

    // MARK: - Sections

    static let noHost = "no host; write [host \"*.example.org\"]"
    static let noProfileName = "no name; write [profile \"night\"]"

    static func section(_ line: String) -> String {
        "unknown section \(line); write [host \"*.example.org\"] or [profile \"night\"]"
    }

    static func profileTwice(_ name: String) -> String { "profile \"\(name)\" is above already" }

    static func notOfHost(_ name: String) -> String {
        "\(name) cannot differ by host; allowed are dir, header, limit-rate, and options of requests such as user"
    }

    static func notOfProfile(_ name: String) -> String {
        "\(name) is the same in all profiles; write it above the sections"
    }

    static func noProfile(_ name: String, known: String) -> String {
        known.isEmpty
            ? "the configuration has no profile; add [profile \"\(name)\"]"
            : "no profile \"\(name)\"; known are \(known)"
    }

    // MARK: - Commands of a file that others can write

    static let otherOwner: SafeText = "owned by another user"
    static let writableByEverybody: SafeText = "writable by everybody"
    static let writableByGroup: SafeText = "writable by its group"

    static func commandsIgnored(_ path: SafeText, _ reason: SafeText, names: SafeText) -> SafeText {
        "\(path): commands ignored (\(names)), because \(reason); fix: chown and chmod go-w"
    }
}
