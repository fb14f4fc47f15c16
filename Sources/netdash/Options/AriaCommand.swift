import AriaRPC
import Dashboard
import Glibc
import SessionSupport

/// A command line of aria2c while its arguments are translated.
struct AriaCommand: Sendable {
    /// Arguments of netdash.
    var words: [String] = []
    var urls: [String] = []
    /// Whether each URL is a download of its own; otherwise all are sources of one.
    var isSequential = false
    /// Whether the patterns in URLs stand for several.
    var isParameterized = false
    /// The user's home, which `${HOME}` in a path stands for.
    var home: String?
    /// The name of the file; the last one counts, and an empty one means none.
    var output: String?
    /// The value of `--referer`, where an asterisk is the URL itself.
    var referer: String?
    /// The file with names and passwords; nil for the one in the home.
    var netrcFile: String?
    var readsNetrc = true
    var (user, password): (String?, String?)
    var (proxyUser, proxyPassword): (String?, String?)
    var hasRPC = false
    var rpc = RPCSettings()
    var host = "127.0.0.1"
    var port = RPCAddress.usualPort
    private var connections: Int?
    /// The file with further arguments; nil for none.
    var configurationFile: String?
    var readsFile = true
    /// The command of netdash that answers, where the command line is a question.
    var question: String?
    /// aria2's names of arguments without a meaning here.
    private(set) var ignored: [String] = []
    /// What becomes of an existing file.
    var file = AriaFileRule()
    /// The value of `--max-file-not-found`: how many answers that there is no file end a download by themselves.
    var missesAllowed: String?
    /// What is to be said of single arguments.
    var notes: [SafeText] = []

    /// Names an argument that has no effect, once.
    mutating func ignore(_ name: String) {
        if !ignored.contains(name) { ignored.append(name) }
    }

    /// What the command line asks for and does not get, as sentences.
    var remarks: [SafeText] {
        // A password without a user name is not sent.
        var names = ignored
        if password != nil, user == nil { names.append("http-passwd") }
        if proxyPassword != nil, proxyUser == nil { names.append("all-proxy-passwd") }
        if referer == Self.ownURL, sentReferer == nil { names.append("referer") }
        return [names.isEmpty ? nil : CommandLineLabels.ignored(names), file.remark].compactMap { $0 } + notes
            + [netrc.note].compactMap { $0 }
    }

    private static let ownURL = "*"

    /// The value of the field; nil for none, and for several downloads with their own.
    private var sentReferer: String? {
        guard referer == Self.ownURL else { return referer }
        return isSequential && urls.count > 1 ? nil : urls.first.map(Self.referer)
    }

    /// The referer that a URL is itself: without a name and a password, which belong into no field.
    static func referer(of url: String) -> String {
        guard let info = URLScan(url).userInfo else { return url }
        return String(url[..<info.lowerBound] + url[info.upperBound...].dropFirst())
    }

    /// The file with names and passwords, which a user name on the command line replaces, and why none is read.
    private var netrc: (path: String?, note: SafeText?) {
        guard readsNetrc, user == nil, let path = netrcFile ?? home.map({ $0 + "/.netrc" }) else { return (nil, nil) }
        guard access(path, R_OK) == 0 else {
            return (nil, netrcFile.map { AriaLines.unreadable("--netrc-path", $0) })
        }
        var status = stat()
        // As in aria2c.
        guard stat(path, &status) == 0, status.st_mode & (S_IRWXG | S_IRWXO) == 0 else {
            return (nil, AriaLines.openNetrc(path))
        }
        return (path, nil)
    }

    /// The lowest of several limits counts.
    mutating func limitConnections(_ count: Int) {
        connections = min(min(max(count, 1), 16), connections ?? 16)
    }

    /// The options that belong to one download alone, or to the command line.
    private static let ofDownloads: Set<String> = ["checksum", "dir", "gid", "out"]

