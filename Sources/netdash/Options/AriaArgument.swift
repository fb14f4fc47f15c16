import AriaRPC
import Dashboard
import Glibc
import SessionSupport

/// An argument of aria2c and its translation.
///
/// What is not in ``table`` goes to the scanner under aria2's name; a name that aria2c has not either is refused.
struct AriaArgument: Sendable {
    enum Operand: Sendable {
        case required
        /// `true` or `false` behind an equals sign, or neither.
        case flag
        /// A word attached to it, or none.
        case optional
    }

    /// Changes a command; the value is `true` for a flag alone.
    typealias Change = @Sendable (inout AriaCommand, String) throws(UsageError) -> Void

    let name: String
    let letter: Character?
    let operand: Operand
    let change: Change

    private init(
        _ name: String, _ letter: Character? = nil, _ operand: Operand = .required, change: @escaping Change
    ) {
        (self.name, self.letter, self.operand, self.change) = (name, letter, operand, change)
    }

    /// One with the value of one of our options.
    private init(_ name: String, _ letter: Character? = nil, is option: String) {
        self.init(name, letter) { command, value in command.words.append("--\(option)=\(value)") }
    }

    /// One that sets one of our options where it is on, or where it is off.
    private init(_ name: String, _ letter: Character? = nil, on: String? = nil, off: String? = nil) {
        self.init(name, letter, .flag) { command, value in
            if let word = value == "true" ? on : off { command.words.append(word) }
        }
    }

    /// A limit on the connections of a download.
    private static func connections(_ name: String, _ letter: Character, to most: Int) -> Self {
        Self(name, letter) { (command, value) throws(UsageError) in
            command.limitConnections(try ValueParser.number(value, in: 1...most, label: "--" + name))
        }
    }

    /// A file to read, without which aria2c goes on.
    private static func optionalFile(_ name: String, is option: String) -> Self {
        Self(name) { command, value in
            if access(value, R_OK) == 0 {
                command.words.append("--\(option)=\(value)")
            } else {
                command.notes.append(AriaLines.unreadable("--" + name, value))
            }
        }
    }

    /// One without an effect, which is named unless its value asks for what netdash does by itself.
    static func usual(
        _ name: String, _ letter: Character? = nil, _ operand: Operand = .required, does values: String...
    ) -> Self {
        Self(name, letter, operand) { command, value in
            if !values.contains(value) { command.ignore(name) }
        }
    }

    /// One without which the rest would not be what was asked for.
    private static func refused(
        _ name: String, _ letter: Character? = nil, _ operand: Operand = .required, because reason: String
    ) -> Self {
        Self(name, letter, operand) { (_, value) throws(UsageError) in
            // A flag that is off asks for nothing.
            guard operand == .flag, value == "false" else { throw UsageError(argument: "--" + name, reason) }
        }
    }

    static func named(_ name: String) -> AriaArgument? { byName[name] }
    static func named(_ letter: Character) -> AriaArgument? { table.first { $0.letter == letter } }

    /// aria2's names, with the ones that our scanner knows too.
    static let names = Set(
        table.map(\.name) + AriaOptionText.names
            + ["ca-certificate", "certificate", "interface", "private-key"])

    /// The arguments whose values are files and folders.
    static let ofPaths: Set<String> = [
        "ca-certificate", "certificate", "conf-path", "dir", "input-file", "load-cookies", "log", "metalink-file",
        "netrc-path", "on-download-complete", "on-download-error", "private-key", "save-cookies", "save-session",
    ]

    /// Whether aria2c has an argument of this name.
    static func isOfAria(_ name: String) -> Bool {
        names.contains(name)
            || ["bt-", "dht-", "ftp-", "metalink-", "peer-", "seed-"].contains { name.hasPrefix($0) }
    }

    /// The name of aria2's that was probably meant; nil for one that resembles none.
    static func nearest(to name: String) -> String? { Suggestion.nearest(to: name, among: names.sorted()) }

