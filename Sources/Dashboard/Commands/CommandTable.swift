/// The tables of all commands.
///
/// The order of records is the order of the footer, the help and the key reference.
package enum CommandTable {
    /// All commands by what they are for, as the help shows them.
    package static let sections: [CommandSection] = [
        CommandSection("Pause, resume, cancel", transfers), CommandSection("Queue", queue),
        CommandSection("Files and actions", rows), CommandSection("Requests and bodies", requests),
        CommandSection("Marks", marks), CommandSection("Finding and sorting", finding),
        CommandSection("Details", viewing), CommandSection("Tasks", tasks), CommandSection("Screen", display),
        CommandSection("Moving", movement), CommandSection("Dialogs and menus", questions + menus),
        CommandSection("Typing", typing), CommandSection("Program", program),
    ]

    /// The demo's tour, which no other dashboard has.
    static var tour: Command {
        Command(
            "tour", [.function(3), .character("*")], on: [.list], "Tour",
            help: "Start the tour, or show the next step",
            also: "tutorial introduction guide", footer: 1,
            change: { $0.goOnWithTour() })
    }
}

extension KeyBindings {
    /// The commands on the keys that they have by default.
    package static let standard = KeyBindings(sections: CommandTable.sections)

    /// The commands with the keys of some replaced; each change is a command's name and its keys.
    package init(changes: [(name: String, keys: String)]) throws(Problem) {
        self = try KeyBindings.standard.changed(by: changes)
    }

    /// The same with the demo's tour, on those of its keys that the user has given to no other command.
    package var withTour: KeyBindings {
        let free = CommandTable.tour.keys.filter { command(for: $0, on: .list) == nil }
        return KeyBindings(commands: [CommandTable.tour.bound(to: free)] + commands)
    }
}

extension Model {
    /// An empty dashboard with all commands on the keys that they have by default.
    package init() { self.init(keys: .standard) }

    /// What is asked for the task under the cursor; nothing where there is none.
    func ofCurrent(_ effect: (UInt64) -> Effect) -> [Effect] { current.map { [effect($0.id)] } ?? [] }
}

extension [Screen] {
    /// Screens that show lines to move through.
    static var scrolling: [Screen] {
        [.list, .details, .help, .actionMenu, .sortMenu, .stateMenu, .options, .eventLog, .leftovers, .palette]
    }
    /// The questions.
    static var questions: [Screen] { [.cancelDialog, .removeDialog, .quitDialog, .clearDialog] }
    /// The forms of tasks.
    static var forms: [Screen] { [.addForm, .editForm] }
    /// Screens with a text field.
    static var fields: [Screen] { [.filterPrompt, .prompt, .help, .palette, .addForm, .editForm] }
}
