import Dashboard
import SessionSupport
import TransferService

/// Parses the program's arguments without side effects: it opens no file and reads no clock, and lists only the folders
/// that an upload names.
enum CommandLine {
    /// Parses the arguments without the program's name.
    ///
    /// The configuration is read only when it matters: help works with any configuration.
    ///
    /// - Parameters:
    ///   - ariaFile: reads the file that a command line of aria2c names, or without a name the one that aria2c reads
    ///     by itself.
    ///   - home: the user's home, which a path of aria2c's may name.
    static func parse(
        _ arguments: [String],
        configuration: () throws(UsageError) -> Configuration = { () throws(UsageError) in Configuration() },
        ariaFile: (String?) throws(UsageError) -> String = { (_) throws(UsageError) in "" },
        home: String? = nil
    ) -> Result<Invocation, UsageError> {
        do throws(UsageError) {
            if arguments.first == ProgramCommand.aria2c.rawValue, arguments.count > 1,
                arguments != ["aria2c", "--help"]
            {
                return .success(try invocation(ofAria: Array(arguments.dropFirst()), home, ariaFile, configuration))
            }
            let items = try CommandLineScanner.scan(arguments)
            let operands = items.compactMap(\.operand)
            let command = operands.first.flatMap { ProgramCommand(rawValue: $0) }
            let alone = try options(of: items, over: [])
            let isQuestion =
                command == .help || command == .completions || command == .parts
                || (alone.special != nil && alone.special != .helpKeys)
            // The doctor reports problems of the configuration itself.
            let found =
                isQuestion
                ? Configuration() : command == .doctor ? (try? configuration()) ?? Configuration() : try configuration()
            let settings = isQuestion ? found : try found.with(profile: alone.profile)
            // The demo saves nothing, whatever session the configuration names.
            let ofDemo = OptionSetting(option: .session, value: "", label: "demo")
            let given = items.compactMap(\.setting) + (command == .demo ? [ofDemo] : [])
            let usual = settings.settings(beside: given)
            let options = try options(of: items, over: usual)
            var invocation = try invocation(of: command, operands: operands, options: options)
            if !settings.hosts.isEmpty || usual.contains(where: { $0.request != nil }) {
                invocation.hostRules = try hostRules(settings.hosts, usual, given)
            }
            try give(options.settings.options, to: &invocation, beside: found)
            invocation.settings.watch?.rules = invocation.hostRules
            invocation.jobs = invocation.hostRules.applied(to: invocation.jobs)
            invocation.changedKeys = settings.changedKeys
            invocation.settings.serviceArguments = items.filter { !$0.isOfRequests }.compactMap(\.serviceArgument)
            if command == .serve { invocation.settings.serviceArguments += items.compactMap(\.watchArgument) }
            invocation.settings.requestArguments = items.filter(\.isOfRequests).compactMap(\.serviceArgument)
            invocation.settings.layout = settings.layout
            invocation.configurationWarning = settings.warning
            return .success(invocation)
        } catch {
            return .failure(error)
        }
    }

    /// A command line of aria2c, with its interface instead of a run where it asks for that.
    private static func invocation(
        ofAria arguments: [String], _ home: String?, _ file: (String?) throws(UsageError) -> String,
        _ configuration: () throws(UsageError) -> Configuration
    ) throws(UsageError) -> Invocation {
        let command = try AriaCommandLine.read(arguments, home: home, contents: file)
        if let question = command.question {
            return try parse(question == "help" ? ["help", ProgramCommand.aria2c.rawValue] : ["--" + question]).get()
        }
        var invocation = try parse(command.arguments, configuration: configuration).get()
        (invocation.remarks, invocation.listDialect, invocation.exits) = (command.remarks, .aria2, command.exits)
        if let rpc = command.settings {
            (invocation.settings.rpc, invocation.settings.session) = (rpc, .ephemeral)
            invocation.action = .serve
            if rpc.options["pause"] == "true" {
                invocation.jobDefaults.startsPaused = true
                for index in invocation.jobs.indices { invocation.jobs[index].startsPaused = true }
            }
        }
        return invocation
    }

    /// The sections about hosts over the rest of the configuration, and below the command line.
    private static func hostRules(
        _ sections: [HostSection], _ settings: [OptionSetting], _ given: [OptionSetting]
    ) throws(UsageError) -> HostRules {
        var values = OptionValues()
        try values.apply(settings)
        return HostRules(
            sections: sections, base: values.jobDefaults, given: given.compactMap(\.request),
            subjects: Set(given.map(\.option.subject)))
    }