    /// Keeps an option of aria2 for the tasks that clients of the interface add, and for their questions.
    ///
    /// The option itself reports a wrong value.
    mutating func keep(_ name: String, _ text: String) {
        guard !Self.ofDownloads.contains(name),
            let value = AriaOptionText.value(text, of: name, after: rpc.options[name])
        else { return }
        rpc.options[name] = value
    }

    /// aria2c asks for a missing file again, until one of two limits ends it; a zero means none.
    var exits: ExitDialect {
        let misses = missesAllowed.flatMap { Int($0) } ?? 0
        let tries = rpc.options["max-tries"].flatMap { Int($0) } ?? 5
        return misses > 0 && (tries == 0 || misses <= tries) ? .aria2CountingMisses : .aria2
    }

    /// A value with the home in its place: a file has no shell that puts it there.
    func expanded(_ value: String, of name: String) -> String {
        guard let home, AriaArgument.ofPaths.contains(name) else { return value }
        return value.replacing("${HOME}", with: home)
    }

    /// Puts the URLs of patterns in the place of the patterns: like URLs side by side they are sources of one file.
    mutating func expandPatterns() throws(UsageError) {
        guard isParameterized else { return }
        var all: [String] = []
        for url in urls { all += try URLGlob.expansions(of: url, label: url, singles: true).map(\.url) }
        urls = all
    }

    /// Whether a URL or the name has what only netdash expands.
    private var hasLiterals: Bool {
        (urls + [output ?? ""]).contains { text in text.contains { "[{#".contains($0) } }
    }

    /// aria2's timeout where none is given: a server that accepts and never answers does not hold a task forever.
    private static let usualTimeout = "60"

    /// The arguments of netdash that mean the same.
    var arguments: [String] {
        var result = words
        if rpc.options["timeout"] == nil { result.append("--answer-timeout=" + Self.usualTimeout) }
        if let rule = file.rule { result.append("--if-exists=\(rule.rawValue)") }
        if let connections { result.append("--connections=\(connections)") }
        if !urls.isEmpty, hasLiterals { result.append("--globoff") }
        if let output { result.append("--out=\(output)") }
        if let sentReferer { result.append("--referer=\(sentReferer)") }
        if let path = netrc.path { result.append("--netrc-file=\(path)") }
        if let user { result.append("--user=\(user):\(password ?? "")") }
        if let proxyUser { result.append("--proxy-user=\(proxyUser):\(proxyPassword ?? "")") }
        guard !isSequential, let first = urls.first else { return result + urls }
        return result + urls.dropFirst().map { "--mirror=\($0)" } + [first]
    }

    /// The interface that it asks for; nil for none.
    var settings: RPCSettings? {
        guard hasRPC else { return nil }
        var settings = rpc
        settings.address = .tcp(host: host, port: port)
        if settings.options["timeout"] == nil { settings.options["timeout"] = Self.usualTimeout }
        return settings
    }
}

/// The program whose words a list has.
enum ListDialect: Sendable, Equatable {
    case netdash
    /// aria2, where a key of ours with one of its names means what it means there.
    case aria2
}

/// What becomes of an existing file, from four of aria2's options that only together say it.
struct AriaFileRule: Sendable, Equatable {
    var continues = false
    var overwrites = false
    var isConditional = false
    var renames = true

    /// Our rule with the same end; nil for the usual one.
    ///
    /// Bytes of unknown origin are never continued: what the server does not confirm is downloaded from its beginning.
    var rule: Job.IfExists? {
        if continues || isConditional { return overwrites ? .refresh : renames ? .same : .sameOrFail }
        if overwrites { return .overwrite }
        return renames ? nil : .fail
    }

    /// What `--continue` asks for and does not get; nil where it was not given.
    var remark: SafeText? {
        guard continues else { return nil }
        if overwrites { return AriaLines.continuedOver }
        return renames ? AriaLines.continuedBeside : AriaLines.continuedNot
    }
}
