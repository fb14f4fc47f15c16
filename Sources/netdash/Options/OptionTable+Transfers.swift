import Dashboard
import SessionSupport
import TransferService

/// The options for downloads and requests, and for their limits.
extension CommandLineOption {
    static let directory = record("dir")
    static let body = record("body")
    static let header = record("header")
    static let include = record("include")

    /// The methods for completions; others are sent as well.
    static let commonMethods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"]

    /// The options for downloads and requests.
    static var ofTransfers: [CommandLineOption] {
        [
            CommandLineOption(
                "dir", .path("DIR", hint: .folder),
                "folder for downloads and named bodies of a list, created if missing (current)", letter: "d",
                for: [.download, .doctor, .serve]
            ) { (values, path, label) throws(UsageError) in
                guard path.first != "{", path.first != "[" else {
                    throw UsageError(argument: label, JobUsage.bodyAsFolder)
                }
                (values.settings.directory, values.settings.directoryLabel) = (path, label)
            },
            CommandLineOption(
                "out", .path("NAME", hint: .file),
                "file name or template such as '#1/{host}/{name}'; - is standard output, never resumed",
                letter: "o",
                for: [.download, .upload, .request], reach: .run
            ) { (values, path, label) throws(UsageError) in try values.setOutput(path, label: label) },
            CommandLineOption(
                "input", .file,
                "read a list, CSV, JSONL, Metalink, HAR, HTML or curl file or URL; - is standard input",
                letter: "i", for: [.download], reach: .run, isRepeatable: true
            ) { values, path, _ in values.inputLists.append(ListOperand(path)) },
            CommandLineOption(
                "config", .file, "read transfers from a configuration file of curl; - reads standard input",
                letter: "K", for: [.download], reach: .run, isRepeatable: true
            ) { values, path, _ in values.inputLists.append(ListOperand(path, isCurl: true).readWhole) },
            CommandLineOption(
                "accept", .globs,
                "take links of HTML pages and HAR files that match, as '*.iso' (the server's files)",
                for: [.download], reach: .run, isRepeatable: true
            ) { values, globs, _ in values.linkChoice.accepted += globs },
            CommandLineOption(
                "reject", .globs, "leave out links that match, repeatable", for: [.download], reach: .run,
                isRepeatable: true
            ) { values, globs, _ in values.linkChoice.rejected += globs },
            CommandLineOption(
                "max-concurrent", .number(in: 1...1000), "maximum parallel files, and as many requests (5)",
                letter: "j",
                for: .transfers
            ) { values, count, _ in values.settings.maximumConcurrent = count },
            CommandLineOption(
                "max-per-host", .number(in: 1...1000), "the same per host (16)",
                for: .transfers
            ) { values, count, _ in values.settings.maximumPerHost = count },
            CommandLineOption(
                "priority", .priority, "lowest, low, normal, high or highest: which waiting task starts first (normal)",
                for: [.download, .upload, .request]
            ) { values, priority, _ in values.jobDefaults.priority = priority },
            CommandLineOption(
                "start-at", .start,
                "start no task before TIME: 22:00, +2h30m or 2026-11-28 22:00 (at once)",
                for: [.download, .upload, .request], reach: .run
            ) { values, start, _ in values.jobDefaults.start = start },
            CommandLineOption(
                "only", .hours, "run tasks in these hours only, and pause them outside: 22:00-06:00 (all)",
                for: [.download, .upload, .request]
            ) { values, spans, _ in values.jobDefaults.spans = spans },
            CommandLineOption(
                "continue", "resume a matching partial file (on)", letter: "c", for: [.download],
                opposite: "no-continue"
            ) { values, _ in values.jobDefaults.continues = true },
            CommandLineOption(
                "no-continue", "restart from zero instead of resuming a partial file", for: [.download],
                opposite: "continue",
                subject: "continue"
            ) { values, _ in values.jobDefaults.continues = false },
            CommandLineOption(
                "if-exists", .word("POLICY"),
                "file exists: \(Job.IfExists.words) (rename)",
                for: [.download]
            ) { values, policy, _ in values.jobDefaults.ifExists = policy },
            CommandLineOption(
                "checksum", .checksum, "expected sha-256, sha-512, sha-1 or md5 of the file", for: [.download],
                reach: .run
            ) { values, checksum, _ in values.jobDefaults.checksum = checksum },
            CommandLineOption(
                "checksums", .file, "verify each download against FILE, such as SHA256SUMS",
                for: [.download],
                reach: .run
            ) { values, path, _ in values.settings.checksumsPath = path },
            CommandLineOption(
                "archive", .file,
                "skip downloads that FILE lists, by checksum or URL, and add completed ones",
                for: [.download]
            ) { values, path, _ in values.settings.archivePath = path },
            CommandLineOption(
                "dry-run", "print what would be transferred, and write nothing (--json for programs)",
                for: [.download, .upload, .request], reach: .run
            ) { values, _ in values.settings.isDryRun = true },
            CommandLineOption(
                "header", .header, "request header, repeatable; 'Name:' sends none, 'Name;' an empty one", letter: "H",
                for: .requests, isRepeatable: true
            ) { values, header, _ in header.set(on: &values.jobDefaults) },
            CommandLineOption(
                "method", .method, "method of request and upload (GET, POST with a body; PUT)", letter: "X",
                for: [.upload, .request], reach: .run
            ) { values, method, _ in values.method = method },
            CommandLineOption(
                "body", .body, "body of request and upload, sent as form or JSON unless a header names its type",
                letter: "b", for: [.upload, .request], reach: .run
            ) { values, body, _ in values.body = body },
            CommandLineOption(
                "include", "print status and headers before the response body",
                for: [.upload, .request], reach: .run
            ) { values, _ in values.settings.includesHead = true },
            CommandLineOption(
                "globoff", "do not expand [1-9] and {a,b} in URLs", letter: "g",
                for: [.download, .upload, .request]
            ) { values, _ in values.expandsGlobs = false },
        ]
    }