    /// The only name of aria2's with this beginning, which aria2c takes for it; else the beginning itself.
    static func completed(_ start: String) -> String {
        guard !names.contains(start), CommandLineOption.named(start) == nil else { return start }
        let found = names.filter { $0.hasPrefix(start) }
        return found.count == 1 ? found.first ?? start : start
    }

    /// Refuses a value that aria2c refuses, also where it has no effect here.
    static func check(_ value: String, of name: String) throws(UsageError) {
        guard let expected = AriaOptionText.expected(value, of: name) else { return }
        throw UsageError(argument: "--" + name, CommandLineUsage.wrongValue(value, expected: expected))
    }

    private static let byName = Dictionary(table.map { ($0.name, $0) }) { first, _ in first }

    static let table: [AriaArgument] = ofDownloads + ofFiles + ofRequests + ofRPC + ofProcess + withoutEffect

    private static let ofDownloads: [AriaArgument] = [
        AriaArgument("dir", "d", is: "dir"),
        AriaArgument("out", "o") { (command, value) throws(UsageError) in
            command.output = nil
            if value.isEmpty { return }
            guard let name = AriaPath.name(value), !name.isEmpty else {
                throw UsageError(argument: "--out", CommandLineUsage.ariaOut)
            }
            command.output = name
        },
        AriaArgument("input-file", "i", is: "input"),
        AriaArgument("max-concurrent-downloads", "j", is: "max-concurrent"),
        connections("split", "s", to: Int(Int32.max)), connections("max-connection-per-server", "x", to: 16),
        AriaArgument("min-split-size", "k", is: "min-split"),
        AriaArgument("force-sequential", "Z", .flag) { command, value in command.isSequential = value == "true" },
        AriaArgument("parameterized-uri", "P", .flag) { command, value in command.isParameterized = value == "true" },
        AriaArgument("remote-time", "R", on: "--remote-time"),
        AriaArgument("user-agent", "U", is: "user-agent"),
        AriaArgument("max-overall-download-limit", is: "limit-rate"),
        AriaArgument("max-overall-upload-limit", is: "limit-upload"),
        AriaArgument("max-download-limit", is: "limit-rate-per-task"),
        AriaArgument("timeout", "t") { (command, value) throws(UsageError) in
            _ = try ValueParser.seconds(value, label: "--timeout")
            // One for a server that sends no more, and one for a server that never answers.
            command.words += ["--stall-timeout=\(value)", "--answer-timeout=\(value)"]
        },
        AriaArgument("max-tries", "m") { command, value in command.words.append("--max-tries=\(value)") },
        AriaArgument("lowest-speed-limit") { command, value in
            // A zero means no limit.
            if value != "0" { command.words.append("--speed-limit=\(value)") }
        },
        AriaArgument("http-user") { command, value in command.user = value },
        AriaArgument("http-passwd") { command, value in command.password = value },
        AriaArgument("metalink-file", "M") { (command, value) throws(UsageError) in
            // aria2c takes a missing list for a failure, and a missing Metalink for a wrong value.
            guard value.contains("://") || access(value, R_OK) == 0 else {
                throw UsageError(
                    argument: "--metalink-file", FileErrors.unreadable(value, String(cString: strerror(errno))))
            }
            command.words.append("--input=" + value)
        },
        AriaArgument("max-file-not-found") { command, value in command.missesAllowed = value },
    ]

    /// Existing files, and what is left of a run.
    private static let ofFiles: [AriaArgument] = [
        AriaArgument("continue", "c", .flag) { command, value in
            command.file.continues = value == "true"
            if value == "true" { command.words.append("--continue") }
        },
        AriaArgument("allow-overwrite", nil, .flag) { command, value in command.file.overwrites = value == "true" },
        AriaArgument("conditional-get", nil, .flag) { command, value in command.file.isConditional = value == "true" },
        AriaArgument("auto-file-renaming", nil, .flag) { command, value in command.file.renames = value == "true" },
        AriaArgument("save-session", is: "failed-to"),
        AriaArgument("dry-run", on: "--dry-run"),
    ]

