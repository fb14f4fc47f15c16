@testable import Dashboard
@testable import netdash

/// The sections of netdash-config(5) that come from the program's tables; only the tests write them.
extension ManualSections {
    /// The options that a configuration file may set, in the order of their table.
    static func settings() -> String {
        let options = CommandLineOption.allCases.filter { option in
            // An option that only says no to another one is that one's value.
            option.isSetting && !(option.opposite != nil && option.longName.hasPrefix("no-"))
        }
        return options.map { option in
            let value = option.valueName.map { "\\fI\(ManualText.escaped($0))\\fR" } ?? "\\fIyes\\fR|\\fIno\\fR"
            return ".TP\n\\fB\\%\(ManualText.escaped(option.longName))\\fR = \(value)\n"
                + ManualText.escaped(option.summary) + "\n"
        }.joined()
    }
}

extension KeyReference {
    /// The names of commands whose keys can be set, with their default keys.
    static func names() -> String {
        var seen: Set<String> = []
        let commands = KeyBindings.standard.commands.filter { command in
            command.name.map { seen.insert($0).inserted } ?? false
        }
        return commands.map { command in
            let keys = command.keys.map { ManualText.escaped(KeyName.text($0).string) }.joined(separator: " ")
            return "\\fBkey.\(ManualText.escaped(command.name ?? ""))\\fR = \(keys)\n"
        }.joined(separator: ".br\n")
    }
}
