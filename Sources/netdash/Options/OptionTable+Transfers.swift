import Dashboard
import TransferService

/// The options for downloads and requests, and for their limits.
extension CommandLineOption {
    static let directory = record("dir")
    static let body = record("body")
    static let header = record("header")
    static let include = record("include")

    /// The methods for completions; others are sent as well.
    static let commonMethods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]

    /// The options for downloads and requests.
    static var ofTransfers: [CommandLineOption] {
        [
            CommandLineOption(
                "dir", .path("DIR", hint: .folder),
                "where downloads and a list's named bodies go, created if missing (current folder)", letter: "d",
                for: [.download, .doctor]
            ) { ($0.settings.directory, $0.settings.directoryLabel) = ($1, $2) },
            CommandLineOption(
                "out", .path("NAME", hint: .file),
                "file name of a download or response; - for standard output, not resumed once begun", letter: "o",
                for: [.download, .upload, .request], reach: .run
            ) { (values, path, label) throws(UsageError) in try values.setOutput(path, label: label) },
            CommandLineOption(
                "input", .file, "read jobs from a list, a Metalink or a URL of one; - is standard input, as it arrives",
                letter: "i", for: [.download], reach: .run, isRepeatable: true
            ) { values, path, _ in values.inputLists.append(path) },
            CommandLineOption(
                "max-concurrent", .number(in: 1...1000), "files at once, and as many requests beside them (5)",
                letter: "j",
                for: .transfers
            ) { values, count, _ in values.settings.maximumConcurrent = count },
            CommandLineOption(
                "max-per-host", .number(in: 1...1000), "files at once of one host, and as many requests (16)",
                for: .transfers
            ) { values, count, _ in values.settings.maximumPerHost = count },
            CommandLineOption(
                "continue", "continue a matching partial file of an earlier run (on)", letter: "c", for: [.download],
                opposite: "no-continue"
            ) { values, _ in values.jobDefaults.continues = true },
            CommandLineOption(
                "no-continue", "start over instead of continuing a partial file", for: [.download],
                opposite: "continue",
                subject: "continue"
            ) { values, _ in values.jobDefaults.continues = false },
            CommandLineOption(
                "if-exists", .word("POLICY"),
                "rename, skip, overwrite, refresh (fetch it if it has changed) or fail (rename)",
                for: [.download]
            ) { values, policy, _ in values.jobDefaults.ifExists = policy },
            CommandLineOption(
                "checksum", .checksum, "sha-256, sha-512, sha-1 or md5 of the whole file", for: [.download], reach: .run
            ) { values, checksum, _ in values.jobDefaults.checksum = checksum },
            CommandLineOption(
                "checksums", .file, "check every download against its line in FILE, such as SHA256SUMS",
                for: [.download],
                reach: .run
            ) { values, path, _ in values.settings.checksumsPath = path },
            CommandLineOption(
                "header", .header, "request header, repeatable", letter: "H", for: .requests, isRepeatable: true
            ) { values, header, _ in values.jobDefaults.headers.append(header) },
            CommandLineOption(
                "method", .method, "method of request and upload (GET, POST with a body; PUT)", letter: "X",
                for: [.upload, .request], reach: .run
            ) { values, method, _ in values.method = method },
            CommandLineOption(
                "body", .body, "body of request and upload, sent as a form or JSON unless a header names its type",
                letter: "b", for: [.upload, .request], reach: .run
            ) { values, body, _ in values.body = body },
            CommandLineOption(
                "include", "print status and header fields in front of the body of the response",
                for: [.upload, .request], reach: .run
            ) { values, _ in values.settings.includesHead = true },
            CommandLineOption(
                "globoff", "take [1-9] and {a,b} in URLs for what they are, not for several URLs", letter: "g",
                for: [.download, .upload, .request]
            ) { values, _ in values.expandsGlobs = false },
        ]
    }

    /// The options for rates, retries and time limits.
    static var ofLimits: [CommandLineOption] {
        [
            CommandLineOption(
                "limit-rate", .rate, "bytes a second of all downloads: 512k, 2M, off, or 08:00,512k 18:00,off (off)",
                for: .transfers
            ) { values, rate, _ in values.settings.rates.download = rate },
            CommandLineOption("limit-upload", .rate, "the same of all that is sent (off)", for: .transfers) {
                values, rate, _ in values.settings.rates.upload = rate
            },
            CommandLineOption("limit-rate-per-host", .rate, "the same of each host, either way (off)", for: .transfers)
            {
                values, rate, _ in values.settings.rates.perHost = rate
            },
            CommandLineOption("limit-rate-per-task", .rate, "the same of each task, either way (off)", for: .transfers)
            {
                values, rate, _ in values.settings.rates.perTask = rate
            },
            CommandLineOption(
                "retries", .number(in: 0...1000),
                "further tries without progress (5; 2 if never reached, 10 minutes if it went away)",
                for: .transfers
            ) { values, count, _ in (values.settings.retries, values.settings.hasChosenRetries) = (count, true) },
            CommandLineOption(
                "retry-max-time", .seconds,
                "no try begins later after a first failure (600 for a server that is away)", for: .transfers
            ) { values, seconds, _ in values.settings.retryMaxTime = seconds },
            CommandLineOption(
                "connect-timeout", .seconds, "limit for establishing a connection (15)",
                for: Set<ProgramCommand>.transfers.union(Set<ProgramCommand>.requests)
            ) { values, seconds, _ in values.settings.connectTimeout = seconds },
            CommandLineOption(
                "stall-timeout", .seconds, "limit without a byte of a body that is under way (30)", for: .transfers
            ) { values, seconds, _ in values.settings.stallTimeout = seconds },
        ]
    }
}
