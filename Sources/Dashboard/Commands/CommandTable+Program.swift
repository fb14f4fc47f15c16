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
                help: "Find and run a command",
                change: { $0.overlay = .palette(PaletteState(screen: $0.screen)) }),
            Command(
                "quit", [.character("q"), .function(10)], on: [.list], "Quit",
                help: "Quit (asks if tasks are running)",
                also: "exit leave close", footer: 0,
                run: { $0.leaveTour() ? [] : $0.askToQuit() }),
            Command(
                "back", [.character("q"), .escape, .backspace, .function(10)], on: [.details], "Back",
                help: "Go back to the list", footer: 0,
                change: { $0.stepBack() }),
            Command(
                "step-back", [.escape], on: [.list], "Step back",
                help: "Clear message, filter, then marks",
                change: { $0.stepBack() }),
            Command(
                "detach", [.character("D")], on: [.list, .details], "Detach",
                help: "Close the window; tasks continue in the service",
                also: "background disconnect leave tmux screen",
                needs: .model(TaskReasons.noService) { $0.owner != .thisProcess },
                run: { _ in [.quit] }),
            Command(
                "quit-now", [.character("Q")], on: [.list, .details], "Quit now",
                help: "Quit now; tasks of a service continue",
                also: "exit leave close kill force",
                run: { _ in [.quit] }),
            Command(
                "interrupt", [.control("c")], on: Screen.allCases, "Interrupt",
                help: "Like q; twice in 2 s: like Q",
                run: { $0.interrupt() }),
            Command(
                "redraw", [.control("l")], on: Screen.allCases, "Redraw",
                help: "Redraw the screen",
                also: "refresh repaint repair",
                run: { _ in [.redrawAll] }),
            Command(
                "suspend", [.control("z")], on: Screen.allCases, "Suspend",
                help: "Suspend netdash; bg keeps tasks running, fg returns",
                also: "background shell stop",
                run: { _ in [.suspendProgram] }),
        ]
    }
}