    private static let ofRequests: [AriaArgument] = [
        AriaArgument("http-no-cache", nil, .flag) { command, value in
            if value == "true" { command.words += HeaderFields.noCache.map { "--header=\($0.name): \($0.value)" } }
        },
        AriaArgument("all-proxy-user") { command, value in command.proxyUser = value },
        AriaArgument("all-proxy-passwd") { command, value in command.proxyPassword = value },
        AriaArgument("http-proxy-user") { command, value in command.proxyUser = value },
        AriaArgument("http-proxy-passwd") { command, value in command.proxyPassword = value },
        AriaArgument("https-proxy-user") { command, value in command.proxyUser = value },
        AriaArgument("https-proxy-passwd") { command, value in command.proxyPassword = value },
        AriaArgument("referer") { command, value in command.referer = value },
        optionalFile("load-cookies", is: "load-cookies"),
        AriaArgument("netrc-path") { command, value in command.netrcFile = value },
        AriaArgument("no-netrc", "n", .flag) { command, value in command.readsNetrc = value == "false" },
        AriaArgument("disable-ipv6", on: "--ipv4"),
        AriaArgument("min-tls-version") { command, value in
            switch value {
            case "TLSv1.3": command.words.append("--tlsv1.3")
            case "TLSv1.2": break
            default: command.ignore("min-tls-version")
            }
        },
    ]

    private static let ofRPC: [AriaArgument] = [
        AriaArgument("enable-rpc", nil, .flag) { command, value in command.hasRPC = value == "true" },
        AriaArgument("rpc-listen-all", nil, .flag) { command, value in
            command.host = value == "true" ? "0.0.0.0" : "127.0.0.1"
        },
        AriaArgument("rpc-listen-port") { (command, value) throws(UsageError) in
            guard let port = UInt16(value), port > 0 else {
                throw UsageError(argument: "--rpc-listen-port", RPCUsage.address(value))
            }
            command.port = port
        },
        AriaArgument("rpc-secret") { command, value in command.rpc.secret = value.isEmpty ? nil : .text(value) },
        AriaArgument("rpc-secure", nil, .flag) { (_, value) throws(UsageError) in
            guard value == "false" else {
                throw UsageError(argument: "--rpc-secure", CommandLineUsage.notSecure)
            }
        },
        // Without them the interface would be open to clients that are to be kept out.
        refused("rpc-certificate", because: CommandLineUsage.notSecure),
        refused("rpc-private-key", because: CommandLineUsage.notSecure),
        refused("rpc-user", because: CommandLineUsage.noNames),
        refused("rpc-passwd", because: CommandLineUsage.noNames),
        AriaArgument("rpc-allow-origin-all", nil, .flag) { command, value in
            if value == "true" { command.rpc.origins = ["*"] }
        },
        // Without the interface it pauses nothing in aria2 either.
        usual("pause", nil, .flag, does: "true", "false"),
    ]

    private static let ofProcess: [AriaArgument] = [
        AriaArgument("quiet", "q", on: "--quiet"),
        AriaArgument("log", "l") { command, value in
            command.words.append("--log=" + (value == "-" ? "/dev/stdout" : value))
        },
        AriaArgument("log-level") { command, value in
            let levels = ["notice": "info", "warn": "warning"]
            command.words.append("--log-level=\(levels[value] ?? value)")
        },
        AriaArgument("conf-path") { command, value in command.configurationFile = value.isEmpty ? nil : value },
        AriaArgument("no-conf", nil, .flag) { command, value in command.readsFile = value == "false" },
        AriaArgument("help", "h", .optional) { command, _ in command.question = "help" },
        AriaArgument("version", "v", .flag) { command, value in if value == "true" { command.question = "version" } },
        refused("daemon", "D", .flag, because: CommandLineUsage.noAriaDaemon),
        refused("show-files", "S", .flag, because: CommandLineUsage.noAriaFiles),
        refused("torrent-file", "T", because: CommandLineUsage.noTorrents),
        refused("index-out", "O", because: CommandLineUsage.noTorrents),
    ]
}
