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
