import Dashboard

/// An option that is set outside of the command line.
struct OptionSetting: Sendable, Equatable {
    var option: CommandLineOption
    /// Empty for an option without a value.
    var value: String
    /// The place that messages name, such as `/home/me/.config/netdash/config:3: fps`.
    var label: String
}

/// The values of the options, each checked as it is read.
struct OptionValues: Sendable {
    var settings = Settings()
    var output = Invocation.Output.automatic
    /// `--help`, `--version` or `--help-keys`: the first one decides.
    var special: Invocation.Action?
    var inputLists: [String] = []
    /// Whether `parts` removes what it lists.
    var removesParts = false
    var out: String?
    var method: String?
    var body: Job.Body?
    /// Whether patterns in URLs stand for several.
    var expandsGlobs = true
    /// The options of the command line itself, as it spells them; those of the configuration file are left out.
    var spellings: [CommandLineOption: String] = [:]
    /// The terms of every download of this run.
    var jobDefaults = Job(kind: .download, url: "")

    /// Applies the settings of the configuration file.
    mutating func apply(_ settings: [OptionSetting]) throws(UsageError) {
        for setting in settings { try apply(setting.option, value: setting.value, spelling: setting.label) }
    }

    /// Applies one option.
    mutating func apply(_ option: CommandLineOption, value: String, spelling: String) throws(UsageError) {
        switch option {
        case .plain: try choose(.plain, spelling: spelling)
        case .json: try choose(.json, spelling: spelling)
        case .quiet:
            try checkQuiet(isQuiet: true, output: output, spelling: spelling)
            settings.isQuiet = true
        case .continues: jobDefaults.continues = true
        case .startsOver: jobDefaults.continues = false
        case .session: try choose(.named(try ValueParser.session(value, label: spelling)), spelling: spelling)
        case .ephemeral: try choose(.ephemeral, spelling: spelling)
        case .http2: jobDefaults.usesHTTP2 = true
        case .mouse: settings.usesMouse = true
        case .exitWhenDone: settings.exitsWhenDone = true
        case .include: settings.includesHead = true
        case .globOff: expandsGlobs = false
        case .retryFailed: settings.retriesFailed = true
        case .failedTo: settings.failedPath = try ValueParser.path(value, label: spelling)
        case .checksums: settings.checksumsPath = try ValueParser.path(value, label: spelling)
        case .removesParts: removesParts = true
        case .version: special = special ?? .version
        case .help: special = special ?? .help(nil)
        case .helpKeys: special = special ?? .helpKeys
        case .input, .output, .method, .body, .header, .checksum, .ifExists:
            try applyToJobs(option, value: value, spelling: spelling)
        case .directory, .log, .logLevel, .color, .glyphs, .maximumConcurrent, .maximumPerHost, .limitRate,
            .limitUpload,
            .limitRatePerHost, .limitRatePerTask, .retries,
            .retryMaxTime, .connectTimeout, .stallTimeout, .framesPerSecond:
            try applyToRun(option, value: value, spelling: spelling)
        case .job(let option): try apply(option, value: value, spelling: spelling)
        case .bell: settings.telling.bell = try moments(value, spelling: spelling)
        case .notify: settings.telling.notification = try moments(value, spelling: spelling)
        case .onComplete: settings.telling.hooks[.complete] = try ValueParser.command(value, label: spelling)
        case .onError: settings.telling.hooks[.error] = try ValueParser.command(value, label: spelling)
        case .onAllDone: settings.telling.hooks[.allDone] = try ValueParser.command(value, label: spelling)
        }
    }

    private mutating func apply(_ option: JobOption, value: String, spelling: String) throws(UsageError) {
        if let problem = option.problem(with: value) { throw UsageError(argument: spelling, problem) }
        if option.isOfRun {
            settings.options.set(JobOption.Value(option, value))
        } else {
            jobDefaults.options.set(JobOption.Value(option, value))
        }
    }

    private mutating func choose(_ chosen: Invocation.Output, spelling: String) throws(UsageError) {
        guard output == .automatic || output == chosen else {
            throw UsageError(argument: spelling, "--plain and --json exclude each other; write one of them")
        }
        try checkQuiet(isQuiet: settings.isQuiet, output: chosen, spelling: spelling)
        output = chosen
    }

