import Dashboard
import SessionSupport

/// A key for the lines below a URL in an input list: its name, its text in the manual page, and its effect.
///
/// Beside the keys of ``ofJobs`` every request option is a key, under its name on the command line.
struct ListKey: Sendable {
    /// Applies the value to a job; `label` is the position for messages.
    typealias Action = @Sendable (_ job: inout Job, _ value: String, _ label: String) throws(UsageError) -> Void

    let name: String
    /// The word for its value in the manual page.
    let valueName: String
    /// One sentence of the manual page, without its full stop.
    let summary: String
    /// Its names in aria2's lists, where the value means the same.
    let ariaNames: [String]
    let apply: Action

    init(
        _ name: String, _ valueName: String, _ summary: String, aria: [String] = [], apply: @escaping Action
    ) {
        (self.name, self.valueName, self.summary, ariaNames) = (name, valueName, summary, aria)
        self.apply = apply
    }

    /// A key that the form's line has too.
    init(_ key: JobKey) {
        self.init(key.name, key.valueName, key.summary, aria: key.ariaNames) { (job, text, label) throws(UsageError) in
            do throws(OptionProblem) {
                try key.reading(text)(&job)
            } catch {
                throw UsageError(argument: label, error.sentence)
            }
        }
    }

    init(_ option: JobOption) {
        self.init(option.name, option.valueName ?? "yes|no", option.summary, aria: option.ariaNames) {
            (job, text, label) throws(UsageError) in
            if option.isSwitch, try !ValueParser.flag(text, label: label) {
                return job.options.set(option.value(isOn: false))
            }
            if option.isBody, let other = Self.otherBody(than: option, in: job) {
                throw UsageError(argument: label, ListUsage.excludes(other))
            }
            // Only the lines of one URL have options about its response.
            let rival = job.options.first { $0.option.matter == option.matter && $0.option != option }?.option
            if option.subject == .answers, let rival {
                throw UsageError(argument: label, ListUsage.excludes(rival.name))
            }
            do throws(OptionProblem) {
                job.options.set(try JobOption.Value(checking: option, option.isSwitch ? "" : text))
            } catch {
                throw UsageError(argument: label, error.sentence)
            }
        }
    }
}

extension ListKey {
    /// The keys of the job itself.
    static var ofJobs: [ListKey] {
        [
            ListKey(
                "out", "NAME",
                "file name, or path from the download folder; - for standard output, never resumed"
            ) { (job, text, label) throws(UsageError) in
                job.output = try JobDestination.output(named: ValueParser.path(text, label: label), label: label)
            },
            ListKey(
                "dir", "DIR", "download folder, created if missing (--dir, else the current folder)"
            ) {
                (job, text, label) throws(UsageError) in
                job.directory = try ValueParser.path(text, label: label)
            },
            ListKey(
                "header", "Name: value",
                "request header, repeatable, in place of --header's of that name; Name: sends none, Name; an empty one"
            ) {
                (job, text, label) throws(UsageError) in
                try HeaderArgument(text, label: label).set(on: &job)
            },
            ListKey("checksum", "ALGO=HEX", "expected sha-256, sha-512, sha-1 or md5 of a download") {
                (job, text, label) throws(UsageError) in
                job.checksum = try ValueParser.checksum(text, label: label)
            },
            ListKey(
                "kind", words(of: Job.Kind.self),
                "data for a request, upload or download (download)"
            ) { (job, text, label) throws(UsageError) in
                job.kind = try ValueParser.choice(text, label: label)
            },
            ListKey("method", "METHOD", "method of a request or an upload (GET, POST with a body; PUT)") {
                (job, text, label) throws(UsageError) in
                job.method = try ValueParser.method(text, label: label)
            },
            ListKey(
                "body", "TEXT",
                "body of a request or an upload, sent as form or JSON unless a header names its type"
            ) { (job, text, label) throws(UsageError) in try setBody(.text(text), of: &job, label: label) },
            ListKey("body-file", "FILE", "file with the body; an upload needs body-file or body") {
                (job, text, label) throws(UsageError) in
                try setBody(.file(path: ValueParser.path(text, label: label)), of: &job, label: label)
            },
            ListKey("continue", "yes|no", "resume a matching partial file (yes)") {
                (job, text, label) throws(UsageError) in
                job.continues = try ValueParser.flag(text, label: label)
            },
            ListKey("pause", "yes|no", "add the task paused (no)") {
                (job, text, label) throws(UsageError) in
                job.startsPaused = try ValueParser.flag(text, label: label)
            },
        ] + JobKey.allCases.map { ListKey($0) }
    }

