/// The help, made from the records of commands and options.
enum HelpLines {
    static func all(_ commands: [FleetCommand]) -> String {
        let lines = commands.map { "  \(pad(usage($0)))\($0.summary)" }
        return """
            netdash-fleet COMMAND [OPTION...]: a queue in PostgreSQL that many machines drain

            \(lines.joined(separator: "\n"))

            Every command takes \(FleetOption.queue.name) URL; without it libpq's environment counts (PGHOST,
            PGDATABASE, PGSERVICE). A password comes from PGPASSWORD or ~/.pgpass, never from the URL.

            """
    }

    static func command(_ command: FleetCommand) -> String {
        let options = (command.options + [.queue]).map { "  \(pad(name($0)))\($0.summary)\n" }
        return "netdash-fleet \(usage(command)): \(command.summary)\n\n" + options.joined()
    }

    private static func usage(_ command: FleetCommand) -> String {
        command.operand.map { command.name + " " + $0 } ?? command.name
    }

    private static func name(_ option: FleetOption) -> String {
        let names = [option.short, option.name].compactMap { $0 }.joined(separator: ", ")
        return option.value.map { names + " " + $0 } ?? names
    }

    private static func pad(_ text: String) -> String { text.padding(to: 24) }
}

extension String {
    /// The text with spaces up to a width, and two at least.
    func padding(to width: Int) -> String { self + String(repeating: " ", count: max(2, width - count)) }
}
