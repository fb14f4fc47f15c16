import Dashboard
import TransferService

/// An option that is set outside of the command line.
struct OptionSetting: Sendable, Equatable {
    var option: CommandLineOption
    /// The option's value; empty for an option without one.
    var value: String
    /// The position for messages, such as `/home/me/.config/netdash/config:3: fps`.
    var label: String

    /// Whether it is a switch that is off.
    var isOff: Bool { option.valueName == nil && value == CommandLineOption.off }

    /// Whether it says that a switch is off.
    func turnsOff(_ other: CommandLineOption) -> Bool { isOff && option == other }

    /// What it says about requests; nil for another setting.
    var request: RequestSetting? {
        if let job = option.job { return .option(JobOption.Value(job, value)) }
        guard option == .header, let header = try? HeaderArgument(value, label: label) else { return nil }
        switch header {
        case .field(let field): return .field(field)
        case .withheld(let value): return .option(value)
        }
    }

    /// Whether it leaves nothing of a setting of a farther place, where repeatable ones add up.
    func displaces(_ other: OptionSetting) -> Bool {
        if let request, let farther = other.request { return request.displaces(farther) }
        if isOff { return turnsOff(other.option) }
        return !option.isRepeatable && option.subject == other.option.subject
    }

    /// Whether it takes the place of a setting of a farther place, also of a repeatable one; fields have their names.
    func replaces(_ other: OptionSetting) -> Bool {
        if let request, let farther = other.request { return request.replaces(farther) }
        if isOff { return turnsOff(other.option) }
        return option != .header && option.subject == other.option.subject
    }

    /// Whether it names a command of the user.
    var runsCommand: Bool { option.isHook || option.job.map { JobOption.Value($0, value).command != nil } == true }
}

/// The values of the options, each checked when it is parsed.
struct OptionValues: Sendable {
    var settings = Settings()
    var output = Invocation.Output.automatic
    /// `--help`, `--version` or `--help-keys`: the first one decides.
    var special: Invocation.Action?
    var inputLists: [ListOperand] = []
    var linkChoice = LinkChoice()
    /// The profile of the configuration that the run takes; nil for none.
    var profile: String?
    /// Whether `parts` removes what it lists.
    var removesParts = false
    var out: String?
    var method: String?
    var body: Job.Body?
    /// Whether patterns in URLs expand to several.
    var expandsGlobs = true
    /// The options of the command line in the user's spelling, without the configuration file's.
    var spellings: [CommandLineOption: String] = [:]
    /// The default terms of this run's downloads.
    var jobDefaults = Job(kind: .download, url: "")
    /// What the configuration says of them.
    var usual = Job(kind: .download, url: "")

    mutating func apply(_ settings: [OptionSetting]) throws(UsageError) {
        for setting in settings { try apply(setting.option, value: setting.value, spelling: setting.label) }
    }

    mutating func apply(_ option: CommandLineOption, value: String, spelling: String) throws(UsageError) {
        try option.apply(&self, value, spelling)
    }

    // MARK: - Decisions of several options

    /// Sets a request option, for the run or for the jobs beside it.
    mutating func set(_ value: JobOption.Value) {
        switch value.option.reach {
        case .run: settings.options.set(value)
        case .request, .server: jobDefaults.options.set(value)
        }
    }

    mutating func setOutput(_ path: String, label: String) throws(UsageError) {
        guard out == nil else { throw UsageError(argument: label, CommandLineUsage.givenTwice) }
        out = path
    }

    mutating func choose(_ chosen: Invocation.Output, label: String) throws(UsageError) {
        guard output == .automatic || output == chosen else {
            throw UsageError(argument: label, CommandLineUsage.excludes(chosen == .json ? "--plain" : "--json"))
        }
        try checkQuiet(isQuiet: settings.isQuiet, output: chosen, label: label)
        output = chosen
    }

    mutating func choose(_ chosen: SessionChoice, label: String) throws(UsageError) {
        guard settings.session == .automatic || settings.session == chosen else {
            throw UsageError(argument: label, CommandLineUsage.twoSessions)
        }
        settings.session = chosen
    }

    mutating func beQuiet(label: String) throws(UsageError) {
        try checkQuiet(isQuiet: true, output: output, label: label)
        settings.isQuiet = true
    }

    private func checkQuiet(isQuiet: Bool, output: Invocation.Output, label: String) throws(UsageError) {
        guard isQuiet, output == .json else { return }
        throw UsageError(argument: label, CommandLineUsage.jsonAndQuiet)
    }
}
