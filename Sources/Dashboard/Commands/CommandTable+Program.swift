extension CommandTable {
    static var program: [Command] {
        [
            Command(
                "help", [.character("?"), .function(1)], on: Screen.allCases.filter { $0 != .help }, "Help",
                help: "Show the keys of this screen",
                also: "keys shortcuts bindings manual documentation commands", footer: 0,
                change: { $0.overlay = .help(HelpState(screen: $0.screen, previous: $0.overlay)) }),
            Command(
                "palette", [.character(":"), .function(2)], on: [.list, .details], "Commands",
                help: "Find a command by its name, and run it",
                change: { $0.overlay = .palette(PaletteState(screen: $0.screen)) }),
            Command(
                "quit", [.character("q"), .function(10)], on: [.list], "Quit",
                help: "Quit, after a question when transfers are live",
                also: "exit leave close", footer: 0,
                run: { $0.leaveTour() ? [] : $0.askToQuit() }),
            Command(
                "back", [.character("q"), .escape, .backspace, .function(10)], on: [.details], "Back",
                help: "Go back to the list", footer: 0,
                change: { $0.stepBack() }),
            Command(
                "step-back", [.escape], on: [.list], "Step back",
                help: "One step back: message, filter, marks",
                change: { $0.stepBack() }),
            Command(
                "quit-now", [.character("Q")], on: [.list, .details], "Quit now",
                help: "Quit at once and continue next time",
                also: "exit leave close kill force",
                run: { _ in [.quit] }),
            Command(
                "interrupt", [.control("c")], on: Screen.allCases, "Interrupt",
                help: "Quit, as q does; twice within two seconds, as Q does",
                run: { $0.interrupt() }),
            Command(
                "redraw", [.control("l")], on: Screen.allCases, "Redraw",
                help: "Draw everything again",
                also: "refresh repaint repair",
                run: { _ in [.redrawAll] }),
            Command(
                "suspend", [.control("z")], on: Screen.allCases, "Suspend",
                help: "Stop the program; bg lets transfers go on, fg comes back",
                also: "background shell",
                run: { _ in [.suspendProgram] }),
        ]
    }
}
