extension KeyTable {
    /// Questions and menus.
    static let dialogs: [Command] = [
        Command(
            [.character("k")], on: [.cancelDialog], "keep", help: "Cancel and keep the partial files", footer: 1,
            effects: { $0.cancel(deletingParts: false) }),
        Command(
            [.character("d")], on: [.cancelDialog], "delete", help: "Cancel and delete the partial files", footer: 1,
            effects: { $0.cancel(deletingParts: true) }),
        Command(
            [.character("s"), .character("q")], on: [.quitDialog], "quit", help: "Quit now: continue next time",
            footer: 1, effects: { _ in [.quit] }),
        Command(
            [.character("w")], on: [.quitDialog], "wait", help: "Quit as soon as nothing is under way", footer: 1,
            do: { $0.leaveWhenDone() }),
        Command(
            [.character("c")], on: [.clearDialog], "clear", help: "Drop them from the list", footer: 1,
            effects: { $0.clearEnded() }),
        Command(
            [.character("n"), .escape], on: [.cancelDialog, .clearDialog], "no", help: "Change nothing", footer: 0,
            do: { $0.closeOverlay() }),
        Command([.up], on: [.cancelDialog], "Up", help: "Scroll the list of tasks up", do: { $0.move(by: -1) }),
        Command([.down], on: [.cancelDialog], "Down", help: "Scroll the list of tasks down", do: { $0.move(by: 1) }),
        Command(
            [.escape], on: [.quitDialog], "stay", help: "Go on, and do not wait for the end", footer: 0,
            do: { $0.stay() }),
        Command(
            [.left, .backTab], on: questions, "Previous", help: "Highlight the previous button",
            do: { $0.moveButton(by: -1) }),
        Command(
            [.right, .tab], on: questions, "Next", help: "Highlight the next button", do: { $0.moveButton(by: 1) }),
        Command(
            [.enter], on: questions, "Choose", help: "Press the highlighted button", footer: 2,
            effects: { $0.pressButton() }),
        Command(
            [.enter, .character(" ")], on: [.sortMenu], "Choose", help: "Sort by this; again: the other way round",
            footer: 1,
            do: { $0.chooseSort() }),
        Command(
            [.character(" ")], on: [.stateMenu], "Show", help: "Show or hide this state", footer: 1,
            do: { $0.toggleState() }),
        Command(
            [.enter, .escape, .character("q")], on: [.stateMenu], "Close", help: "Close the menu", footer: 0,
            do: { $0.closeMenu() }),
        Command(
            [.right, .enter, .character(" "), .character("l")], on: [.options], "Next", help: "The option's next value",
            footer: 1, effects: { $0.changeOption(by: 1) }),
        Command(
            [.left, .character("h")], on: [.options], "Previous", help: "The option's previous value",
            effects: { $0.changeOption(by: -1) }),
        Command(
            [.character("K")], on: [.options], "Column left", help: "Move the column to the left in the table",
            unless: hasNoColumn, do: { $0.moveColumn(by: -1) }),
        Command(
            [.character("J")], on: [.options], "Column right", help: "Move the column to the right in the table",
            unless: hasNoColumn, do: { $0.moveColumn(by: 1) }),
        Command(
            [.character("s")], on: [.options], "Save", help: "Save what was changed in the configuration file",
            footer: 1, effects: { $0.saveOptions() }),
        Command(
            [.escape, .character("q")], on: [.sortMenu, .options, .eventLog], "Close", help: "Close", footer: 0,
            do: { $0.closeMenu() }),
    ]

    @Sendable private static func hasNoColumn(_ model: Model) -> SafeText? {
        model.highlightedColumn == nil ? "Only columns can be moved" : nil
    }
}

