extension CommandTable {
    static var menus: [Command] {
        [
            Command(
                "chooseSort", [.enter, .character(" ")], on: [.sortMenu], "Choose",
                help: "Sort by this; again: the other way round", footer: 1,
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
                help: "The option's next value", footer: 1,
                run: { $0.changeOption(by: 1) }),
            Command(
                "previousValue", [.left, .character("h")], on: [.options], "Previous",
                help: "The option's previous value",
                run: { $0.changeOption(by: -1) }),
            Command(
                "moveColumnLeft", [.character("K")], on: [.options], "Column left",
                help: "Move the column to the left in the table",
                needs: .column,
                change: { $0.moveColumn(by: -1) }),
            Command(
                "moveColumnRight", [.character("J")], on: [.options], "Column right",
                help: "Move the column to the right in the table",
                needs: .column,
                change: { $0.moveColumn(by: 1) }),
            Command(
                "widenColumn", [.character("+"), .character("=")], on: [.options], "Wider",
                help: "Make the column wider; it is then shown in narrow windows too", footer: 2,
                needs: .column,
                change: { $0.widenColumn(by: 2) }),
            Command(
                "narrowColumn", [.character("-")], on: [.options], "Narrower",
                help: "Make the column narrower",
                needs: .column,
                change: { $0.widenColumn(by: -2) }),
            Command(
                "usualColumn", [.character("0")], on: [.options], "Usual width",
                help: "Give the column the width that suits the window",
                needs: .column,
                change: { $0.resetColumnWidth() }),
            Command(
                "saveOptions", [.character("s")], on: [.options], "Save",
                help: "Save what was changed in the configuration file, order and details pane too", footer: 1,
                run: { $0.saveOptions() }),
            Command(
                "removePart", [.character("x"), .delete], on: [.leftovers], "Remove",
                help: "Ask whether this part is to be removed", footer: 1,
                change: { $0.askToRemoveParts(all: false) }),
            Command(
                "removeAllParts", [.character("X")], on: [.leftovers], "Remove all",
                help: "Ask whether all of them are to be removed", footer: 2,
                change: { $0.askToRemoveParts(all: true) }),
            Command(
                "confirmParts", [.character("y")], on: [.leftovers], "Yes",
                help: "Remove what the question names", footer: 3,
                run: { $0.removeAskedParts() }),
            Command(
                "closeParts", [.escape, .character("q"), .character("n")], on: [.leftovers], "Close",
                help: "Take the question back; without one, close the list", footer: 0,
                change: { $0.leaveLeftovers() }),
            Command(
                "closeMenu", [.escape, .character("q")], on: [.actionMenu, .sortMenu, .options, .eventLog], "Close",
                help: "Close", footer: 0,
                change: { $0.overlay = nil }),
            Command(
                "chooseAction", [.enter, .character(" ")], on: [.actionMenu], "Choose",
                help: "Do this with the tasks", footer: 1,
                run: { $0.chooseAction() }),
        ]
    }
}
