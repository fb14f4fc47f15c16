extension KeyTable {
    /// Questions and menus.
    static let dialogs: [Command] = [
        Command(
            .cancelKeepingParts, [.character("k")], on: [.cancelDialog], "keep",
            help: "Cancel, and keep the partial files of downloads", footer: 1),
        Command(
            .cancelDeletingParts, [.character("d")], on: [.cancelDialog], "delete",
            help: "Cancel and delete the partial files", footer: 1, needs: .partialFiles),
        Command(
            .quitFromDialog, [.character("s"), .character("q")], on: [.quitDialog], "quit",
            help: "Quit now: continue next time", footer: 1),
        Command(
            .quitWhenDone, [.character("w")], on: [.quitDialog], "wait", help: "Quit when all transfers have ended",
            footer: 1),
        Command(
            .clearFromDialog, [.character("c")], on: [.clearDialog], "clear", help: "Remove them from the list",
            footer: 1
        ),
        Command(
            .declineDialog, [.character("n"), .escape], on: [.cancelDialog, .removeDialog, .clearDialog], "no",
            help: "Change nothing",
            footer: 0),
        Command(.scrollTasksUp, [.up], on: [.cancelDialog], "Up", help: "Scroll the list of tasks up"),
        Command(.scrollTasksDown, [.down], on: [.cancelDialog], "Down", help: "Scroll the list of tasks down"),
        Command(.stay, [.escape], on: [.quitDialog], "stay", help: "Stay, and do not quit at the end", footer: 0),
        Command(.previousButton, [.left, .backTab], on: questions, "Previous", help: "Highlight the previous button"),
        Command(.nextButton, [.right, .tab], on: questions, "Next", help: "Highlight the next button"),
        Command(.pressButton, [.enter], on: questions, "Choose", help: "Press the highlighted button", footer: 2),
        Command(
            .chooseSort, [.enter, .character(" ")], on: [.sortMenu], "Choose",
            help: "Sort by this; again: the other way round", footer: 1),
        Command(.toggleState, [.character(" ")], on: [.stateMenu], "Show", help: "Show or hide this state", footer: 1),
        Command(
            .closeStateMenu, [.enter, .escape, .character("q")], on: [.stateMenu], "Close", help: "Close the menu",
            footer: 0),
        Command(
            .nextValue, [.right, .enter, .character(" "), .character("l")], on: [.options], "Next",
            help: "The option's next value", footer: 1),
        Command(
            .previousValue, [.left, .character("h")], on: [.options], "Previous", help: "The option's previous value"),
        Command(
            .moveColumnLeft, [.character("K")], on: [.options], "Column left",
            help: "Move the column to the left in the table", needs: .column),
        Command(
            .moveColumnRight, [.character("J")], on: [.options], "Column right",
            help: "Move the column to the right in the table", needs: .column),
        Command(
            .widenColumn, [.character("+"), .character("=")], on: [.options], "Wider",
            help: "Make the column wider; it is then shown in narrow windows too", footer: 2, needs: .column),
        Command(
            .narrowColumn, [.character("-")], on: [.options], "Narrower", help: "Make the column narrower",
            needs: .column),
        Command(
            .usualColumn, [.character("0")], on: [.options], "Usual width",
            help: "Give the column the width that suits the window", needs: .column),
        Command(
            .saveOptions, [.character("s")], on: [.options], "Save",
            help: "Save what was changed in the configuration file, order and details pane too", footer: 1),
        Command(
            .removePart, [.character("x"), .delete], on: [.leftParts], "Remove",
            help: "Ask whether this part is to be removed", footer: 1),
        Command(
            .removeAllParts, [.character("X")], on: [.leftParts], "Remove all",
            help: "Ask whether all of them are to be removed", footer: 2),
        Command(
            .confirmParts, [.character("y")], on: [.leftParts], "Yes", help: "Remove what the question names",
            footer: 3),
        Command(
            .closeParts, [.escape, .character("q"), .character("n")], on: [.leftParts], "Close",
            help: "Take the question back; without one, close the list", footer: 0),
        Command(
            .closeMenu, [.escape, .character("q")], on: [.actionMenu, .sortMenu, .options, .eventLog], "Close",
            help: "Close",
            footer: 0),
    ]

    /// Text fields.
    static let textEditing: [Command] = [
        Command(.keepFilter, [.enter], on: [.filterPrompt], "Keep", help: "Keep the filter", footer: 1),
        Command(.clearFilter, [.escape], on: [.filterPrompt], "Clear", help: "Clear the filter", footer: 0),
        Command(.acceptPrompt, [.enter], on: [.prompt], "OK", help: "Accept the answer", footer: 1),
        Command(.cancelPrompt, [.escape], on: [.prompt], "Cancel", help: "Change nothing", footer: 0),
        Command(
            .complete, [.tab], on: [.filterPrompt, .prompt] + forms, "Complete",
            help: "Complete the word or the path; go to the next field"),
        Command(
            .recallEarlier, [.up], on: [.filterPrompt, .prompt] + forms, "Earlier",
            help: "Recall the entry before; go to the previous field"),
        Command(
            .recallLater, [.down], on: [.filterPrompt, .prompt] + forms, "Later",
            help: "Recall the entry after; go to the next field"),
        Command(.previousField, [.backTab], on: forms, "Previous field", help: "Go to the previous field"),
        Command(
            .pressForm, [.enter], on: [.addForm], "Add", help: "Add the task, or press the highlighted button",
            footer: 1),
        Command(
            .addAnother, [.control("n")], on: [.addForm], "Add another",
            help: "Add the task and keep the form for another", footer: 2),
        Command(
            .saveTask, [.enter], on: [.editForm], "Save",
            help: "Start the task again as it is written here, or press the highlighted button", footer: 1),
        Command(
            .addAsNew, [.control("n")], on: [.editForm], "Add as new",
            help: "Leave the task as it is and add another one", footer: 2),
        Command(.cancelForm, [.escape], on: [.addForm], "Cancel", help: "Add nothing", footer: 0),
        Command(.cancelEdit, [.escape], on: [.editForm], "Cancel", help: "Change nothing", footer: 0),
        Command(
            .closeHelp, [.escape, .enter, .function(1)], on: [.help], "Back",
            help: "Close the help; while nothing is typed, ? and q do too", footer: 0),
        Command(
            .runCommand, [.enter], on: [.palette], "Run", help: "Run the highlighted command", footer: 1),
        Command(.closePalette, [.escape], on: [.palette], "Close", help: "Close the palette", footer: 0),
        Command(.cursorLeft, [.left], on: fields, "Left", help: "Move left; previous choice"),
        Command(.cursorRight, [.right], on: fields, "Right", help: "Move right; next choice"),
        Command(.cursorToStart, [.home, .control("a")], on: fields, "Start", help: "Move to the start"),
        Command(.cursorToEnd, [.end, .control("e")], on: fields, "End", help: "Move to the end"),
        Command(.deleteBackward, [.backspace], on: fields, "Delete", help: "Delete the character before"),
        Command(.deleteForward, [.delete], on: fields, "Delete", help: "Delete the character at the cursor"),
        Command(.deleteWord, [.control("w")], on: fields, "Delete word", help: "Delete the word before"),
        Command(.clearField, [.control("u")], on: fields, "Clear", help: "Delete everything"),
        Command(.deleteToEnd, [.control("k")], on: fields, "Delete rest", help: "Delete everything after the cursor"),
    ]

    /// The program itself.
    static let program: [Command] = [
        Command(
            .help, [.character("?"), .function(1)], on: Screen.allCases.filter { $0 != .help }, "Help",
            help: "Show the keys of this screen", also: "keys shortcuts bindings manual documentation commands",
            footer: 0),
        Command(
            .palette, [.character(":"), .function(2)], on: [.list, .details], "Commands",
            help: "Find a command by its name, and run it"),
        Command(
            .quit, [.character("q"), .function(10)], on: [.list], "Quit",
            help: "Quit, after a question when transfers are live", also: "exit leave close", footer: 0),
        Command(
            .back, [.character("q"), .escape, .backspace, .function(10)], on: [.details], "Back",
            help: "Go back to the list", footer: 0),
        Command(.stepBack, [.escape], on: [.list], "Step back", help: "One step back: message, filter, marks"),
        Command(
            .quitNow, [.character("Q")], on: [.list, .details], "Quit now", help: "Quit at once and continue next time",
            also: "exit leave close kill force"),
        Command(
            .interrupt, [.control("c")], on: Screen.allCases, "Interrupt",
            help: "Quit, as q does; twice within two seconds, as Q does"),
        Command(
            .redraw, [.control("l")], on: Screen.allCases, "Redraw", help: "Draw everything again",
            also: "refresh repaint repair"),
        Command(
            .suspend, [.control("z")], on: Screen.allCases, "Suspend",
            help: "Stop the program; bg lets transfers go on, fg comes back", also: "background shell"),
    ]
}
