/// The help, made from the records of commands and options.
enum HelpPage {
    static func all(_ commands: [FleetCommand]) -> String {
        let lines = commands.map { "  " + usage($0).padding(to: width) + $0.summary }
        return ([ProgramHelp.summary, ""] + lines + ["", ProgramHelp.address, ""]).joined(separator: "\n")
    }

    static func command(_ command: FleetCommand) -> String {
        let options = (command.options + [.queue]).map { "  " + name($0).padding(to: width) + $0.summary }
        let title = "netdash-fleet \(usage(command)): \(command.summary)"
        return ([title, ""] + options + [""]).joined(separator: "\n")
    }

    private static let width = 24

    private static func usage(_ command: FleetCommand) -> String {
        command.operand.map { command.name + " " + $0 } ?? command.name
    }

    private static func name(_ option: FleetOption) -> String {
        let names = [option.short, option.name].compactMap { $0 }.joined(separator: ", ")
        return option.value.map { names + " " + $0 } ?? names
    }
}

extension String {
    /// The text with spaces up to a width, and two at least.
    func padding(to width: Int) -> String { self + String(repeating: " ", count: max(2, width - count)) }
}
