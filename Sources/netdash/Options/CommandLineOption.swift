import Dashboard

/// Every option the program knows.
///
/// An option that is not a case here is unknown, never silently accepted.
///
/// The table is what the parser, the help screen and the hint for a mistyped option all read.
enum CommandLineOption: Sendable, Hashable, CaseIterable, RawRepresentable {
    case directory
    case output
    case input
    case maximumConcurrent
    case maximumPerHost
    case limitRate
    case limitUpload
    case limitRatePerHost
    case limitRatePerTask
    case continues
    case startsOver
    case ifExists
    case checksum
    case header
    case method
    case body
    case include
    case globOff
    case checksums
    case failedTo
    case retryFailed
    case retries
    case retryMaxTime
    case connectTimeout
    case stallTimeout
    case session
    case ephemeral
    case plain
    case json
    case quiet
    case http2
    case log
    case logLevel
    case bell
    case notify
    case onComplete
    case onError
    case onAllDone
    case framesPerSecond
    case color
    case glyphs
    case mouse
    case exitWhenDone
    case removesParts
    case version
    case help
    case helpKeys
    /// An option of requests, which lists and the add form know too.
    case job(JobOption)

    /// All options, in the order of the help: what is downloaded and sent, the options of requests, and the rest.
    static let allCases: [CommandLineOption] = {
        let first: [CommandLineOption] = [
            .directory, .output, .input, .maximumConcurrent, .maximumPerHost, .continues, .startsOver, .ifExists,
            .checksum, .checksums, .header, .method, .body, .include, .globOff,
        ]
        let last: [CommandLineOption] = [
            .limitRate, .limitUpload, .limitRatePerHost, .limitRatePerTask,
            .retries, .retryMaxTime, .connectTimeout, .stallTimeout, .failedTo, .session, .retryFailed, .ephemeral,
            .plain, .json,
            .quiet, .http2, .log,
            .logLevel, .bell, .notify, .onComplete, .onError, .onAllDone, .framesPerSecond, .color, .glyphs, .mouse,
            .exitWhenDone, .removesParts, .version, .help, .helpKeys,
        ]
        return first + JobOption.allCases.map { .job($0) } + last
    }()

