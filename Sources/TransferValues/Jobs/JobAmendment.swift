import SessionSupport

/// Changes of several jobs at once, as a line names them: `user=me:secret; header=X-Key: 1; limit-rate=1M; dir=~/isos`.
///
/// Settings that the line does not name stay as they are in each job; a name without a value restores the default. It
/// contains the secrets of its line: it is for a process of the same user, not for a disk.
package struct JobAmendment: Sendable, Equatable, Codable {
    /// A setting of one name, and its text; nil for the default.
    private struct Setting: Sendable, Equatable, Codable {
        let name: String
        var text: String?
    }

    /// The names beside the ones of options and keys.
    private enum Field: String, CaseIterable {
        case header, dir
    }

    /// What becomes of a job.
    package enum Verdict: Sendable, Equatable {
        case changed(Job)
        /// It has these settings already.
        case isSame
        /// A setting makes no sense for its kind.
        case doesNotSuit(String, Set<Job.Kind>)
    }

    /// The options that the line sets.
    package private(set) var options: [JobOption.Value] = []
    private var removedOptions: [String] = []
    private var keys: [Setting] = []
    private var headers: [Setting] = []
    private var folder: Setting?

    /// Reads a line; settings without a value get the ones of `defaults`.
    package init(_ line: String, defaults: Job) throws(UsageError) {
        let fields = Set(Field.allCases.map(\.rawValue))
        for (index, piece) in OptionLine.pieces(of: line, knowing: fields).enumerated() {
            let part = OptionLine.Part(piece)
            if let option = JobOption.named(part.name) {
                try add(option, part)
            } else if let key = JobKey.named(part.name) {
                try add(key, part, defaults)
            } else if let field = Field(rawValue: part.name) {
                try add(field, part.text, defaults)
            } else {
                let isField = OptionLine.namesOfFields.contains(part.name)
                throw UsageError(
                    isField ? AmendmentErrors.oneTask(part.name) : OptionLine.unknown(part.name, at: index))
            }
        }
        guard !options.isEmpty || !removedOptions.isEmpty || !keys.isEmpty || !headers.isEmpty || folder != nil else {
            throw UsageError(AmendmentErrors.empty)
        }
    }

    /// The job with the changes, or why it stays as it is.
    package func verdict(on job: Job) -> Verdict {
        if let (name, kinds) = limits(on: job) { return .doesNotSuit(name, kinds) }
        let changed = applied(to: job)
        return changed == job ? .isSame : .changed(changed)
    }

    /// The same changes with their options and their folder as another process reads them.
    package func converted(
        option: (JobOption.Value) -> JobOption.Value, folder place: (String) -> String
    ) -> JobAmendment {
        var other = self
        other.options = options.map(option)
        other.folder?.text = folder?.text.map(place)
        return other
    }

    // MARK: - Applying

    /// The first setting that makes no sense for a job, and the kinds of tasks for which it does.
    private func limits(on job: Job) -> (String, Set<Job.Kind>)? {
        for name in options.map(\.option.name) + removedOptions {
            guard let kinds = JobOption.named(name)?.kinds, !kinds.contains(job.kind) else { continue }
            return (name, kinds)
        }
        for key in keys {
            guard let kinds = JobKey.named(key.name)?.kinds, !kinds.contains(job.kind) else { continue }
            return (key.name, kinds)
        }
        guard folder != nil, job.kind != .download || job.output == .standardOutput else { return nil }
        return (Field.dir.rawValue, [.download])
    }

    private func applied(to job: Job) -> Job {
        var job = displaced(job)
        job.options.removeAll { removedOptions.contains($0.option.name) }
        for name in options.map(\.option.name) {
            let values = options.filter { $0.option.name == name }
            guard job.options.filter({ $0.option.name == name }) != values else { continue }
            job.options.removeAll { $0.option.name == name }
            for value in values { job.options.set(value) }
        }
        for setting in keys {
            guard let key = JobKey.named(setting.name) else { continue }
            key.copy(Job(kind: .download, url: ""), &job)
            // The text was read when the line was.
            if let text = setting.text, let set = try? key.reading(text) { set(&job) }
        }
        for header in headers where job.headers[header.name] != header.text { job.headers[header.name] = header.text }
        if let folder { job.move(to: folder.text) }
        return job
    }

    /// The job without what the settings of the line displace, such as its token where the line names a user.
    private func displaced(_ job: Job) -> Job {
        let fields = headers.compactMap { header in
            header.text.map { RequestSetting.field(HeaderFields.Field(name: header.name, value: $0)) }
        }
        let given = options.map { RequestSetting.option($0) } + fields
        return job.without(job.settings) { far in given.contains { $0.displaces(far) && $0 != far } }
    }

    // MARK: - Reading

    private mutating func add(_ option: JobOption, _ part: OptionLine.Part) throws(UsageError) {
        guard option.memory != .ofTask, option.kinds != nil else {
            throw UsageError(AmendmentErrors.oneTask(part.name))
        }
        guard option.isSwitch || part.hasSign else { throw UsageError(OptionLineErrors.needsValue(part.name)) }
        guard option.isSwitch || !part.text.isEmpty, let value = try OptionLine.value(option, part.text, []) else {
            return removedOptions.append(option.name)
        }
        if !option.isRepeatable { options.removeAll { $0.option == option } }
        options.append(value)
    }

    private mutating func add(_ key: JobKey, _ part: OptionLine.Part, _ defaults: Job) throws(UsageError) {
        guard !key.namesTask else { throw UsageError(AmendmentErrors.oneTask(part.name)) }
        guard !part.text.isEmpty else {
            return keys.append(Setting(name: key.name, text: key.text(defaults)))
        }
        do throws(OptionProblem) {
            // A time from now on is the same moment for all tasks.
            var sample = Job(kind: .download, url: "")
            try key.reading(part.text)(&sample)
            keys.append(Setting(name: key.name, text: key.text(sample) ?? part.text))
        } catch {
            throw UsageError(OptionLineErrors.problem(part.name, error.sentence))
        }
    }

    private mutating func add(_ field: Field, _ text: String, _ defaults: Job) throws(UsageError) {
        switch field {
        case .header: try addHeader(text)
        case .dir:
            guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
                throw UsageError(OptionLineErrors.problem(field.rawValue, OptionUsage.controlCharacter))
            }
            folder = Setting(name: field.rawValue, text: text.isEmpty ? defaults.directory : text)
        }
    }

    /// A field line replaces the ones of its name; without a value it removes them.
    private mutating func addHeader(_ text: String) throws(UsageError) {
        guard let colon = text.firstIndex(of: ":") else { throw UsageError(AmendmentErrors.header) }
        let name = ByteText.trimmed(text[..<colon])
        let value = ByteText.trimmed(text[text.index(after: colon)...])
        guard !name.isEmpty, name.utf8.allSatisfy(ByteText.isToken),
            value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
        else { throw UsageError(AmendmentErrors.header) }
        guard value != Redaction.mask else { throw UsageError(OptionLineErrors.hidden(name)) }
        headers.append(Setting(name: name, text: value.isEmpty ? nil : value))
    }
}

extension JobOption {
    /// The kinds of tasks that may have it; nil for an option of one task alone.
    fileprivate var kinds: Set<Job.Kind>? {
        switch subject {
        case .requests: [.download, .upload, .data]
        case .downloads: [.download]
        case .uploads: [.upload]
        case .body, .answers: nil
        }
    }
}

extension Job {
    /// Changes the folder of a download; its own name stays.
    fileprivate mutating func move(to folder: String?) {
        directory = folder
        guard case .name(let name) = output, name.hasPrefix("/") || name.hasPrefix("~") else { return }
        let last = name.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        output = last.isEmpty ? .automatic : .name(String(last))
    }
}