    private func checkQuiet(isQuiet: Bool, output: Invocation.Output, spelling: String) throws(UsageError) {
        guard isQuiet, output == .json else { return }
        throw UsageError(argument: spelling, "--json and --quiet exclude each other; write one of them")
    }

    private mutating func choose(_ chosen: SessionChoice, spelling: String) throws(UsageError) {
        guard settings.session == .automatic || settings.session == chosen else {
            throw UsageError(argument: spelling, "a run has one session or none; write --session NAME or --ephemeral")
        }
        settings.session = chosen
    }

    private func moments(_ value: String, spelling: String) throws(UsageError) -> Set<TellingMoment> {
        Set(try ValueParser.choices(value, none: TellingSettings.never, of: "moment", label: spelling))
    }

    private mutating func applyToJobs(
        _ option: CommandLineOption, value: String, spelling: String
    ) throws(UsageError) {
        switch option {
        case .input: inputLists.append(try ValueParser.path(value, label: spelling))
        case .output:
            guard out == nil else { throw UsageError(argument: spelling, "is given twice; write it once") }
            out = try ValueParser.path(value, label: spelling)
        case .method: method = try ValueParser.method(value, label: spelling)
        case .body: body = try ValueParser.body(value, label: spelling)
        case .header: jobDefaults.headers.append(try ValueParser.header(value, label: spelling))
        case .checksum: jobDefaults.checksum = try ValueParser.checksum(value, label: spelling)
        case .ifExists: jobDefaults.ifExists = try ValueParser.choice(value, label: spelling)
        case .limitRate, .limitUpload, .limitRatePerHost, .limitRatePerTask,
            .directory, .maximumConcurrent, .maximumPerHost, .continues, .startsOver, .retries, .retryMaxTime,
            .connectTimeout,
            .stallTimeout, .session, .ephemeral, .plain, .json, .quiet, .http2, .log, .logLevel, .bell, .notify,
            .onComplete, .onError, .onAllDone, .framesPerSecond, .color, .glyphs, .mouse, .include, .exitWhenDone,
            .removesParts, .version, .help, .helpKeys, .globOff, .retryFailed, .failedTo, .checksums, .job:
            break
        }
    }

    private mutating func applyToRun(
        _ option: CommandLineOption, value: String, spelling: String
    ) throws(UsageError) {
        switch option {
        case .directory:
            settings.directory = try ValueParser.path(value, label: spelling)
            settings.directoryLabel = spelling
        case .log:
            settings.logPath = try ValueParser.path(value, label: spelling)
            settings.logLabel = spelling
        case .logLevel: settings.logLevel = try ValueParser.choice(value, label: spelling)
        case .color: settings.color = try ValueParser.choice(value, label: spelling)
        case .glyphs: settings.glyphs = try ValueParser.choice(value, label: spelling) as GlyphSet
        case .maximumConcurrent:
            settings.maximumConcurrent = try ValueParser.number(value, in: 1...1000, label: spelling)
        case .maximumPerHost:
            settings.maximumPerHost = try ValueParser.number(value, in: 1...1000, label: spelling)
        case .limitRate: settings.rates.download = try ValueParser.rates(value, label: spelling)
        case .limitUpload: settings.rates.upload = try ValueParser.rates(value, label: spelling)
        case .limitRatePerHost: settings.rates.perHost = try ValueParser.rates(value, label: spelling)
        case .limitRatePerTask: settings.rates.perTask = try ValueParser.rates(value, label: spelling)
        case .retries:
            settings.retries = try ValueParser.number(value, in: 0...1000, label: spelling)
            settings.hasChosenRetries = true
        case .retryMaxTime: settings.retryMaxTime = try ValueParser.seconds(value, label: spelling)
        case .connectTimeout: settings.connectTimeout = try ValueParser.seconds(value, label: spelling)
        case .stallTimeout: settings.stallTimeout = try ValueParser.seconds(value, label: spelling)
        case .framesPerSecond:
            settings.framesPerSecond = try ValueParser.number(value, in: 1...30, label: spelling)
        case .output, .input, .continues, .startsOver, .ifExists, .checksum, .header, .method, .body, .session,
            .ephemeral, .plain, .json, .quiet, .http2, .bell, .notify, .onComplete, .onError, .onAllDone, .mouse,
            .include, .exitWhenDone, .removesParts, .version, .help, .helpKeys, .globOff, .retryFailed, .failedTo,
            .checksums, .job:
            break
        }
    }
}
