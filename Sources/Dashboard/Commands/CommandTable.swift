/// The tables of all commands.
///
/// Their order is the order of the footer, the help and the key reference.
package enum CommandTable {
    /// All commands by purpose, as the help shows them.
    package static let sections: [CommandSection] = [
        CommandSection("Pause, resume, cancel", transfers), CommandSection("Queue", queue),
        CommandSection("Files and actions", rows), CommandSection("Requests and bodies", requests),
        CommandSection("Marks", marks), CommandSection("Finding and sorting", finding),
        CommandSection("Details", viewing), CommandSection("Tasks", tasks), CommandSection("Screen", display),
        CommandSection("Moving", movement), CommandSection("Dialogs and menus", questions + menus),
        CommandSection("Typing", typing), CommandSection("Program", program),
    ]

    /// The demo's tour, which exists in no other dashboard.
    static var tour: Command {
        Command(
            "tour", [.function(3), .character("*")], on: [.list], "Tour",
            help: "Start the tour, or show the next step",
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

    /// The same with the demo's tour, on its keys that no other command has.
    package var withTour: KeyBindings {
        let free = CommandTable.tour.keys.filter { command(for: $0, on: .list) == nil }
        return KeyBindings(commands: [CommandTable.tour.bound(to: free)] + commands)
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
        [
            .list, .details, .help, .actionMenu, .sortMenu, .stateMenu, .options, .eventLog, .leftovers, .palette,
            .history,
        ]
    }
    static var questions: [Screen] {
        [.cancelDialog, .removeDialog, .quitDialog, .detachDialog, .clearDialog, .fileDialog]
    }
    static var forms: [Screen] { [.addForm, .editForm] }
    static var fields: [Screen] { [.filterPrompt, .prompt, .help, .palette, .addForm, .editForm] }
}