    /// The options for rates, retries and time limits.
    static var ofLimits: [CommandLineOption] {
        [
            CommandLineOption(
                "limit-rate", .rate, "download speed limit: 512k, 2M, off, or 08:00,512k 18:00,off (off)",
                for: .transfers
            ) { values, rate, _ in values.settings.rates.download = rate },
            CommandLineOption("limit-upload", .rate, "upload speed limit (off)", for: .transfers) {
                values, rate, _ in values.settings.rates.upload = rate
            },
            CommandLineOption("limit-rate-per-host", .rate, "speed limit per host and direction (off)", for: .transfers)
            {
                values, rate, _ in values.settings.rates.perHost = rate
            },
            CommandLineOption("limit-rate-per-task", .rate, "speed limit per task and direction (off)", for: .transfers)
            {
                values, rate, _ in values.settings.rates.perTask = rate
            },
            CommandLineOption(
                "rate", .requestRate,
                "the requests that begin in a time, evenly spaced, retries too: 5/s, 30/m, 100/h (off)",
                for: .transfers
            ) { values, rate, _ in values.settings.requestRates.all = rate },
            CommandLineOption("rate-per-host", .requestRate, "the same to each host (off)", for: .transfers) {
                values, rate, _ in values.settings.requestRates.perHost = rate
            },
            CommandLineOption(
                "retries", .number(in: 0...1000),
                "retries without progress (5; unreachable hosts 2, lost hosts 10 minutes)",
                for: .transfers
            ) { values, count, _ in (values.settings.retries, values.settings.hasChosenRetries) = (count, true) },
            CommandLineOption(
                "retry-max-time", .seconds,
                "retry for at most SECONDS after a first failure (600 for lost hosts)", for: .transfers
            ) { values, seconds, _ in values.settings.retryMaxTime = seconds },
            CommandLineOption(
                "connect-timeout", .seconds, "timeout for connecting (15)",
                for: Set<ProgramCommand>.transfers.union(Set<ProgramCommand>.requests)
            ) { values, seconds, _ in values.settings.connectTimeout = seconds },
            CommandLineOption(
                "stall-timeout", .seconds, "timeout without data while a body is transferred (30)", for: .transfers
            ) { values, seconds, _ in values.settings.stallTimeout = seconds },
        ]
    }
}
