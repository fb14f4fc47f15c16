extension CommandTable {
    static var menus: [Command] {
        [
            Command(
                "chooseSort", [.enter, .character(" ")], on: [.sortMenu], "Choose",
                help: "Sort by this column; again reverses", footer: 1,
                change: { $0.chooseSort() }),
            Command(
                "toggleState", [.character(" ")], on: [.stateMenu], "Show",
                help: "Show or hide this state", footer: 1,
                change: { $0.toggleState() }),
            Command(
                "closeStateMenu", [.enter, .escape, .character("q")], on: [.stateMenu], "Close",
                help: "Close the menu", footer: 0,
                change: { $0.overlay = nil }),
            Command(
                "nextValue", [.right, .enter, .character(" "), .character("l")], on: [.options], "Next",
                help: "Next value of the option", footer: 1,
                run: { $0.changeOption(by: 1) }),
            Command(
                "previousValue", [.left, .character("h")], on: [.options], "Previous",
                help: "Previous value of the option",
                run: { $0.changeOption(by: -1) }),
            Command(
                "moveColumnLeft", [.character("K")], on: [.options], "Column left",
                help: "Move the column left in the table",
                needs: .column,
                change: { $0.moveColumn(by: -1) }),
            Command(
                "moveColumnRight", [.character("J")], on: [.options], "Column right",
                help: "Move the column right in the table",
                needs: .column,
                change: { $0.moveColumn(by: 1) }),
            Command(
                "widenColumn", [.character("+"), .character("=")], on: [.options], "Wider",
                help: "Widen the column (also shows it in narrow windows)", footer: 2,
                needs: .column,
                change: { $0.widenColumn(by: 2) }),
            Command(
                "narrowColumn", [.character("-")], on: [.options], "Narrower",
                help: "Narrow the column",
                needs: .column,
                change: { $0.widenColumn(by: -2) }),
            Command(
                "usualColumn", [.character("0")], on: [.options], "Usual width",
                help: "Automatic column width",
                needs: .column,
                change: { $0.resetColumnWidth() }),
            Command(
                "saveOptions", [.character("s")], on: [.options], "Save",
                help: "Save changes to the configuration file", footer: 1,
                run: { $0.saveOptions() }),
            Command(
                "removePart", [.character("x"), .delete], on: [.leftovers], "Delete",
                help: "Delete this file (asks first)", footer: 1,
                needs: .unaskedLeftover,
                change: { $0.askToRemoveParts(all: false) }),
            Command(
                "removeAllParts", [.character("X")], on: [.leftovers], "Delete all",
                help: "Delete all listed files (asks first)", footer: 2,
                needs: .unaskedLeftover,
                change: { $0.askToRemoveParts(all: true) }),
            Command(
                "confirmParts", [.character("y")], on: [.leftovers], "Yes",
                help: "Confirm the deletion", footer: 0,
                needs: .model(TaskReasons.nothingToConfirm) { $0.leftoversState?.asked.isEmpty == false },
                run: { $0.removeAskedParts() }),
            Command(
                "closeParts", [.escape, .character("q"), .character("n")], on: [.leftovers], "Close",
                help: "Dismiss the question, or close the list", footer: 0,
                button: .saying({ _ in "Close" }, hint: { $0.leftoversState?.asked.isEmpty == false ? "No" : nil }),
                change: { $0.leaveLeftovers() }),
            Command(
                "closeMenu", [.escape, .character("q")], on: [.actionMenu, .sortMenu, .options, .eventLog], "Close",
                help: "Close", footer: 0,
                change: { $0.overlay = nil }),
            Command(
                "addEnded", [.enter, .character("a")], on: [.history], "Add again",
                help: "Open the form with this task's URL and method", footer: 2,
                needs: .keptEnd,
                change: { $0.addEnded() }),
            Command(
                "forgetEnded", [.character("x"), .delete], on: [.history], "Forget",
                help: "Forget this task (asks first); its file stays", footer: 3,
                needs: .unaskedEnd,
                change: { model in model.changeHistory { $0.ask(.highlighted) } }),
            Command(
                "forgetAllEnded", [.character("X")], on: [.history], "Forget all",
                help: "Forget all listed tasks (asks first); files stay", footer: 4,
                needs: .unaskedEnd,
                change: { model in model.changeHistory { $0.ask(.shown) } }),
            Command(
                "confirmForgetting", [.character("y")], on: [.history], "Yes",
                help: "Confirm and forget", footer: 0,
                needs: .model(TaskReasons.nothingToConfirm) { $0.openHistory?.question != nil },
                run: { $0.forgetAskedEnds() }),
            Command(
                "closeHistory", [.escape, .character("q"), .character("n")], on: [.history], "Close",
                help: "Dismiss the question, or close the history", footer: 0,
                button: .saying({ _ in "Close" }, hint: { $0.openHistory?.question != nil ? "No" : nil }),
                change: { $0.leaveHistory() }),
            Command(
                "chooseAction", [.enter, .character(" ")], on: [.actionMenu], "Choose",
                help: "Run this action", footer: 1,
                run: { $0.chooseAction() }),
        ]
    }
}
