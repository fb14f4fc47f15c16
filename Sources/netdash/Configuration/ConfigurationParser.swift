import Dashboard
import SessionSupport

/// The settings of the user's configuration file, each with its line for messages.
struct Configuration: Sendable, Equatable {
    /// Options in the order of their lines.
    var settings: [OptionSetting] = []
    /// The key table with the user's changes; nil without any, because most runs need no keys, and building the table
    /// takes a millisecond.
    var changedKeys: KeyBindings?
    /// The dashboard's settings, which have no options on the command line.
    var layout = DashboardLayout()
    /// What part of the file is ignored, and why; nil when none is.
    var warning: SafeText?
    /// The sections, in the order of the file.
    var hosts: [HostSection] = []
    /// Settings that a run takes by name.
    var profiles: [Profile] = []

    /// Settings with a name, such as `[profile "night"]`.
    struct Profile: Sendable, Equatable {
        let name: String
        var settings: [OptionSetting] = []
    }

    /// The configuration with a profile's settings in place of the others about the same subjects.
    func with(profile name: String?) throws(UsageError) -> Configuration {
        guard let name else { return self }
        guard let profile = profiles.first(where: { $0.name == name }) else {
            let known = profiles.map(\.name).joined(separator: ", ")
            throw UsageError(argument: "--profile", ConfigurationUsage.noProfile(name, known: known))
        }
        var result = self
        result.settings =
            settings.filter { far in !profile.settings.contains { $0.displaces(far) } } + profile.settings
        return result
    }

    var keys: KeyBindings { changedKeys ?? .standard }

    /// The settings that apply beside the ones of the command line; "no" has nothing more to undo.
    func settings(beside given: [OptionSetting]) -> [OptionSetting] {
        settings.filter { far in !far.isOff && !given.contains { $0.replaces(far) } }
    }

    /// Removes the commands of a file that another user may have written: they would run as this user.
    ///
    /// The other settings stay, because they run nothing.
    mutating func dropCommands(of path: String, because writer: SafeText) {
        let all = settings + profiles.flatMap(\.settings)
        let hooks =
            all.filter(\.runsCommand).map(\.option.longName)
            + hosts.flatMap(\.settings).filter(\.runsCommand).map(\.subject)
        let names = hooks + (layout.openCommand == nil ? [] : [DashboardSetting.openCommand.rawValue])
        guard !names.isEmpty else { return }
        settings.removeAll(where: \.runsCommand)
        for index in profiles.indices { profiles[index].settings.removeAll(where: \.runsCommand) }
        for index in hosts.indices { hosts[index].settings.removeAll(where: \.runsCommand) }
        layout.openCommand = nil
        let list = SafeText(untrusted: names.joined(separator: ", "))
        warning = ConfigurationUsage.commandsIgnored(SafeText(untrusted: path), writer, names: list)
    }

    /// Throws when settings are invalid, even if the command line replaces them.
    func check() throws(UsageError) {
        var options = OptionValues()
        try options.apply(settings)
        for profile in profiles {
            var options = OptionValues()
            try options.apply(with(profile: profile.name).settings)
        }
    }
}

/// Reads a configuration file: lines of `name = value`, empty lines, and comments from a `#` on.
///
/// A `#` begins a comment at the start of a line, or between blanks. Names are the long options, the cases of
/// ``DashboardSetting``, `view.` before a digit, `color.` before a role, and `key.` before the name of a command. Below
/// `[host "PATTERN"]` they are for tasks of some hosts, below `[profile "NAME"]` for runs that name it. Nothing is
/// guessed: the first invalid line is an error that names it.
struct ConfigurationParser {
    /// A changed key and its line for messages.
    private struct KeyLine {
        var command: String
        var keys: String
        var label: String
    }

    private let name: String
    private let home: String?
    private var configuration = Configuration()
    private var keyLines: [KeyLine] = []
    /// The line of each name's first occurrence.
    private var seen: [String: Int] = [:]
    private var section = Section.everywhere

    /// The lines that follow belong to it.
    private enum Section {
        case everywhere, host, profile
    }

    private init(name: String, home: String?) {
        self.name = name
        self.home = home
    }

