extension CommandTable {
    static var viewing: [Command] {
        [
            Command(
                "details", [.enter], on: [.list], "Details",
                help: "Show details of the task",
                also: "info inspect properties open show", footer: 8,
                needs: .taskInView,
                change: { $0.openDetails() }),
            Command(
                "pane", [.character("d")], on: [.list], "Pane",
                help: "Details pane: off, small or large",
                also: "split panel layout sidebar",
                change: { $0.details.pane = $0.details.pane.advanced(by: 1) }),
            Command(
                "graph", [.control("g")], on: [.list], "Graph",
                help: "Toggle the speed graph in the details pane",
                also: "chart plot speed curve history",
                change: { $0.toggleGraph() }),
            Command(
                "segments", [.character("B")], on: [.list, .details], "Segments",
                help: "Show connections and segment map",
                also: "chunks pieces connections parts map mirrors",
                needs: .currentTask,
                change: { model in
                    guard model.current != nil else { return }
                    if model.details.fullScreenID == nil { model.openDetails() }
                    model.show(DetailsTab.connection)
                }),
            Command(
                "next-part", [.character("]")], on: [.list, .details], "Next tab",
                help: "Next tab of the details",
                also: "tab section part", footer: 12,
                needs: .currentTask,
                change: { $0.show($0.details.tab.advanced(by: 1)) }),
            Command(
                "previous-part", [.character("[")], on: [.list, .details], "Previous tab",
                help: "Previous tab of the details",
                also: "tab section",
                needs: .currentTask,
                change: { $0.show($0.details.tab.advanced(by: -1)) }),
            Command(
                "time", [.character("t")], on: [.list], "Time",
                help: "Time column: ETA, time taken or end time",
                also: "eta remaining elapsed duration",
                change: { $0.list.timeColumn = $0.list.timeColumn.advanced(by: 1) }),
            Command(
                "follow", [.character("F")], on: [.list], "Follow",
                help: "Toggle following the selected task",
                also: "track lock",
                change: { model in
                    model.list.follows.toggle()
                    model.notify(model.list.follows ? ViewToasts.followOn : ViewToasts.followOff)
                }),
        ]
    }

    static var display: [Command] {
        [
            Command(
                "log", [.character("L")], on: [.list, .details], "Log",
                help: "Show the event log",
                also: "events messages errors journal",
                change: { $0.overlay = .eventLog(EventLogState()) }),
            Command(
                "history", [.control("r")], on: [.list, .details], "History",
                help: "Show ended tasks of all runs, with sums per day",
                also: "past finished archive records statistics totals day",
                run: { model in
                    model.overlay = .history(HistoryState())
                    return [.readHistory]
                }),
            Command(
                "left-parts", [.character("~")], on: [.list], "Leftovers",
                help: "Find and delete leftover partial files",
                also: "orphans parts cleanup partial temporary junk disk",
                run: { model in
                    model.overlay = .leftovers(LeftoversState())
                    return [.findParts]
                }),
            Command(
                "options", [.character("o")], on: [.list, .details], "Options",
                help: "Units, glyphs, frame rate, mouse, limits, columns",
                also:
                    "settings preferences configuration setup theme colours colors style appearance unicode ascii braille",
                change: { $0.overlay = .options(OptionsMenu()) }),
            Command(
                "freeze", [.character("Z")], on: [.list, .details], "Freeze",
                help: "Freeze or unfreeze the display",
                also: "hold still stop redraw",
                change: { $0.toggleFreeze() }),
            Command(
                "mouse", [.character("M")], on: [.list, .details], "Mouse",
                help: "Toggle the mouse",
                also: "click pointer",
                run: { $0.toggleMouse() }),
        ]
    }
}