    /// Gives each task the command line's options for all requests, and a profile's.
    private static func give(
        _ options: [JobOption.Value], to invocation: inout Invocation, beside configuration: Configuration
    ) throws(UsageError) {
        guard !options.isEmpty, invocation.action.addsTasks else { return }
        var usual = OptionValues()
        try usual.apply(configuration.settings.filter { $0.option.job != nil })
        let run = RunOptions(of: options, beside: usual.settings.options)
        (invocation.hostRules.run, invocation.settings.runOptions) = (run, run)
    }

    /// The command line's options over the configuration's.
    private static func options(
        of items: [CommandLineScanner.Item], over settings: [OptionSetting]
    ) throws(UsageError) -> OptionValues {
        var options = OptionValues()
        try options.apply(settings)
        options.usual = options.jobDefaults
        for (index, item) in items.enumerated() {
            guard case .option(let option, let value, let spelling) = item else { continue }
            // Request options heed a later "no" by themselves.
            if option.job == nil, items[(index + 1)...].contains(where: { $0.setting?.turnsOff(option) == true }) {
                continue
            }
            if value == CommandLineOption.off, option.valueName == nil {
                try options.apply(option, value: value, spelling: spelling)
                continue
            }
            let rivals = option.rivals + (option.isSingleBody ? [option] : [])
            if let earlier = rivals.lazy.compactMap({ options.spellings[$0] }).first {
                let problem = earlier == spelling ? CommandLineUsage.bodyTwice : CommandLineUsage.excludes(earlier)
                throw UsageError(argument: spelling, problem)
            }
            do throws(UsageError) {
                try options.apply(option, value: value, spelling: spelling)
            } catch {
                guard let hint = ForeignOption.hint(for: spelling) else { throw error }
                throw UsageError(CommandLineUsage.problem(error.message, hint: hint))
            }
            options.spellings[option] = spelling
        }
        return options
    }

    private static func invocation(
        of command: ProgramCommand?, operands: [String], options: OptionValues
    ) throws(UsageError) -> Invocation {
        let isMethod = command == nil && operands.first.map(CommandLineOption.commonMethods.contains) == true
        let command = isMethod ? .request : command
        let rest = command == nil || isMethod ? operands : Array(operands.dropFirst())
        var invocation = Invocation()
        invocation.settings = options.settings
        invocation.settings.watch?.defaults = options.jobDefaults
        invocation.settings.watch?.defaults.checksum = nil
        invocation.output = options.output
        if let special = options.special {
            invocation.action = special == .help(nil) ? .help(command) : special
            return invocation
        }
        if command == nil { try checkIsNotMistypedCommand(operands) }
        switch command {
        case .help:
            invocation.action = try explanation(of: rest)
            return invocation
        case .completions:
            try refuseForeignOptions(options, of: .completions)
            invocation.action = .completions(try shell(rest))
            return invocation
        case .parts:
            try refuseForeignOptions(options, of: .parts)
            let folders = try rest.map { (path) throws(UsageError) in try ValueParser.path(path, label: "parts") }
            invocation.action = .parts(folders: folders.isEmpty ? ["."] : folders, removes: options.removesParts)
            return invocation
        case .doctor:
            try refuseForeignOptions(options, of: .doctor)
            invocation.jobs = try JobBuilder(options: options).questions(rest)
            invocation.action = .doctor
            return invocation
        case .demo:
            guard rest.isEmpty, options.inputLists.isEmpty else {
                throw UsageError(argument: "demo", CommandLineUsage.demoTakesNoOperands)
            }
            if case .named = options.settings.session {
                throw UsageError(argument: "--session", CommandLineUsage.demoHasNoSession)
            }
            try refuseForeignOptions(options, of: .demo)
            invocation.settings.session = .ephemeral
            invocation.action = .demo
            return invocation
        case .serve:
            try refuseForeignOptions(options, of: .serve)
            guard rest.isEmpty else { throw UsageError(argument: "serve", ServiceUsage.serveTakesNoURL) }
            guard options.settings.session != .ephemeral else {
                throw UsageError(argument: "serve", ServiceUsage.serveNeedsSession)
            }
            for option in CommandLineOption.ofRPC where options.settings.rpc.address == nil {
                guard let spelling = options.spellings[option] else { continue }
                throw UsageError(argument: spelling, RPCUsage.needsRPC)
            }
            invocation.action = .serve
            return invocation
        case .status, .pause, .resume, .cancel, .retry, .limit, .wait, .stop, .events, .history:
            if let command { try refuseForeignOptions(options, of: command) }
            if let order = try ServiceOrder(command, rest) { invocation.action = .order(order) }
            return invocation
        case .add:
            try refuseForeignOptions(options, of: .add)
            invocation.action = .order(.add)
        case .aria2c: throw UsageError(argument: "aria2c", CommandLineUsage.ariaFirst)
        case .download, .upload, .request, nil: break
        }
        try refuseOptionsOfOtherCommands(options)
        invocation.inputLists = options.inputLists
        try refuseChoiceWithoutList(options)
        invocation.linkChoice = options.linkChoice
        var builder = JobBuilder(options: options)
        invocation.requestFile = command == .request ? try builder.requestFile(rest) : nil
        if invocation.requestFile == nil { invocation.jobs = try builder.jobs(command: command, operands: rest) }
        invocation.leftOut = builder.leftOut
        invocation.jobDefaults = options.jobDefaults
        if !options.inputLists.isEmpty { invocation.listTemplate = try builder.nameTemplate() }
        return invocation
    }

