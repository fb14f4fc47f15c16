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
