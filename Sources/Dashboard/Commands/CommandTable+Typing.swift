extension CommandTable {
    static var typing: [Command] {
        [
            Command(
                "keepFilter", [.enter], on: [.filterPrompt], "Keep",
                help: "Keep the filter", footer: 1,
                change: { $0.keepFilter() }),
            Command(
                "clearFilter", [.escape], on: [.filterPrompt], "Clear",
                help: "Clear the filter", footer: 0,
                change: { $0.closeOverlay() }),
            Command(
                "acceptPrompt", [.enter], on: [.prompt], "OK",
                help: "Accept the input", footer: 1,
                run: { $0.acceptPrompt() }),
            Command(
                "cancelPrompt", [.escape], on: [.prompt], "Cancel",
                help: "Close, change nothing", footer: 0,
                change: { $0.closeOverlay() }),
            Command(
                "complete", [.tab], on: [.filterPrompt, .prompt, .addForm, .editForm], "Complete",
                help: "Complete the word or path, or go to the next field",
                run: { $0.completeField() }),
            Command(
                "recallEarlier", [.up], on: [.filterPrompt, .prompt, .addForm, .editForm], "Earlier",
                help: "Previous entry or field",
                change: { $0.recall(by: 1) }),
            Command(
                "recallLater", [.down], on: [.filterPrompt, .prompt, .addForm, .editForm], "Later",
                help: "Next entry or field",
                change: { $0.recall(by: -1) }),
            Command(
                "previousField", [.backTab], on: .forms, "Previous field",
                help: "Go to the previous field",
                change: { $0.move(by: -1) }),
            Command(
                "pressForm", [.enter], on: [.addForm], "Add",
                help: "Add the task, or press the highlighted button", footer: 1,
                run: { $0.pressForm() }),
            Command(
                "addAnother", [.control("n")], on: [.addForm], "Add another",
                help: "Add the task, keep the form open", footer: 2,
                run: { $0.acceptForm(asAnother: true) }),
            Command(
                "saveTask", [.enter], on: [.editForm], "Save",
                help: "Save and restart, or press the highlighted button", footer: 1,
                run: { $0.pressForm() }),
            Command(
                "addAsNew", [.control("n")], on: [.editForm], "Add as new",
                help: "Add as a new task, keep the old one", footer: 2,
                run: { $0.acceptForm(asAnother: true) }),
            Command(
                "cancelForm", [.escape], on: [.addForm], "Cancel",
                help: "Close the form, add nothing", footer: 0,
                change: { $0.closeOverlay() }),
            Command(
                "cancelEdit", [.escape], on: [.editForm], "Cancel",
                help: "Close, change nothing", footer: 0,
                change: { $0.closeOverlay() }),
            Command(
                "closeHelp", [.escape, .enter, .function(1)], on: [.help], "Back",
                help: "Close the help (also ? and q before typing)", footer: 0,
                change: { $0.closeOverlay() }),
            Command(
                "runCommand", [.enter], on: [.palette], "Run",
                help: "Run the highlighted command", footer: 1,
                run: { $0.runHighlighted() }),
            Command(
                "closePalette", [.escape], on: [.palette], "Close",
                help: "Close the palette", footer: 0,
                change: { $0.closeOverlay() }),
            Command(
                "cursorLeft", [.left], on: .fields, "Left",
                help: "Cursor left, or previous choice",
                change: { $0.moveInField(by: -1) }),
            Command(
                "cursorRight", [.right], on: .fields, "Right",
                help: "Cursor right, or next choice",
                change: { $0.moveInField(by: 1) }),
            Command(
                "cursorToStart", [.home, .control("a")], on: .fields, "Start",
                help: "Cursor to the start",
                change: { $0.edit { $0.moveToStart() } }),
            Command(
                "cursorToEnd", [.end, .control("e")], on: .fields, "End",
                help: "Cursor to the end",
                change: { $0.edit { $0.moveToEnd() } }),
            Command(
                "deleteBackward", [.backspace], on: .fields, "Delete",
                help: "Delete the character before the cursor",
                change: { $0.edit { $0.deleteBackward() } }),
            Command(
                "deleteForward", [.delete], on: .fields, "Delete",
                help: "Delete the character at the cursor",
                change: { $0.edit { $0.deleteForward() } }),
            Command(
                "deleteWord", [.control("w")], on: .fields, "Delete word",
                help: "Delete the word before the cursor",
                change: { $0.edit { $0.deleteWord() } }),
            Command(
                "clearField", [.control("u")], on: .fields, "Clear",
                help: "Clear the field",
                change: { $0.edit { $0.clear() } }),
            Command(
                "deleteToEnd", [.control("k")], on: .fields, "Delete rest",
                help: "Delete everything after the cursor",
                change: { $0.edit { $0.deleteToEnd() } }),
        ]
    }
}