    /// Refuses a choice among links where no list has any.
    private static func refuseChoiceWithoutList(_ options: OptionValues) throws(UsageError) {
        guard options.inputLists.isEmpty, !options.linkChoice.isEmpty,
            let spelling = options.spellings.first(where: { ["accept", "reject"].contains($0.key.longName) })?.value
        else { return }
        throw UsageError(argument: spelling, ListUsage.choiceNeedsList)
    }

    private static func explanation(of operands: [String]) throws(UsageError) -> Invocation.Action {
        guard let name = operands.first else { return .help(nil) }
        guard operands.count == 1 else {
            throw UsageError(argument: "help", CommandLineUsage.helpTakesOneWord(name))
        }
        if let command = ProgramCommand(rawValue: name) { return .help(command) }
        if HelpText.finds(name) { return .search(name) }
        let names = ProgramCommand.allCases.map(\.rawValue)
        throw UsageError(argument: "help", CommandLineUsage.foundNowhere(name, hint: hint(for: name, among: names)))
    }

    private static func shell(_ operands: [String]) throws(UsageError) -> Shell {
        guard let name = operands.first, operands.count == 1 else {
            throw UsageError(
                argument: "completions",
                CommandLineUsage.completionsNeedShell(ProgramCommand.completions.operands))
        }
        return try ValueParser.choice(name, label: "completions")
    }

    /// Refuses options that neither a transfer nor a request has.
    private static func refuseOptionsOfOtherCommands(_ options: OptionValues) throws(UsageError) {
        for option in CommandLineOption.allCases where option.commands.isDisjoint(with: .requests) {
            guard let spelling = options.spellings[option], let command = option.commands.first else { continue }
            throw UsageError(
                argument: spelling, CommandLineUsage.onlyFor(command: command.rawValue, option: option.spelling))
        }
    }

    /// Refuses options of the command line without effect; in the configuration file they are for other runs.
    private static func refuseForeignOptions(
        _ options: OptionValues, of command: ProgramCommand
    ) throws(UsageError) {
        for option in CommandLineOption.allCases where !option.commands.contains(command) {
            guard let spelling = options.spellings[option] else { continue }
            if option.isTaken(by: command) {
                if options.settings.watch != nil { continue }
                throw UsageError(argument: spelling, WatchUsage.needsWatch)
            }
            throw UsageError(
                argument: spelling,
                CommandLineUsage.noEffect(on: command.rawValue))
        }
    }

    /// Throws for a bare word: it is a mistyped command, not a host, except `localhost`.
    private static func checkIsNotMistypedCommand(_ operands: [String]) throws(UsageError) {
        guard let word = operands.first, URLText.isWord(word) else { return }
        let names = ProgramCommand.allCases.map(\.rawValue)
        throw UsageError(argument: word, CommandLineUsage.unknownCommand(word, hint: hint(for: word, among: names)))
    }

    /// The nearest of some names, or all of them.
    private static func hint(for word: String, among names: [String]) -> String {
        Suggestion.nearest(to: word, among: names).map { CommandLineUsage.didYouMean($0) }
            ?? CommandLineUsage.commandsAre(names.joined(separator: ", "))
    }
}