    private static let named = Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue, $0) })

    /// The option of a long name.
    init?(rawValue: String) {
        guard let option = Self.named[rawValue] else { return nil }
        self = option
    }

    /// The long name.
    var rawValue: String {
        switch self {
        case .directory: "dir"
        case .output: "out"
        case .input: "input"
        case .maximumConcurrent: "max-concurrent"
        case .maximumPerHost: "max-per-host"
        case .limitRate: "limit-rate"
        case .limitUpload: "limit-upload"
        case .limitRatePerHost: "limit-rate-per-host"
        case .limitRatePerTask: "limit-rate-per-task"
        case .continues: "continue"
        case .startsOver: "no-continue"
        case .ifExists: "if-exists"
        case .checksum: "checksum"
        case .header: "header"
        case .method: "method"
        case .body: "body"
        case .include: "include"
        case .globOff: "globoff"
        case .checksums: "checksums"
        case .failedTo: "failed-to"
        case .retryFailed: "retry-failed"
        case .retries: "retries"
        case .retryMaxTime: "retry-max-time"
        case .connectTimeout: "connect-timeout"
        case .stallTimeout: "stall-timeout"
        case .session: "session"
        case .ephemeral: "ephemeral"
        case .plain: "plain"
        case .json: "json"
        case .quiet: "quiet"
        case .http2: "http2"
        case .log: "log"
        case .logLevel: "log-level"
        case .bell: "bell"
        case .notify: "notify"
        case .onComplete: "on-complete"
        case .onError: "on-error"
        case .onAllDone: "on-all-done"
        case .framesPerSecond: "fps"
        case .color: "color"
        case .glyphs: "glyphs"
        case .mouse: "mouse"
        case .exitWhenDone: "exit-when-done"
        case .removesParts: "remove"
        case .version: "version"
        case .help: "help"
        case .helpKeys: "help-keys"
        case .job(let option): option.rawValue
        }
    }

    /// The name of the option on the command line.
    var longName: String { rawValue }

    /// The letter of its short form.
    var shortName: Character? {
        switch self {
        case .directory: "d"
        case .output: "o"
        case .input: "i"
        case .maximumConcurrent: "j"
        case .continues: "c"
        case .header: "H"
        case .method: "X"
        case .body: "b"
        case .help: "h"
        case .globOff: "g"
        case .job(let option): option.letter
        case .limitRate, .limitUpload, .limitRatePerHost, .limitRatePerTask,
            .include, .checksums, .failedTo, .retryFailed, .maximumPerHost, .startsOver, .ifExists, .checksum,
            .retries, .retryMaxTime, .connectTimeout, .stallTimeout,
            .session,
            .ephemeral, .plain, .json, .quiet, .http2, .log, .logLevel, .bell, .notify, .onComplete, .onError,
            .onAllDone,
            .framesPerSecond, .color, .glyphs, .mouse, .exitWhenDone, .removesParts, .version, .helpKeys:
            nil
        }
    }

    /// The word that stands for its value in the help; nil for an option without one.
    var valueName: String? {
        switch self {
        case .directory: "DIR"
        case .output, .session: "NAME"
        case .input, .log, .checksums, .failedTo: "FILE"
        case .maximumConcurrent, .maximumPerHost, .retries, .framesPerSecond: "N"
        case .limitRate, .limitUpload, .limitRatePerHost, .limitRatePerTask: "RATE"
        case .ifExists: "POLICY"
        case .checksum: "ALGO=HEX"
        case .header: "'Name: value'"
        case .method: "METHOD"
        case .body: "TEXT|@FILE"
        case .retryMaxTime, .connectTimeout, .stallTimeout: "SECONDS"
        case .logLevel: "LEVEL"
        case .color: "WHEN"
        case .bell, .notify: "MOMENTS"
        case .onComplete, .onError, .onAllDone: "COMMAND"
        case .glyphs: "SET"
        case .job(let option): option.valueName
        case .continues, .startsOver, .ephemeral, .plain, .json, .quiet, .http2, .mouse, .include, .globOff,
            .retryFailed, .exitWhenDone, .removesParts,
            .version, .help,
            .helpKeys:
            nil
        }
    }

    /// One line of the help.
    var summary: String {
        switch self {
        case .directory: "where downloads go, created if missing (current folder)"
        case .output: "file name of a download or response; - for standard output, not resumed once begun"
        case .input: "read jobs from a list, a Metalink or a URL of one; - is standard input, as it arrives"
        case .maximumConcurrent: "files at once, and as many requests beside them (5)"
        case .maximumPerHost: "files at once of one host, and as many requests (16)"
        case .continues: "continue a matching partial file of an earlier run (on)"
        case .startsOver: "start over instead of continuing a partial file"
        case .ifExists: "rename, skip, overwrite, refresh (fetch it if it has changed) or fail (rename)"
        case .checksum: "sha-256, sha-512, sha-1 or md5 of the whole file"
        case .header: "request header, repeatable"
        case .method: "method of request and upload (GET, POST with a body; PUT)"
        case .body: "body of request and upload, sent as a form or JSON unless a header names its type"
        case .job(let option): option.summary
        case .globOff: "take [1-9] and {a,b} in URLs for what they are, not for several URLs"
        case .checksums: "check every download against its line in FILE, such as SHA256SUMS"
        case .failedTo: "write the transfers that have failed to FILE, as a list for -i"
        case .retryFailed: "try again what has failed in the saved session"
        case .include: "print status and header fields in front of the body of the response"
        case .limitRate: "bytes a second of all downloads: 512k, 2M, off, or 08:00,512k 18:00,off (off)"
        case .limitUpload: "the same of all that is sent (off)"
        case .limitRatePerHost: "the same of each host, either way (off)"
        case .limitRatePerTask: "the same of each task, either way (off)"
        case .retries: "further tries without progress (5; 10 minutes long for a server that is away)"
        case .retryMaxTime: "no try begins later after a first failure (600 for a server that is away)"
        case .connectTimeout: "limit for establishing a connection (15)"
        case .stallTimeout: "limit without a byte moving (30)"
        case .session: "the saved session to work on (default for the dashboard, none for lines)"
        case .ephemeral: "save nothing"
        case .plain: "print lines instead of opening the dashboard"
        case .json: "print one JSON object a line on standard output"
        case .quiet: "print only errors"
        case .http2: "HTTP/2 for downloads and uploads too"
        case .log: "append what happened to FILE, without secrets"
        case .logLevel: "error, warning, info or debug (info)"
        case .bell: "ring the bell at: complete, error, all-done; several between commas (never)"
        case .notify: "have the terminal show a notification at the same moments (never)"
        case .onComplete:
            "run COMMAND when a task was completed; NETDASH_... tells of it, and JSON on its input"
        case .onError: "run COMMAND when a task has failed"
        case .onAllDone: "run COMMAND when every task has ended"
        case .framesPerSecond: "frames a second of the dashboard, 1 to 30 (4, over ssh 2)"
        case .color: "auto, always or never (auto)"
        case .glyphs: "blocks, ascii, braille or console (blocks; on the Linux console: console)"
        case .mouse: "the mouse selects and clicks; hold Shift to select text (off)"
        case .exitWhenDone: "leave the dashboard when nothing is left to do"
        case .removesParts: "remove the parts that are listed"
        case .version: "print the version"
        case .help: "print this help"
        case .helpKeys: "print the dashboard's keys"
        }
    }

    /// The long name with its dashes, as it is written.
    var spelling: String { "--" + longName }

    static func named(_ letter: Character) -> CommandLineOption? {
        allCases.first { $0.shortName == letter }
    }
}

