/// The tables of all commands.
///
/// Their order is the order of the footer, the help and the key reference.
package enum CommandTable {
    /// All commands by purpose, as the help shows them.
    package static let sections: [CommandSection] = [
        CommandSection("Transfers", transfers), CommandSection("Queue", queue),
        CommandSection("Rows and files", rows), CommandSection("Requests and bodies", requests),
        CommandSection("Marks", marks), CommandSection("Finding and sorting", finding),
        CommandSection("Details", viewing), CommandSection("Tasks", tasks), CommandSection("Screen", display),
        CommandSection("Moving", movement), CommandSection("Answers", questions + menus),
        CommandSection("Typing", typing), CommandSection("Program", program),
    ]

    /// The demo's tour, which exists in no other dashboard.
    static var tour: Command {
        Command(
            "tour", [.character("?")], on: [.list], "Tour",
            help: "Begin the short tour, or go on to its next step",
            also: "tutorial introduction guide", footer: 1,
            change: { $0.goOnWithTour() })
    }
}

extension KeyBindings {
    /// All commands on their default keys.
    package static let standard = KeyBindings(sections: CommandTable.sections)

    /// Replaces the keys of some commands; each change is a command's name and its keys.
    package init(changes: [(name: String, keys: String)]) throws(Problem) {
        self = try KeyBindings.standard.changed(by: changes)
    }

    /// The same with the demo's tour on `?` in the list, while F1 still opens the help; unchanged if the user has given
    /// the help other keys.
    package var withTour: KeyBindings {
        guard let help = commands.firstIndex(where: { $0.id == Command.Named.help.rawValue }),
            case let others = commands[help].keys.filter({ !CommandTable.tour.keys.contains($0) }), !others.isEmpty,
            others.count < commands[help].keys.count
        else { return self }
        var commands = commands
        // The footer and sentences name the first key.
        commands[help] = commands[help].bound(to: others + CommandTable.tour.keys)
        return KeyBindings(commands: [CommandTable.tour] + commands)
    }
}

extension Model {
    /// An empty dashboard with all commands on their default keys.
    package init() { self.init(keys: .standard) }

    /// An effect for the task under the cursor; none without one.
    func ofCurrent(_ effect: (UInt64) -> Effect) -> [Effect] { current.map { [effect($0.id)] } ?? [] }
}

extension [Screen] {
    /// The screens with scrollable lines.
    static var scrolling: [Screen] {
        [.list, .details, .help, .actionMenu, .sortMenu, .stateMenu, .options, .eventLog, .leftovers, .palette]
    }
    static var questions: [Screen] { [.cancelDialog, .removeDialog, .quitDialog, .clearDialog] }
    static var forms: [Screen] { [.addForm, .editForm] }
    static var fields: [Screen] { [.filterPrompt, .prompt, .help, .palette, .addForm, .editForm] }
}
