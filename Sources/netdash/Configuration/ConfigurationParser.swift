import Dashboard
import SessionSupport

/// The settings of the user's configuration file, each with the place it was read from.
struct Configuration: Sendable, Equatable {
    /// Options in the order of their lines.
    var settings: [OptionSetting] = []
    /// The key table with the user's changes; nil without any, because most runs need no keys, and making the table takes a
    /// millisecond.
    var changedKeys: KeyBindings?
    /// The looks, which have no options on the command line.
    var layout = DashboardLayout()
    /// What of the file does not hold, and why; nil when all of it does.
    var warning: SafeText?

    /// The keys of the commands.
    var keys: KeyBindings { changedKeys ?? .standard }

    /// The settings that hold when the command line says something of its own about some subjects.
    func settings(without given: Set<String>) -> [OptionSetting] {
        settings.filter { !given.contains($0.option.subject) }
    }

    /// Takes the commands out of a file that somebody else may have written: they would run as this user.
    ///
    /// The rest stays: it says how and where to, not what runs.
    mutating func dropCommands(of path: String, because writer: SafeText) {
        let hooks = settings.filter(\.option.isHook).map(\.option.longName)
        let names = hooks + (layout.openCommand == nil ? [] : [DashboardSetting.openCommand.rawValue])
        guard !names.isEmpty else { return }
        settings.removeAll(where: \.option.isHook)
        layout.openCommand = nil
        let list = SafeText(untrusted: names.joined(separator: ", "))
        warning = ConfigurationUsage.commandsIgnored(SafeText(untrusted: path), writer, names: list)
    }

    /// Throws when settings are wrong in themselves, those too that the command line is going to replace.
    func check() throws(UsageError) {
        var options = OptionValues()
        try options.apply(settings)
    }
}

/// Reads a configuration file: `name = value` in a line, empty lines, and comments from a `#` on.
///
/// A `#` begins a comment at the start of a line, or between blanks. Names are those of the long options, those of
/// ``DashboardSetting``, `view.` before a digit, and `key.` before the name of a command. Nothing is guessed: the first line that cannot be meant is an
/// error that names it.
struct ConfigurationParser {
    /// A changed key and the line it stands on.
    private struct KeyLine {
        var command: String
        var keys: String
        var label: String
    }

    private let name: String
    private let home: String?
    private var configuration = Configuration()
    private var keyLines: [KeyLine] = []
    /// The line on which a name was first seen.
    private var seen: [String: Int] = [:]

    private init(name: String, home: String?) {
        self.name = name
        self.home = home
    }

    /// The configuration in the bytes of a file; `name` stands in messages, and `home` for the `~` in front of a path.
    static func configuration(
        in bytes: [UInt8], name: String, home: String?
    ) throws(UsageError) -> Configuration {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw UsageError(argument: name, ConfigurationUsage.notUTF8)
        }
        var parser = ConfigurationParser(name: name, home: home)
        var number = 0
        // Some editors put a mark in front that is no text.
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

    private mutating func apply(_ setting: String, value: String, label: String) throws(UsageError) {
        let place = "\(label): \(setting)"
        if setting.hasPrefix("key.") {
            keyLines.append(KeyLine(command: String(setting.dropFirst(4)), keys: value, label: label))
        } else if setting.hasPrefix(SavedView.settingPrefix) {
            let digit = String(setting.dropFirst(SavedView.settingPrefix.count))
            try configuration.layout.setView(digit, to: value, label: place)
        } else if let layout = DashboardSetting(rawValue: setting) {
            try configuration.layout.set(layout, to: value, label: place)
        } else {
            try apply(try option(named: setting, label: label), value: value, place: place)
        }
    }

    private mutating func apply(_ option: CommandLineOption, value: String, place: String) throws(UsageError) {
        guard option.valueName == nil else {
            let text = option.isPath ? expanded(value) : value
            return configuration.settings.append(.init(option: option, value: text, label: place))
        }
        guard let chosen = option.chosen(try ValueParser.flag(value, label: place)) else { return }
        configuration.settings.append(.init(option: chosen, value: "", label: place))
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

    /// Keys are bound all at once, so that commands can change places.
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

    /// The value up to a `#` between blanks, or before a blank at the end; a value may begin with one.
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

    /// The path as a shell would read it: no shell stands between this file and the program.
    private func expanded(_ path: String) -> String {
        guard let home, path == "~" || path.hasPrefix("~/") else { return path }
        return home + path.dropFirst()
    }
}