/// The options that may stand in the configuration file, and those that exclude each other.
extension CommandLineOption {
    /// Whether it may be set for every run; the others belong to one.
    var isSetting: Bool {
        switch self {
        case .output, .input, .checksum, .checksums, .failedTo, .retryFailed, .method, .body, .include, .removesParts,
            .version, .help,
            .helpKeys:
            false
        case .job(let option): !option.isBody && option != .insecure
        case .limitRate, .limitUpload, .limitRatePerHost, .limitRatePerTask,
            .directory, .maximumConcurrent, .maximumPerHost, .continues, .startsOver, .ifExists, .header, .retries,
            .retryMaxTime, .globOff, .connectTimeout, .stallTimeout, .session, .ephemeral, .plain, .json, .quiet,
            .http2, .log,
            .logLevel,
            .bell, .notify, .onComplete, .onError, .onAllDone, .framesPerSecond, .color, .glyphs, .mouse, .exitWhenDone:
            true
        }
    }

    /// The options whose values are commands, which run without being asked for.
    static let hooks: [CommandLineOption] = [.onComplete, .onError, .onAllDone]

    /// The subject that the option decides, named by one of its options: one that is set leaves no room for the others.
    ///
    /// Headers add up, so they leave all the room there is.
    var subject: CommandLineOption {
        switch self {
        case .startsOver: .continues
        case .ephemeral: .session
        case .json, .quiet: .plain
        case .limitRate, .limitUpload, .limitRatePerHost, .limitRatePerTask,
            .directory, .output, .input, .maximumConcurrent, .maximumPerHost, .continues, .ifExists, .checksum,
            .checksums, .failedTo, .retryFailed, .globOff,
            .header, .method, .body, .retries, .retryMaxTime, .connectTimeout, .stallTimeout, .session, .plain, .http2,
            .log,
            .logLevel, .bell, .notify, .onComplete, .onError, .onAllDone, .framesPerSecond, .color, .glyphs, .mouse,
            .include, .exitWhenDone, .removesParts, .version, .help, .helpKeys:
            self
        // One of them takes the other's place.
        case .job(let option): option == .ipv6 ? .job(.ipv4) : self
        }
    }

    /// Whether it is a whole body, of which a request has one.
    var isSingleBody: Bool { self == .body || self == .job(.jsonBody) }

    /// The option that would contradict it on one command line; nil for those that no other contradicts.
    var excluded: CommandLineOption? {
        switch self {
        case .job(.ipv4): .job(.ipv6)
        case .job(.ipv6): .job(.ipv4)
        default: nil
        }
    }

    /// The option that an answer of yes or no stands for; nil where no is what holds anyway.
    func chosen(_ isOn: Bool) -> CommandLineOption? {
        if isOn { return self }
        switch self {
        case .continues: return .startsOver
        case .startsOver: return .continues
        case .limitRate, .limitUpload, .limitRatePerHost, .limitRatePerTask,
            .directory, .output, .input, .maximumConcurrent, .maximumPerHost, .ifExists, .checksum, .header, .method,
            .checksums, .failedTo, .retryFailed, .globOff,
            .body, .retries, .retryMaxTime, .connectTimeout, .stallTimeout, .session, .ephemeral, .plain, .json, .quiet,
            .http2, .log,
            .logLevel, .bell, .notify, .onComplete, .onError, .onAllDone, .framesPerSecond, .color, .glyphs, .mouse,
            .include, .exitWhenDone, .removesParts, .version, .help, .helpKeys, .job:
            return nil
        }
    }
}