    /// All keys, in the order of the manual page.
    static var allCases: [ListKey] { ofJobs + JobOption.allCases.map { ListKey($0) } }

    private static let byName = Dictionary(
        uniqueKeysWithValues: (ofJobs + JobOption.table.map { ListKey($0) }).map { ($0.name, $0) })

    static func named(_ name: String) -> ListKey? {
        byName[name] ?? JobOption.added.first { $0.name == name }.map { ListKey($0) }
    }

    private static func words<Choice: RawRepresentable & CaseIterable>(of choices: Choice.Type) -> String
    where Choice.RawValue == String {
        choices.allCases.map(\.rawValue).joined(separator: "|")
    }

    private static func setBody(_ body: Job.Body, of job: inout Job, label: String) throws(UsageError) {
        if let other = otherBody(than: nil, in: job) {
            throw UsageError(argument: label, ListUsage.excludes(other))
        }
        job.body = body
    }

    /// The key of a job's existing body that conflicts with a new one; nil without a conflict.
    ///
    /// The defaults of a list have no body, so it comes from the same URL's lines.
    private static func otherBody(than option: JobOption?, in job: Job) -> String? {
        switch job.body {
        case .none: break
        case .file, .formFile: return "body-file"
        case .text, .standardInput: return "body"
        }
        let joins = option?.isFormPart == true
        return job.bodyOptions.first { ($0 != option || !$0.isRepeatable) && !(joins && $0.isFormPart) }?.name
    }
}

extension ListKey {
    /// A key with its value, which keeps the blanks that are its own.
    struct Setting: Sendable, Equatable {
        let key: String
        /// Nil for a line without an equals sign.
        let value: String?

        init(_ key: String, _ value: String) { (self.key, self.value) = (key, value) }

        /// Reads a line, `key=value`, in which blanks around both have no meaning.
        init(line: String) {
            let key = line.prefix { $0 != "=" }
            self.key = ByteText.trimmed(key)
            value = key.endIndex == line.endIndex ? nil : ByteText.trimmed(line[line.index(after: key.endIndex)...])
        }
    }

    /// Applies one line, `key=value`, to a job.
    static func apply(_ line: String, to job: inout Job, label: String) throws(UsageError) {
        try apply(Setting(line: line), to: &job, label: label)
    }

    static func apply(
        _ setting: Setting, to job: inout Job, from source: ListSource = .user, label: String
    ) throws(UsageError) {
        let name = setting.key
        guard let value = setting.value else { throw UsageError(argument: label, ListUsage.notKey(name)) }
        guard let key = named(name) else {
            throw UsageError(argument: label, unknown(name))
        }
        try source.check(key, value, label: label)
        try key.apply(&job, value, "\(label): \(name)")
    }

    /// Why a key means nothing: with the nearest one, since all of them fill a screen.
    static func unknown(_ name: String) -> String {
        let hint = Suggestion.nearest(to: name, among: allCases.map(\.name)).map { CommandLineUsage.didYouMean($0) }
        return ListUsage.unknownKey(name, hint: hint ?? ListUsage.seeKeys)
    }

    /// Checks that a job's options fit its kind; keys may come in any order, so this runs after the last.
    static func check(_ job: Job, label: @autoclosure () -> String) throws(UsageError) {
        switch job.kind {
        case .download:
            guard job.method == nil, job.body == .none else {
                throw UsageError(argument: label(), ListUsage.bodyOfDownload)
            }
        case .upload:
            guard job.body != .none else {
                throw UsageError(argument: label(), ListUsage.uploadNeedsBody)
            }
        case .data: break
        }
        let otherBody = job.options.first { $0.option.isBody }?.option
        guard otherBody == nil || job.kind == .data && job.body == .none else {
            throw UsageError(
                argument: label(),
                ListUsage.bodyOfRequest(otherBody?.name ?? ""))
        }
        if let problem = job.answerProblem { throw UsageError(argument: label(), problem.sentence) }
        guard job.kind == .download || job.checksum == nil else {
            throw UsageError(argument: label(), ListUsage.checksumOfRequest)
        }
        guard job.output != .standardOutput || !job.options.contains(.mirror) else {
            throw UsageError(argument: label(), ListUsage.mirrorsWithoutFile)
        }
    }
}
