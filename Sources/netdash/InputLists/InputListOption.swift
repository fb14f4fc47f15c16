import Dashboard
import SessionSupport

/// The keys that may stand below a URL in an input list.
///
/// Beside them every option of requests may stand there, under the name that it has on the command line.
enum InputListOption: String, CaseIterable {
    case out, dir, header, checksum, kind, method, body
    case bodyFile = "body-file"
    case ifExists = "if-exists"
    case continues = "continue"
    case pause, http2, tag
    case limitRate = "limit-rate"
    case limitUpload = "limit-upload"

    /// The word that stands for its value in the manual page.
    var valueName: String {
        switch self {
        case .out: "NAME"
        case .dir: "DIR"
        case .header: "Name: value"
        case .checksum: "ALGO=HEX"
        case .kind: Job.Kind.allCases.map(\.rawValue).joined(separator: "|")
        case .method: "METHOD"
        case .body: "TEXT"
        case .bodyFile: "FILE"
        case .tag: "TEXT"
        case .ifExists: Job.IfExists.allCases.map(\.rawValue).joined(separator: "|")
        case .continues, .pause, .http2: "yes|no"
        case .limitRate, .limitUpload: "SIZE"
        }
    }

    /// One sentence of the manual page, without its full stop.
    var summary: String {
        switch self {
        case .out:
            "the file's name, or its path from the folder of the download on; - for standard output, never resumed"
        case .dir: "the folder of this download, created if missing (that of --dir, else the current one)"
        case .header: "a request header, repeatable; it is added to those of --header"
        case .checksum: "sha-256, sha-512, sha-1 or md5 of the whole file, for a download"
        case .kind: "a request whose body is kept or printed, an upload or a download (download)"
        case .method: "the method of a request or an upload (GET, POST with a body; PUT)"
        case .body:
            "the body of a request or an upload, as it stands here, sent as a form or JSON unless a header names its type"
        case .bodyFile: "the file whose bytes are the body; an upload needs this or body"
        case .ifExists: "what happens when the file is there already (that of --if-exists)"
        case .continues: "whether a matching partial file of an earlier run is continued (yes)"
        case .pause: "whether the task waits, paused, until somebody resumes it (no)"
        case .tag: "a mark of your own, which every event of --json has"
        case .http2: "whether a download or an upload may use HTTP/2 too (no)"
        case .limitRate:
            "the bytes a second that this task gets at most, such as 512k, 2M or off (as --limit-rate-per-task)"
        case .limitUpload: "the same for what this task sends"
        }
    }

    /// The manual page's list of keys, in the language of man pages.
    static func manual() -> String {
        let own = allCases.map { (name: $0.rawValue, value: $0.valueName, summary: $0.summary) }
        let shared = JobOption.allCases.map {
            (name: $0.rawValue, value: $0.valueName ?? "yes|no", summary: $0.summary)
        }
        return (own + shared).flatMap { key in
            [
                ".TP", "\\fB\(ManualText.escaped(key.name))\\fR=\\fI\(ManualText.escaped(key.value))\\fR",
                ManualText.escaped(key.summary),
            ]
        }.joined(separator: "\n") + "\n"
    }

    /// Applies one line, `key=value`, to a job.
    static func apply(_ line: String, to job: inout Job, label: String) throws(UsageError) {
        guard let equals = line.firstIndex(of: "=") else {
            throw UsageError(argument: label, "\"\(line)\" is not key=value")
        }
        let key = ByteText.trimmed(line[..<equals])
        let value = ByteText.trimmed(line[line.index(after: equals)...])
        guard let option = InputListOption(rawValue: key) else {
            if let option = JobOption(rawValue: key) {
                return try apply(option, value, to: &job, label: "\(label): \(key)")
            }
            let names = allCases.map(\.rawValue) + JobOption.allCases.map(\.rawValue)
            let hint = Suggestion.nearest(to: key, among: names).map { "did you mean \($0)?" }
            throw UsageError(
                argument: label, "unknown key \"\(key)\"; \(hint ?? "known are " + names.joined(separator: ", "))")
        }
        try option.apply(value, to: &job, label: "\(label): \(key)")
    }

