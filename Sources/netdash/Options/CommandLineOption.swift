import Dashboard

/// One option of the program with everything that any part of the program knows of it.
///
/// The parser, the help, the completions, the manual page, the configuration file and the hint for a mistyped name read
/// the records of ``allCases``; a new option is one record in a table. An option without a record is unknown, never
/// silently accepted.
struct CommandLineOption: Sendable {
    /// The runs that may set it.
    enum Reach: Sendable, Equatable {
        /// Every run, also by the configuration file.
        case settings
        /// Only the run that names it.
        case run
        /// Only the run that names it, which answers a question about the program whatever the other arguments are.
        case question
    }

    /// Sets the checked value; `label` is the position for messages.
    typealias Action =
        @Sendable (
            _ values: inout OptionValues, _ text: String, _ label: String
        ) throws(UsageError) -> Void

    /// The long spelling, without dashes.
    let longName: String
    let shortName: Character?
    /// The word for its value in the help; nil for an option without one.
    let valueName: String?
    /// One line of the help.
    let summary: String
    /// The commands that accept the option.
    ///
    /// The others refuse it, except `help`, which ignores all other arguments.
    private(set) var commands: Set<ProgramCommand>
    let reach: Reach
    /// What a shell can complete for its value.
    let hint: ValueHint
    /// Whether it may be repeated.
    let isRepeatable: Bool
    /// Whether its value is a command that runs at an event.
    let isHook: Bool
    /// Whether the next argument is its value, where it may be without one; nil for an option that needs one.
    let takes: (@Sendable (String) -> Bool)?
    /// The option that "no" selects; nil where "no" undoes a "yes" of a farther place.
    let opposite: String?
    /// The subject that the option decides, named by one of its options: only one of them may be set.
    let subject: String
    /// The underlying request option, which lists and the add form know too.
    let job: JobOption?
    /// Parses the value and sets it.
    let apply: Action

    /// An option with a value, which is parsed once by its kind.
    init<Value>(
        _ longName: String, _ value: OptionValue<Value>, _ summary: String, letter: Character? = nil,
        for commands: Set<ProgramCommand>, reach: Reach = .settings, isRepeatable: Bool = false, isHook: Bool = false,
        subject: String? = nil, takes: (@Sendable (String) -> Bool)? = nil,
        set: @escaping @Sendable (inout OptionValues, Value, String) throws(UsageError) -> Void
    ) {
        (self.longName, shortName, valueName, self.summary) = (longName, letter, value.name, summary)
        (self.commands, self.reach, hint) = (commands, reach, value.hint)
        (self.isRepeatable, self.isHook, opposite, job) = (isRepeatable, isHook, nil, nil)
        (self.subject, self.takes) = (subject ?? longName, takes)
        let parse = value.parse
        apply = { (values, text, label) throws(UsageError) in try set(&values, try parse(text, label), label) }
    }

    /// An option without a value.
    init(
        _ longName: String, _ summary: String, letter: Character? = nil, for commands: Set<ProgramCommand>,
        reach: Reach = .settings, opposite: String? = nil, subject: String? = nil,
        set: @escaping @Sendable (inout OptionValues, String) throws(UsageError) -> Void
    ) {
        (self.longName, shortName, valueName, self.summary) = (longName, letter, nil, summary)
        (self.commands, self.reach, hint) = (commands, reach, .none)
        (isRepeatable, isHook, self.opposite, job) = (false, false, opposite, nil)
        (self.subject, takes) = (subject ?? longName, nil)
        apply = { (values, text, label) throws(UsageError) in if text != Self.off { try set(&values, label) } }
    }

    /// A request option.
    init(_ option: JobOption) {
        (longName, shortName, valueName) = (option.name, option.letter, option.valueName)
        (summary, isRepeatable, isHook) = (option.summary, option.isRepeatable, false)
        commands =
            switch option.subject {
            case .requests: .requests
            case .downloads: [.download]
            case .uploads: [.download, .upload]
            case .body, .answers: [.request]
            }
        if option.reach == .run { commands.insert(.serve) }
        reach = option.memory == .kept ? .settings : .run
        hint =
            switch option.operand {
            case .none, .text: .none
            case .file: .file
            case .folder: .folder
            case .fileBehindAt: .fileBehindAt
            }
        (opposite, subject, job, takes) = (option.opposite, option.matter, option, nil)
        apply = { (values, text, label) throws(UsageError) in
            do throws(OptionProblem) {
                values.set(try JobOption.Value(checking: option, text))
            } catch {
                throw UsageError(argument: label, error.sentence)
            }
        }
    }
}

extension CommandLineOption: Hashable {
    static func == (left: CommandLineOption, right: CommandLineOption) -> Bool { left.longName == right.longName }
    func hash(into hasher: inout Hasher) { hasher.combine(longName) }
}