    /// Parses the bytes of a file; `name` is used in messages, and `home` replaces the `~` at the start of a path.
    static func configuration(
        in bytes: [UInt8], name: String, home: String?
    ) throws(UsageError) -> Configuration {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw UsageError(argument: name, ConfigurationUsage.notUTF8)
        }
        var parser = ConfigurationParser(name: name, home: home)
        var number = 0
        // Some editors put a byte order mark at the start.
        let content = ByteText.withoutByteOrderMark(text)
        for line in content.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            number += 1
            try parser.consume(line, number: number)
        }
        try parser.bindKeys()
        try parser.configuration.check()
        return parser.configuration
    }

    // MARK: - Lines

    private mutating func consume(_ line: Substring, number: Int) throws(UsageError) {
        let label = "\(name):\(number)"
        let content = ByteText.trimmed(line)
        guard !content.isEmpty, !content.hasPrefix("#") else { return }
        guard !content.hasPrefix("[") else { return try begin(content, label) }
        guard let sign = content.firstIndex(of: "=") else {
            throw UsageError(argument: label, ConfigurationUsage.noSign(content))
        }
        let setting = ByteText.trimmed(content[..<sign])
        let value = Self.withoutComment(ByteText.trimmed(content[content.index(after: sign)...]))
        guard !setting.isEmpty else { throw UsageError(argument: label, ConfigurationUsage.noName) }
        let isRepeatable = CommandLineOption.named(setting)?.isRepeatable ?? false
        if let first = seen[setting], !isRepeatable {
            throw UsageError(argument: label, ConfigurationUsage.twice(setting, line: first))
        }
        seen[setting] = number
        try apply(setting, value: value, label: label)
    }

    /// Begins a section, such as `[host "*.example.org"]`.
    private mutating func begin(_ line: String, _ label: String) throws(UsageError) {
        let text = Self.withoutComment(line)
        let words = text.dropFirst().dropLast().split(separator: "\"", maxSplits: 2, omittingEmptySubsequences: false)
        guard text.hasSuffix("]"), words.count == 3, ByteText.trimmed(words[2]).isEmpty else {
            throw UsageError(argument: label, ConfigurationUsage.section(text))
        }
        let value = ByteText.trimmed(words[1])
        seen = [:]
        switch ByteText.trimmed(words[0]) {
        case "host":
            let patterns = value.split { $0 == " " || $0 == "\t" }.map(String.init)
            guard patterns.contains(where: { !$0.hasPrefix("!") }) else {
                throw UsageError(argument: label, ConfigurationUsage.noHost)
            }
            section = .host
            configuration.hosts.append(HostSection(patterns: patterns))
        case "profile":
            guard !value.isEmpty else { throw UsageError(argument: label, ConfigurationUsage.noProfileName) }
            guard !configuration.profiles.contains(where: { $0.name == value }) else {
                throw UsageError(argument: label, ConfigurationUsage.profileTwice(value))
            }
            section = .profile
            configuration.profiles.append(.init(name: value))
        default: throw UsageError(argument: label, ConfigurationUsage.section(text))
        }
    }

    /// The keys of lists that hosts may have.
    private static let keysOfHosts: Set<String> = [
        "limit-rate", "limit-upload", "priority", "only", "if-exists", "http2",
    ]

    /// A line of a section about hosts: a request option, a header, a folder, or a key of lists.
    private func hostSetting(_ name: String, _ value: String, _ label: String) throws(UsageError) -> HostSection.Setting
    {
        let context = "\(label): \(name)"
        if name == "dir" { return .folder(expanded(try ValueParser.path(value, label: context))) }
        if name == "header" { return .header(try ValueParser.header(value, label: context)) }
        do throws(OptionProblem) {
            if let key = JobKey.named(name), Self.keysOfHosts.contains(name) {
                _ = try key.reading(value)
                return .key(name, value)
            }
            if let option = JobOption.named(name), option.memory == .kept, !option.isSwitch {
                let text = CommandLineOption.job(option).isPath ? expanded(value) : value
                return .option(try JobOption.Value(checking: option, text))
            }
        } catch {
            throw UsageError(argument: context, error.sentence)
        }
        guard let option = JobOption.named(name), option.memory == .kept else {
            throw UsageError(argument: label, ConfigurationUsage.notOfHost(name))
        }
        return .option(option.value(isOn: try ValueParser.flag(value, label: context)))
    }

    private mutating func apply(_ setting: String, value: String, label: String) throws(UsageError) {
        let context = "\(label): \(setting)"
        switch section {
        case .everywhere: break
        case .host:
            let last = configuration.hosts.count - 1
            return configuration.hosts[last].settings.append(try hostSetting(setting, value, label))
        case .profile:
            let isOfDashboard = DashboardSetting(rawValue: setting) != nil
            let isNamed = ["key.", SavedView.settingPrefix, DashboardLayout.stylePrefix].contains {
                setting.hasPrefix($0)
            }
            guard !isOfDashboard, !isNamed else {
                throw UsageError(argument: label, ConfigurationUsage.notOfProfile(setting))
            }
            return try apply(try option(named: setting, label: label), value: value, context: context)
        }
        if setting.hasPrefix("key.") {
            keyLines.append(KeyLine(command: String(setting.dropFirst(4)), keys: value, label: label))
        } else if setting.hasPrefix(SavedView.settingPrefix) {
            let digit = String(setting.dropFirst(SavedView.settingPrefix.count))
            try configuration.layout.setView(digit, to: value, label: context)
        } else if setting.hasPrefix(DashboardLayout.stylePrefix) {
            let role = String(setting.dropFirst(DashboardLayout.stylePrefix.count))
            try configuration.layout.setStyle(of: role, to: value, label: context)
        } else if let layout = DashboardSetting(rawValue: setting) {
            try configuration.layout.set(layout, to: value, label: context)
        } else {
            try apply(try option(named: setting, label: label), value: value, context: context)
        }
    }

    private mutating func apply(_ option: CommandLineOption, value: String, context: String) throws(UsageError) {
        guard option.valueName == nil else {
            let text = option.isPath ? expanded(value) : value
            return append(.init(option: option, value: text, label: context))
        }
        let (chosen, text) = option.chosen(try ValueParser.flag(value, label: context))
        append(.init(option: chosen, value: text, label: context))
    }

    private mutating func append(_ setting: OptionSetting) {
        guard section == .profile else { return configuration.settings.append(setting) }
        configuration.profiles[configuration.profiles.count - 1].settings.append(setting)
    }

    private func option(named setting: String, label: String) throws(UsageError) -> CommandLineOption {
        guard let option = CommandLineOption.named(setting) else {
            let names =
                CommandLineOption.allCases.filter(\.isSetting).map(\.longName)
                + DashboardSetting.allCases.map(\.rawValue)
            let hint = Suggestion.nearest(to: setting, among: names).map { CommandLineUsage.didYouMean($0) }
            throw UsageError(
                argument: label, ConfigurationUsage.unknown(setting, hint: hint ?? ConfigurationUsage.seeHelp))
        }
        guard option.isSetting else {
            throw UsageError(argument: label, ConfigurationUsage.ofOneRun(setting, option: option.spelling))
        }
        return option
    }

    // MARK: - Keys

    /// Binds all keys at once, so that commands can swap them.
    private mutating func bindKeys() throws(UsageError) {
        guard !keyLines.isEmpty else { return }
        do throws(KeyBindings.Problem) {
            configuration.changedKeys = try KeyBindings(changes: keyLines.map { ($0.command, $0.keys) })
        } catch {
            let line = keyLines.last { $0.command == error.command }
            throw UsageError(argument: line?.label ?? name, error.sentence)
        }
    }

    // MARK: - Values

    /// The value up to a `#` between blanks, or after a blank at the end; a value may begin with one.
    static func withoutComment(_ value: String) -> String {
        var isAfterBlank = false
        var index = value.startIndex
        while index < value.endIndex {
            let next = value.index(after: index)
            let isBeforeBlank = next == value.endIndex || value[next] == " " || value[next] == "\t"
            if value[index] == "#", isAfterBlank, isBeforeBlank { return ByteText.trimmed(value[..<index]) }
            isAfterBlank = value[index] == " " || value[index] == "\t"
            index = next
        }
        return value
    }

    /// Expands `~` in a path, because no shell does so for this file.
    private func expanded(_ path: String) -> String {
        guard let home, path == "~" || path.hasPrefix("~/") else { return path }
        return home + path.dropFirst()
    }
}