    private static func apply(
        _ option: JobOption, _ value: String, to job: inout Job, label: String
    ) throws(UsageError) {
        if option.operand == .none {
            if try ValueParser.flag(value, label: label) {
                job.options.set(JobOption.Value(option))
            } else {
                job.options.removeAll { $0.option == option }
            }
            return
        }
        if let problem = option.problem(with: value) { throw UsageError(argument: label, problem) }
        if option.isBody, let other = otherBody(than: option, in: job) {
            throw UsageError(argument: label, "is a body, and \(other) another one; write one of them")
        }
        job.options.set(JobOption.Value(option, value))
    }

    /// What is a body already where an option is to be another one; nil where there is room for it.
    ///
    /// The terms of all jobs of a list have no body, so it stands below the same URL.
    private static func otherBody(than option: JobOption?, in job: Job) -> String? {
        switch job.body {
        case .none: break
        case .file, .formFile: return InputListOption.bodyFile.rawValue
        case .text, .standardInput: return InputListOption.body.rawValue
        }
        return job.bodyOptions.first { $0 != option || $0 == .jsonBody }?.rawValue
    }

    /// Checks that what was said of a job fits its kind; the keys may come in any order, so this waits for the last.
    static func check(_ job: Job, label: @autoclosure () -> String) throws(UsageError) {
        switch job.kind {
        case .download:
            guard job.method == nil, job.body == .none else {
                throw UsageError(
                    argument: label(), "a download has no method and no body; write kind=data or kind=upload")
            }
        case .upload:
            guard job.body != .none else {
                throw UsageError(argument: label(), "an upload needs a body; write body-file=FILE or body=TEXT")
            }
        case .data: break
        }
        let otherBody = job.options.first { $0.option.isBody }?.option
        guard otherBody == nil || job.kind == .data && job.body == .none else {
            throw UsageError(
                argument: label(),
                "\(otherBody?.rawValue ?? "") is the body of a request; write kind=data and no other body")
        }
        guard job.kind == .download || job.checksum == nil else {
            throw UsageError(argument: label(), "checksum belongs to downloads; remove it")
        }
        guard job.output != .standardOutput || !job.options.contains(.mirror) else {
            throw UsageError(
                argument: label(), "several places of a file are compared in a file; name one instead of out=-")
        }
    }

    private func apply(_ value: String, to job: inout Job, label: String) throws(UsageError) {
        switch self {
        case .out: job.output = try JobDestination.output(named: ValueParser.path(value, label: label), label: label)
        case .dir: job.directory = try ValueParser.path(value, label: label)
        case .header: job.headers.append(try ValueParser.header(value, label: label))
        case .checksum: job.checksum = try ValueParser.checksum(value, label: label)
        case .kind: try setKind(value, of: &job, label: label)
        case .method: job.method = try ValueParser.method(value, label: label)
        case .body, .bodyFile:
            if let other = Self.otherBody(than: nil, in: job) {
                throw UsageError(argument: label, "is a body, and \(other) another one; write one of them")
            }
            job.body = self == .body ? .text(value) : .file(path: try ValueParser.path(value, label: label))
        case .ifExists: job.ifExists = try ValueParser.choice(value, label: label)
        case .continues: job.continues = try ValueParser.flag(value, label: label)
        case .pause: job.startsPaused = try ValueParser.flag(value, label: label)
        case .tag:
            guard value.utf8.count <= 1_000 else { throw UsageError(argument: label, "is longer than 1000 bytes") }
            job.tag = value
        case .http2: job.usesHTTP2 = try ValueParser.flag(value, label: label)
        case .limitRate:
            let rates = job.rates
            job.rates = TaskRates(download: OwnRate(try Self.rate(value, label: label)), upload: rates?.upload)
        case .limitUpload:
            let rates = job.rates
            job.rates = TaskRates(download: rates?.download, upload: OwnRate(try Self.rate(value, label: label)))
        }
    }

    private static func rate(_ value: String, label: String) throws(UsageError) -> Int64? {
        do throws(RateSchedule.Problem) {
            return try RateSchedule.rate(value)
        } catch {
            throw UsageError(argument: label, "\"\(value)\" \(error.sentence)")
        }
    }

    private func setKind(_ value: String, of job: inout Job, label: String) throws(UsageError) {
        guard let kind = Job.Kind(rawValue: value.lowercased()) else {
            throw UsageError(argument: label, "\"\(value)\" is not one of data, upload, download")
        }
        job.kind = kind
    }
}
