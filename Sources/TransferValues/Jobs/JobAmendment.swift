import SessionSupport

/// Changes of several jobs at once, as a line names them: `user=me:secret; header=X-Key: 1; limit-rate=1M; dir=~/isos`.
///
/// Settings that the line does not name stay as they are in each job; a name without a value removes the setting.
package struct JobAmendment: Sendable {
    private typealias Change = @Sendable (inout Job) -> Void

    /// The names beside the ones of options and keys.
    private enum Field: String, CaseIterable {
        case header, dir
    }

    private var changes: [Change] = []
    /// The options that the line sets.
    package private(set) var options: [JobOption.Value] = []

    /// Reads a line; settings that it removes get the ones of `defaults`.
    package init(_ line: String, defaults: Job) throws(UsageError) {
        let fields = Set(Field.allCases.map(\.rawValue))
        for piece in OptionLine.pieces(of: line, knowing: fields) {
            let part = OptionLine.Part(piece)
            if let option = JobOption.named(part.name) {
                try add(option, part)
            } else if let key = JobKey.named(part.name) {
                try add(key, part, defaults)
            } else if let field = Field(rawValue: part.name) {
                try add(field, part.text, defaults)
            } else {
                throw UsageError(OptionLineErrors.unknown(part.name))
            }
        }
        guard !changes.isEmpty else { throw UsageError(AmendmentErrors.empty) }
    }

    /// The job with the changes; options that its kind cannot have are left out.
    package func applied(to job: Job) -> Job {
        changes.reduce(into: job) { $1(&$0) }
    }

    private mutating func add(_ option: JobOption, _ part: OptionLine.Part) throws(UsageError) {
        guard option.memory != .ofTask, let kinds = Self.kinds(of: option.subject) else {
            throw UsageError(AmendmentErrors.oneTask(part.name))
        }
        guard option.isSwitch || part.hasSign else { throw UsageError(OptionLineErrors.needsValue(part.name)) }
        let isRemoval = !option.isSwitch && part.text.isEmpty
        guard !isRemoval, let value = try OptionLine.value(option, part.text, []) else {
            changes.append { job in
                if kinds.contains(job.kind) { job.options.removeAll { $0.option == option } }
            }
            return
        }
        options.append(value)
        changes.append { job in
            if kinds.contains(job.kind), !job.options.contains(value) { job.options.set(value) }
        }
    }

    /// The kinds of tasks that may have an option; nil for an option of one task alone.
    private static func kinds(of subject: JobOption.Subject) -> Set<Job.Kind>? {
        switch subject {
        case .requests: [.download, .upload, .data]
        case .downloads: [.download]
        case .uploads: [.upload]
        case .body, .answers: nil
        }
    }

    private mutating func add(_ key: JobKey, _ part: OptionLine.Part, _ defaults: Job) throws(UsageError) {
        guard !key.namesTask else { throw UsageError(AmendmentErrors.oneTask(part.name)) }
        guard !part.text.isEmpty else {
            changes.append { key.copy(defaults, &$0) }
            return
        }
        do throws(OptionProblem) {
            changes.append(try key.reading(part.text))
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
            let folder = text.isEmpty ? defaults.directory : text
            changes.append { $0.move(to: folder) }
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
        changes.append { $0.headers[name] = value.isEmpty ? nil : value }
    }
}

extension Job {
    /// Changes the folder of a download; its own name stays.
    fileprivate mutating func move(to folder: String?) {
        guard kind == .download, output != .standardOutput else { return }
        directory = folder
        guard case .name(let name) = output, name.hasPrefix("/") || name.hasPrefix("~") else { return }
        let last = name.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        output = last.isEmpty ? .automatic : .name(String(last))
    }
}
