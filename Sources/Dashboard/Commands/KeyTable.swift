/// THE key table.
///
/// The order of rows is the order of the footer and of the help.
enum KeyTable {
    /// Every command there is.
    static let commands: [Command] =
        transfers + queue + requests + marks + filtering + viewing + movement + dialogs + textEditing + program

    /// What a key does on a screen, unless the user has bound it to something else.
    static func command(for key: KeyPress, on screen: Screen) -> Command? {
        KeyBindings.standard.command(for: key, on: screen)
    }

    /// The commands of a screen that have a key there.
    static func commands(on screen: Screen) -> [Command] {
        KeyBindings.standard.commands(on: screen)
    }

    /// Keys that terminals keep for themselves or send for other keys, and the one for a command line to come.
    static let reservedKeys: Set<KeyPress> = Set("sqhijm[\\".map { .control($0) } + [.character(":")])

    /// Screens that show lines to move through.
    static let scrolling: [Screen] = [.list, .details, .help, .sortMenu, .stateMenu, .options, .eventLog]
    /// The three questions.
    static let questions: [Screen] = [.cancelDialog, .quitDialog, .clearDialog]
    /// Screens with a text field.
    static let fields: [Screen] = [.filterPrompt, .prompt, .addForm, .help]
}
