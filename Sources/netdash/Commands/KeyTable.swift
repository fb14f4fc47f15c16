/// THE key table.
///
/// The order of rows is the order of the footer and of the help.
enum KeyTable {
    /// Every command there is.
    static let commands: [Command] =
        transfers + marks + filtering + viewing + movement + dialogs + textEditing + program

    private static let bindings: [Screen: [KeyPress: Command]] = {
        var bindings: [Screen: [KeyPress: Command]] = [:]
        for screen in Screen.allCases {
            for command in commands {
                for key in command.keys(on: screen) where bindings[screen]?[key] == nil {
                    bindings[screen, default: [:]][key] = command
                }
            }
        }
        return bindings
    }()

    /// What a key does on a screen.
    static func command(for key: KeyPress, on screen: Screen) -> Command? {
        bindings[screen]?[key]
    }

    /// The commands of a screen that have a key there.
    static func commands(on screen: Screen) -> [Command] {
        commands.filter { !$0.keys(on: screen).isEmpty }
    }

    /// Screens that show lines to move through.
    static let scrolling: [Screen] = [.list, .details, .help, .sortMenu, .stateMenu, .eventLog]
    /// The three questions.
    static let questions: [Screen] = [.cancelDialog, .quitDialog, .clearDialog]
    /// Screens with a text field.
    static let fields: [Screen] = [.filterPrompt, .addForm, .help]
}
