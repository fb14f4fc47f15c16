import SessionSupport

/// A keyword for one setting of a job beside its request options: its name, its text in the manual, how it is read and
/// written.
///
/// Input lists, aria2's lists and the line of the add form read the records of ``allCases``. Settings with their own
/// field in the form are not among them: name, folder, headers, method, body, checksum, kind, continue, pause.
package struct JobKey: Sendable {
    package let name: String
    /// The word for its value in the manual page.
    package let valueName: String
    /// One sentence of the manual page, without its full stop.
    package let summary: String
    /// Its names in aria2's lists, where the value means the same.
    package let ariaNames: [String]
    /// The kinds of tasks that may have it.
    let kinds: Set<Job.Kind>
    /// Applies a parsed value to a job.
    package typealias Setter = @Sendable (inout Job) -> Void

    package let reading: @Sendable (String) throws(OptionProblem) -> Setter
    /// The setting of a job as text.
    let text: @Sendable (Job) -> String?
    /// Copies the setting from one job to another.
    let copy: @Sendable (Job, inout Job) -> Void

    /// - Parameter adding: combines the values of a repeated key; without it the last one counts.
    private init<Value: Sendable>(
        _ name: String, _ kind: OptionKind<Value>, _ summary: String, aria: [String] = [],
        of kinds: Set<Job.Kind> = Set(Job.Kind.allCases),
        _ value: any WritableKeyPath<Job, Value> & Sendable,
        adding: (@Sendable (Value, Value) -> Value)? = nil, text: @escaping @Sendable (Value) -> String?
    ) {
        (self.name, self.summary, ariaNames, self.kinds) = (name, summary, aria, kinds)
        valueName = kind.style.valueName ?? ""
        reading = { written throws(OptionProblem) in
            let read = try kind.parse(written)
            return { $0[keyPath: value] = adding?($0[keyPath: value], read) ?? read }
        }
        self.text = { text($0[keyPath: value]) }
        copy = { $1[keyPath: value] = $0[keyPath: value] }
    }

    package static let allCases: [JobKey] = [
        JobKey(
            "if-exists", .choice, "what to do if the file exists (as --if-exists)", of: [.download], \.ifExists
        ) { $0.rawValue },
        JobKey(
            "http2", .yesOrNo, "whether a download or an upload may use HTTP/2 (no)", of: [.download, .upload],
            \.usesHTTP2
        ) { $0 ? "yes" : "no" },
        JobKey("tag", .mark, "your own mark, included in every event of --json", \.tag) { $0 },
        JobKey("id", .taskName, "name of the task for after= of others", \.taskName) { $0 },
        JobKey(
            "after", .taskNames,
            "tasks that must be completed before this one begins; if one fails, this one fails too; repeatable",
            \.predecessors, adding: +
        ) { $0.isEmpty ? nil : $0.joined(separator: ",") },
        JobKey("priority", .priority, "which waiting task starts first (as --priority)", \.priority) { $0.word },
        JobKey(
            "start-at", .start, "when it may start: 22:00, +2h30m or 2026-11-28 22:00 (at once)", \.start
        ) { $0.map { HoursText.text(ofStart: $0) } },
        JobKey(
            "only", .hours, "the hours in which it runs, such as 22:00-06:00; it waits and pauses outside (all)",
            \.spans
        ) { $0.isEmpty ? nil : HoursText.text(of: $0) },
        JobKey(
            "limit-rate", .rate,
            "download speed limit of this task, such as 512k, 2M or off (as --limit-rate-per-task)",
            aria: ["max-download-limit"], \.downloadRate
        ) { $0.map { RateSchedule.words(of: $0.rate) } },
        JobKey(
            "limit-upload", .rate, "upload speed limit of this task", aria: ["max-upload-limit"], \.uploadRate
        ) { $0.map { RateSchedule.words(of: $0.rate) } },
    ]

    /// Whether its value belongs to one task alone.
    var namesTask: Bool { name == "id" }

    package static func named(_ name: String) -> JobKey? { allCases.first { $0.name == name } }

    /// The settings in which a job differs from another one, as text.
    package static func said(by job: Job, beside other: Job) -> [(name: String, text: String)] {
        allCases.compactMap { key in
            guard let text = key.text(job), text != key.text(other) else { return nil }
            return (key.name, text)
        }
    }
}

extension Job {
    fileprivate var downloadRate: OwnRate? {
        get { rates?.download }
        set { setRates(download: newValue, upload: rates?.upload) }
    }
    fileprivate var uploadRate: OwnRate? {
        get { rates?.upload }
        set { setRates(download: rates?.download, upload: newValue) }
    }

    private mutating func setRates(download: OwnRate?, upload: OwnRate?) {
        rates = download == nil && upload == nil ? nil : TaskRates(download: download, upload: upload)
    }
}

extension Job {
    /// Seconds since 1970 before which it does not begin.
    package var start: Int64? {
        get { hours?.start }
        set { hours = TransferHours(start: newValue, spans: spans) }
    }
    package var spans: [TransferHours.Span] {
        get { hours?.spans ?? [] }
        set { hours = TransferHours(start: start, spans: newValue) }
    }
}

extension OptionKind where Value == Bool {
    package static var yesOrNo: Self {
        OptionKind(OptionStyle("yes|no")) { text throws(OptionProblem) in
            switch text.lowercased() {
            case "true", "yes", "on", "1": return true
            case "false", "no", "off", "0": return false
            default: throw OptionProblem(OptionUsage.notYesOrNo(text))
            }
        }
    }
}

extension OptionKind where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
    /// One of the words of an enumeration.
    package static var choice: Self {
        let words = Value.allCases.map(\.rawValue)
        return OptionKind(OptionStyle(words.joined(separator: "|"))) { text throws(OptionProblem) in
            guard let choice = Value(rawValue: text.lowercased()) else {
                throw OptionProblem(OptionUsage.notOneOf(text, words.joined(separator: ", ")))
            }
            return choice
        }
    }
}

extension OptionKind where Value == String? {
    /// The user's own tag.
    fileprivate static var mark: Self {
        OptionKind(OptionStyle("TEXT")) { text throws(OptionProblem) in
            guard text.utf8.count <= 1_000 else { throw OptionProblem(OptionUsage.markTooLong) }
            return text
        }
    }
}

extension OptionKind where Value == OwnRate? {
    /// Bytes per second, or no limit.
    fileprivate static var rate: Self {
        OptionKind(OptionStyle("SIZE")) { text throws(OptionProblem) in
            do throws(RateSchedule.Problem) {
                return OwnRate(try RateSchedule.rate(text))
            } catch {
                throw OptionProblem(OptionUsage.rate(text, problem: error.sentence))
            }
        }
    }
}
