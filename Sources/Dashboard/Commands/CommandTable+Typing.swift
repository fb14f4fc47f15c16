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
                help: "Accept the answer", footer: 1,
                run: { $0.acceptPrompt() }),
            Command(
                "cancelPrompt", [.escape], on: [.prompt], "Cancel",
                help: "Change nothing", footer: 0,
                change: { $0.closeOverlay() }),
            Command(
                "complete", [.tab], on: [.filterPrompt, .prompt, .addForm, .editForm], "Complete",
                help: "Complete the word or the path; go to the next field",
                run: { $0.completeField() }),
            Command(
                "recallEarlier", [.up], on: [.filterPrompt, .prompt, .addForm, .editForm], "Earlier",
                help: "Recall the entry before; go to the previous field",
                change: { $0.recall(by: 1) }),
            Command(
                "recallLater", [.down], on: [.filterPrompt, .prompt, .addForm, .editForm], "Later",
                help: "Recall the entry after; go to the next field",
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
                help: "Add the task and keep the form for another", footer: 2,
                run: { $0.acceptForm(asAnother: true) }),
            Command(
                "saveTask", [.enter], on: [.editForm], "Save",
                help: "Start the task again as it is written here, or press the highlighted button", footer: 1,
                run: { $0.pressForm() }),
            Command(
                "addAsNew", [.control("n")], on: [.editForm], "Add as new",
                help: "Leave the task as it is and add another one", footer: 2,
                run: { $0.acceptForm(asAnother: true) }),
            Command(
                "cancelForm", [.escape], on: [.addForm], "Cancel",
                help: "Add nothing", footer: 0,
                change: { $0.closeOverlay() }),
            Command(
                "cancelEdit", [.escape], on: [.editForm], "Cancel",
                help: "Change nothing", footer: 0,
                change: { $0.closeOverlay() }),
            Command(
                "closeHelp", [.escape, .enter, .function(1)], on: [.help], "Back",
                help: "Close the help; while nothing is typed, ? and q do too", footer: 0,
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
                help: "Move left; previous choice",
                change: { $0.moveInField(by: -1) }),
            Command(
                "cursorRight", [.right], on: .fields, "Right",
                help: "Move right; next choice",
                change: { $0.moveInField(by: 1) }),
            Command(
                "cursorToStart", [.home, .control("a")], on: .fields, "Start",
                help: "Move to the start",
                change: { $0.edit { $0.moveToStart() } }),
            Command(
                "cursorToEnd", [.end, .control("e")], on: .fields, "End",
                help: "Move to the end",
                change: { $0.edit { $0.moveToEnd() } }),
            Command(
                "deleteBackward", [.backspace], on: .fields, "Delete",
                help: "Delete the character before",
                change: { $0.edit { $0.deleteBackward() } }),
            Command(
                "deleteForward", [.delete], on: .fields, "Delete",
                help: "Delete the character at the cursor",
                change: { $0.edit { $0.deleteForward() } }),
            Command(
                "deleteWord", [.control("w")], on: .fields, "Delete word",
                help: "Delete the word before",
                change: { $0.edit { $0.deleteWord() } }),
            Command(
                "clearField", [.control("u")], on: .fields, "Clear",
                help: "Delete everything",
                change: { $0.edit { $0.clear() } }),
            Command(
                "deleteToEnd", [.control("k")], on: .fields, "Delete rest",
                help: "Delete everything after the cursor",
                change: { $0.edit { $0.deleteToEnd() } }),
        ]
    }
}
