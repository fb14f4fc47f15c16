/// The one key table.
///
/// The order of rows is the order of the footer and of the help.
package enum KeyTable {
    /// Every command there is.
    static let commands: [Command] =
        purposes.flatMap(\.commands)

    /// All commands by what they are for, as the help shows them.
    package static let purposes: [(title: SafeText, commands: [Command])] = [
        ("Transfers", transfers), ("Queue", queue + limits), ("Rows and files", rows),
        ("Requests and bodies", requests), ("Marks", marks),
        ("Finding and sorting", filtering), ("Details", viewing), ("Tasks", tasks), ("Screen", display),
        ("Moving", movement), ("Answers", dialogs + rowDialogs), ("Typing", textEditing), ("Program", program),
    ]

    /// The command that a key stands for on a screen, unless the user has bound it to another.
    static func command(for key: KeyPress, on screen: Screen) -> Command? {
        KeyBindings.standard.command(for: key, on: screen)
    }

    /// The commands of a screen that have a key there.
    package static func commands(on screen: Screen) -> [Command] {
        KeyBindings.standard.commands(on: screen)
    }

    /// Keys that terminals keep for themselves or send for other keys.
    static let reservedKeys: Set<KeyPress> = Set("sqhijm[\\".map { .control($0) })

    /// Screens that show lines to move through.
    private static let scrolling: [Screen] = [
        .list, .details, .help, .actionMenu, .sortMenu, .stateMenu, .options, .eventLog, .leftParts, .palette,
    ]
    /// The questions.
    static let questions: [Screen] = [.cancelDialog, .removeDialog, .quitDialog, .clearDialog]
    /// The forms of tasks.
    static let forms: [Screen] = [.addForm, .editForm]
    /// Screens with a text field.
    static let fields: [Screen] = [.filterPrompt, .prompt, .help, .palette] + forms

    /// Moving the selection and scrolling.
    static let movement: [Command] = [
        Command(.up, [.up, .character("k"), .control("p")], on: scrolling, "Up", help: "Move up"),
        Command(.down, [.down, .character("j"), .control("n")], on: scrolling, "Down", help: "Move down"),
        Command(.pageUp, [.pageUp, .control("b")], on: scrolling, "Page up", help: "Move up by a page"),
        Command(.pageDown, [.pageDown, .control("f")], on: scrolling, "Page down", help: "Move down by a page"),
        Command(.halfUp, [.control("u")], on: [.list, .details, .eventLog], "Half up", help: "Move up by half a page"),
        Command(
            .halfDown, [.control("d")], on: [.list, .details, .eventLog], "Half down", help: "Move down by half a page"),
        Command(
            .first, [.home, .character("g")], on: scrolling.filter { !$0.takesText }, "First",
            help: "Move to the first line"),
        Command(
            .last, [.end, .character("G")], on: scrolling.filter { !$0.takesText }, "Last",
            help: "Move to the last line"),
        Command(
            .left, [.left, .character("h")], on: [.list, .details], "Left",
            help: "Scroll to the left; in the details, at the start: back to the list"),
        Command(
            .right, [.right, .character("l")], on: [.list, .details], "Right",
            help: "Scroll to the right; in the list, at the end of the name: open the details"),
        Command(
            .nextFailed, [.character("n")], on: [.list], "Next failed", help: "Move to the next failed task",
            also: "error failure problem",
            needs: .failedTaskInView),
        Command(
            .previousFailed, [.character("N")], on: [.list], "Previous failed",
            help: "Move to the previous failed task", also: "error failure problem", needs: .failedTaskInView),
        Command(
            .nextMatch, [.character("n")], on: [.details], "Next match",
            help: "Move to the next match", needs: .search),
        Command(
            .previousMatch, [.character("N")], on: [.details], "Previous match",
            help: "Move to the previous match", needs: .search),
    ]
}