extension KeyTable {
    /// Text fields.
    static let textEditing: [Command] = [
        Command(
            [.enter], on: [.filterPrompt], "Keep", help: "Keep the filter", footer: 1, do: { $0.keepFilter() }),
        Command(
            [.escape], on: [.filterPrompt], "Clear", help: "Clear the filter", footer: 0, do: { $0.closeOverlay() }),
        Command([.enter], on: [.prompt], "OK", help: "Take the answer", footer: 1, effects: { $0.acceptPrompt() }),
        Command([.escape], on: [.prompt], "Cancel", help: "Change nothing", footer: 0, do: { $0.closeOverlay() }),
        Command(
            [.tab], on: [.filterPrompt, .prompt, .addForm], "Complete",
            help: "Complete the word or the path; go to the next field", effects: { $0.completeField() }),
        Command(
            [.up], on: [.filterPrompt, .prompt, .addForm], "Earlier",
            help: "What was entered before; the previous field", do: { $0.recall(by: 1) }),
        Command(
            [.down], on: [.filterPrompt, .prompt, .addForm], "Later",
            help: "What was entered after that; the next field", do: { $0.recall(by: -1) }),
        Command(
            [.backTab], on: [.addForm], "Previous field", help: "Go to the previous field", do: { $0.move(by: -1) }),
        Command(
            [.enter], on: [.addForm], "Add", help: "Add the task, or press the highlighted button", footer: 1,
            effects: { $0.pressForm() }),
        Command(
            [.control("n")], on: [.addForm], "Add another", help: "Add the task and keep the form for another",
            footer: 2, effects: { $0.acceptForm(beginningAnother: true) }),
        Command([.escape], on: [.addForm], "Cancel", help: "Add nothing", footer: 0, do: { $0.closeOverlay() }),
        Command(
            [.escape, .enter, .function(1)], on: [.help], "Back", help: "Close the help", footer: 0,
            do: { $0.closeOverlay() }),
        Command([.left], on: fields, "Left", help: "Move left; previous choice", do: { $0.moveInField(by: -1) }),
        Command([.right], on: fields, "Right", help: "Move right; next choice", do: { $0.moveInField(by: 1) }),
        Command(
            [.home, .control("a")], on: fields, "Start", help: "Move to the start", do: { $0.edit { $0.moveToStart() } }
        ),
        Command([.end, .control("e")], on: fields, "End", help: "Move to the end", do: { $0.edit { $0.moveToEnd() } }),
        Command(
            [.backspace], on: fields, "Delete", help: "Delete the character before",
            do: { $0.edit { $0.deleteBackward() } }),
        Command(
            [.delete], on: fields, "Delete", help: "Delete the character at the cursor",
            do: { $0.edit { $0.deleteForward() } }),
        Command(
            [.control("w")], on: fields, "Delete word", help: "Delete the word before",
            do: { $0.edit { $0.deleteWord() } }),
        Command([.control("u")], on: fields, "Clear", help: "Delete everything", do: { $0.edit { $0.clear() } }),
        Command(
            [.control("k")], on: fields, "Delete rest", help: "Delete everything after the cursor",
            do: { $0.edit { $0.deleteToEnd() } }),
    ]

    /// The program itself.
    static let program: [Command] = [
        Command(
            [.character("?"), .function(1)], on: Screen.allCases.filter { $0 != .help }, "Help",
            help: "Show the keys of this screen", footer: 0, do: { $0.openHelp() }),
        Command(
            [.character("q"), .function(10)], on: [.list], "Quit",
            help: "Quit, after a question when transfers are live",
            footer: 0, effects: { $0.askToQuit() }),
        Command(
            [.character("q"), .escape, .backspace, .function(10)], on: [.details], "Back",
            help: "Go back to the list", footer: 0, do: { $0.stepBack() }),
        Command(
            [.escape], on: [.list], "Step back", help: "One step back: message, filter, marks", do: { $0.stepBack() }),
        Command(
            [.character("Q")], on: [.list, .details], "Quit now", help: "Quit at once and continue next time",
            effects: { _ in [.quit] }),
        Command(
            [.control("c")], on: Screen.allCases, "Interrupt", help: "As q; a second time within two seconds: as Q",
            effects: { $0.interrupt() }),
        Command(
            [.control("l")], on: Screen.allCases, "Redraw", help: "Draw everything again",
            effects: { _ in [.redrawAll] }),
        Command(
            [.control("z")], on: Screen.allCases, "Suspend",
            help: "Stop the program; bg lets transfers go on, fg comes back",
            effects: { _ in [.suspendProgram] }),
    ]
}