extension CommandLineOption {
    /// All options, in the order of the help: downloads and uploads, request options, and the rest.
    static var allCases: [CommandLineOption] { table + JobOption.added.map { CommandLineOption($0) } }

    private static let table: [CommandLineOption] =
        (ofTransfers + JobOption.table.map { CommandLineOption($0) }).map { $0.also(.add) }
        + ofLimits.map { $0.also(.serve) } + ofSessions + ofRPC + ofOutput + ofDashboard

    /// The option with a command that takes what downloads take.
    private func also(_ command: ProgramCommand) -> CommandLineOption {
        var result = self
        let command = Self.ofServices.contains(longName) ? .serve : command
        if commands.contains(.download), !Self.ofOneRun.contains(longName) { result.commands.insert(command) }
        return result
    }

    /// The options that a service decides for all tasks, not a task that is added to it.
    private static let ofServices: Set<String> = ["max-concurrent", "max-per-host", "checksums", "archive"]

    /// The options about the run itself, which a service does not have.
    private static let ofOneRun: Set<String> = ["dry-run"]

    private static let byName = Dictionary(uniqueKeysWithValues: table.map { ($0.longName, $0) })

    static func named(_ name: String) -> CommandLineOption? {
        byName[name] ?? JobOption.added.first { $0.name == name }.map { CommandLineOption($0) }
    }

    static func named(_ letter: Character) -> CommandLineOption? { allCases.first { $0.shortName == letter } }

    static func job(_ option: JobOption) -> CommandLineOption { record(option.name) }

    /// The option of a name that is written in the code.
    static func record(_ name: String) -> CommandLineOption {
        guard let option = named(name) else { preconditionFailure("no table has the option \(name)") }
        return option
    }

    /// The long name with its dashes.
    var spelling: String { "--" + longName }

    /// The short spelling comes first.
    var spellings: [String] { [shortName.map { "-\($0)" }, spelling].compactMap(\.self) }

    /// Whether the configuration file may set it for every run.
    var isSetting: Bool { reach == .settings }

    /// Whether it asks about the program, which is answered whatever the other arguments are.
    var isQuestion: Bool { reach == .question }

    /// Whether it applies to every download of a run, also to the ones that a response names.
    var isOfEachDownload: Bool {
        guard let job else { return ["continue", "no-continue", "if-exists", "checksums"].contains(longName) }
        return job.subject == .downloads && job != .mirror && job != .length
    }

    /// Whether `serve --watch` gives it to the tasks of dropped files, as `download` gives it to a list's.
    ///
    /// A window gives no service such options: they are for its own tasks.
    var isOfDroppedFiles: Bool {
        guard !commands.contains(.serve) else { return false }
        guard let job else {
            return ["priority", "start-at", "only", "continue", "no-continue", "if-exists", "header"].contains(longName)
        }
        return job.subject == .requests || isOfEachDownload
    }

    /// Whether a command takes it.
    func isTaken(by command: ProgramCommand) -> Bool {
        commands.contains(command) || command == .serve && isOfDroppedFiles
    }

    /// Whether it makes the output JSON; curl has its name for a JSON body.
    var isJSONOutput: Bool { longName == "json" }

    var isPath: Bool { hint == .file || hint == .folder }

    /// Whether an argument that follows it is its value.
    func isValue(_ argument: String?) -> Bool { takes.map { takes in argument.map(takes) ?? false } ?? true }

    private static let namesOfURLs: Set<String> = [
        "proxy", "http-proxy", "https-proxy", "doh-url", "mirror", "referer", "input", "body", "json-body", "form",
        "data-urlencode",
        "rpc-allow-origin",
    ]

    var takesURLs: Bool { Self.namesOfURLs.contains(longName) }

    /// Whether it is a complete body, of which a request has one.
    var isSingleBody: Bool { self == .body || job?.isBody == true && !isRepeatable }

    /// The options that contradict it on one command line.
    var rivals: [CommandLineOption] {
        guard let job else { return [] }
        return JobOption.allCases.filter { $0.matter == job.matter && $0 != job }.map { .job($0) }
    }

    /// The option for "yes" or "no", and its text.
    func chosen(_ isOn: Bool) -> (option: CommandLineOption, text: String) {
        if !isOn, let opposite = opposite.flatMap({ Self.named($0) }) { return (opposite, "") }
        return (self, isOn ? "" : Self.off)
    }

    /// The text of a switch that is off.
    static let off = "no"
}

extension Set<ProgramCommand> {
    /// The commands that transfer something.
    static let transfers: Self = [.download, .upload, .request, .demo]
    /// The commands that need a session.
    static let sessions: Self = Set(ProgramCommand.allCases.filter(\.isForService) + [.download, .upload, .request])
    /// The commands with events worth a log and hooks.
    static let runs: Self = transfers.union([.serve])
    /// The commands that send requests to the user's servers.
    static let requests: Self = [.download, .upload, .request, .doctor]
}
