extension CommandTable {
    static var viewing: [Command] {
        [
            Command(
                "details", [.enter], on: [.list], "Details",
                help: "Show everything about the task",
                also: "info inspect properties open show", footer: 8,
                needs: .taskInView,
                change: { $0.openDetails() }),
            Command(
                "pane", [.character("d")], on: [.list], "Pane",
                help: "Details beside the list: off, small or large",
                also: "split panel layout sidebar",
                change: { $0.details.pane = $0.details.pane.advanced(by: 1) }),
            Command(
                "graph", [.control("g")], on: [.list], "Graph",
                help: "Speeds of the last minutes in place of the details, or the details again",
                also: "chart plot speed curve history",
                change: { $0.toggleGraph() }),
            Command(
                "segments", [.character("B")], on: [.list, .details], "Segments",
                help: "The connections of a download and the map of its file",
                also: "chunks pieces connections parts map mirrors",
                needs: .currentTask,
                change: { model in
                    guard model.current != nil else { return }
                    if model.details.fullScreenID == nil { model.openDetails() }
                    model.show(DetailsTab.connection)
                }),
            Command(
                "next-part", [.character("]")], on: [.list, .details], "Next part",
                help: "Show the next part of the details",
                also: "tab section", footer: 12,
                needs: .currentTask,
                change: { $0.show($0.details.tab.advanced(by: 1)) }),
            Command(
                "previous-part", [.character("[")], on: [.list, .details], "Previous part",
                help: "Show the previous part of the details",
                also: "tab section",
                needs: .currentTask,
                change: { $0.show($0.details.tab.advanced(by: -1)) }),
            Command(
                "time", [.character("t")], on: [.list], "Time",
                help: "Time column: time left, time taken or time of day at the end",
                also: "eta remaining elapsed duration",
                change: { $0.list.timeColumn = $0.list.timeColumn.advanced(by: 1) }),
            Command(
                "follow", [.character("F")], on: [.list], "Follow",
                help: "Follow the selected task when sorting moves it, or stay",
                also: "track lock",
                change: { model in
                    model.list.follows.toggle()
                    model.notify(
                        model.list.follows ? "The view follows the selected task" : "The view stays where it is")
                }),
        ]
    }

    static var display: [Command] {
        [
            Command(
                "log", [.character("L")], on: [.list, .details], "Log",
                help: "Show the event log",
                also: "history events messages errors journal",
                change: { $0.overlay = .eventLog(EventLogState()) }),
            Command(
                "left-parts", [.character("~")], on: [.list], "Left parts",
                help: "Show parts of downloads that nothing owns any more, to remove them",
                also: "orphans leftovers cleanup partial temporary junk disk",
                run: { model in
                    model.overlay = .leftovers(LeftoversState())
                    return [.findParts]
                }),
            Command(
                "options", [.character("o")], on: [.list, .details], "Options",
                help: "Units, characters, frame rate, mouse, columns",
                also:
                    "settings preferences configuration setup theme colours colors style appearance unicode ascii braille columns config",
                change: { $0.overlay = .options(OptionsMenu()) }),
            Command(
                "freeze", [.character("Z")], on: [.list, .details], "Freeze",
                help: "Freeze the display while transfers go on, or let it go on",
                also: "hold still stop redraw",
                change: { $0.toggleFreeze() }),
            Command(
                "mouse", [.character("M")], on: [.list, .details], "Mouse",
                help: "Switch the mouse on or off",
                also: "click pointer",
                run: { $0.toggleMouse() }),
        ]
    }
}
