extension KeyTable {
    /// Filter, sort and tabs.
    static let filtering: [Command] = [
        Command(
            [.character("/"), .character("\\"), .function(4)], on: [.list], "Filter",
            help: "Show only some tasks, as you type: text, state: kind: host: size> size<", footer: 4,
            unless: hasNoTask,
            do: { $0.openFilter() }),
        Command(
            [.character("/"), .character("\\"), .function(4)], on: [.details], "Search",
            help: "Look for a text in this part of the details", footer: 6, unless: hasNoCurrent,
            do: { $0.askToSearch() }),
        Command(
            [.character("f")], on: [.list], "States", help: "Choose which states are shown",
            do: { $0.openStateMenu() }),
        Command(
            [.character("s"), .function(6)], on: [.list], "Sort", help: "Choose what the table is sorted by", footer: 5,
            unless: hasNoTask,
            do: { $0.openSortMenu() }),
        Command(
            [.character("<")], on: [.list], "Previous column", help: "Sort by the previous column",
            do: { $0.sort(by: $0.rows.query.order.advanced(by: -1)) }),
        Command(
            [.character(">")], on: [.list], "Next column", help: "Sort by the next column",
            do: { $0.sort(by: $0.rows.query.order.advanced(by: 1)) }),
        Command(
            [.character("I")], on: [.list], "Invert", help: "Sort the other way round",
            do: { model in
                var order = model.rows.query.order
                order.isInverted.toggle()
                model.sort(by: order)
            }),
        Command(
            [.tab], on: [.list], "Next tab", help: "Show the next tab",
            do: { $0.show($0.rows.query.tab.advanced(by: 1)) }),
        Command(
            [.backTab], on: [.list], "Previous tab", help: "Show the previous tab",
            do: { $0.show($0.rows.query.tab.advanced(by: -1)) }),
        Command([.character("1")], on: [.list], "All", help: "Show all tasks", do: { $0.show(.all) }),
        Command([.character("2")], on: [.list], "Data", help: "Show data requests", do: { $0.show(.data) }),
        Command([.character("3")], on: [.list], "Upload", help: "Show uploads", do: { $0.show(.upload) }),
        Command([.character("4")], on: [.list], "Download", help: "Show downloads", do: { $0.show(.download) }),
    ]

    /// Details and what is on the screen.
    static let viewing: [Command] = [
        Command(
            [.enter], on: [.list], "Details", help: "Show everything about the task", footer: 8,
            unless: { $0.rows.shownCount == 0 ? "There is no task here" : nil }, do: { $0.openDetails() }),
        Command(
            [.character("d")], on: [.list], "Pane", help: "Details beside the list: off, small or large",
            do: { $0.details.pane = $0.details.pane.next }),
        Command(
            [.character("]")], on: [.list, .details], "Next part", help: "Show the next part of the details",
            footer: 12,
            unless: hasNoCurrent, do: { $0.changeDetailsTab(by: 1) }),
        Command(
            [.character("[")], on: [.list, .details], "Previous part", help: "Show the previous part of the details",
            unless: hasNoCurrent, do: { $0.changeDetailsTab(by: -1) }),
        Command(
            [.character("t")], on: [.list], "Time",
            help: "Time column: time left, time taken or time of day at the end",
            do: { $0.list.timeColumn = Model.neighbour(of: $0.list.timeColumn, by: 1) }),
        Command(
            [.character("F")], on: [.list], "Follow",
            help: "Scroll with the selected task when sorting moves it, or stay",
            do: { model in
                model.list.follows.toggle()
                model.notify(model.list.follows ? "The view follows the selected task" : "The view stays where it is")
            }),
        Command(
            [.character("a")], on: [.list], "Add", help: "Add a task", footer: 7,
            do: { $0.overlay = .addForm(AddForm(defaults: $0.jobDefaults)) }),
        Command(
            [.character("e")], on: [.list, .details], "Edit", help: "Edit the task and add it again",
            unless: hasNoCurrent,
            effects: { model in model.current.map { [.edit($0.id)] } ?? [] }),
        Command(
            [.character("c")], on: [.list], "Clear", help: "Drop the tasks that are done from the list; files stay",
            unless: { $0.rows.counts[nil, .done] == 0 ? "No task is done" : nil }, effects: { $0.clearDone() }),
        Command(
            [.character("C")], on: [.list], "Clear ended",
            help: "Drop failed and cancelled tasks too, after a question; files stay",
            unless: { $0.rows.counts.ended > 0 ? nil : "No task has ended" },
            do: { $0.askToClear() }),
        Command(
            [.character("y")], on: [.list, .details], "Copy URL", help: "Copy the URLs of the selected tasks",
            footer: 11,
            unless: hasNoCurrent, effects: { [.quote($0.targets.map(\.id), asCommands: false)] }),
        Command(
            [.character("Y")], on: [.list, .details], "Copy as curl",
            help: "Copy the selected tasks as curl commands, headers and body included",
            unless: hasNoCurrent, effects: { [.quote($0.targets.map(\.id), asCommands: true)] }),
        Command(
            [.character("L")], on: [.list, .details], "Log", help: "Show what happened so far",
            do: { $0.overlay = .eventLog(0) }),
        Command(
            [.character("o")], on: [.list, .details], "Options", help: "Units, characters, frame rate, mouse, columns",
            do: { $0.overlay = .options(OptionsMenu()) }),
        Command(
            [.character("Z")], on: [.list, .details], "Freeze",
            help: "Freeze the display while transfers go on, or let it go on", do: { $0.toggleFreeze() }),
        Command(
            [.character("M")], on: [.list, .details], "Mouse", help: "Switch the mouse on or off",
            effects: { $0.toggleMouse() }),
    ]

    @Sendable private static func hasNoCurrent(_ model: Model) -> SafeText? {
        model.current == nil ? "There is no task here" : nil
    }

    @Sendable private static func hasNoTask(_ model: Model) -> SafeText? {
        model.rows.count == 0 ? "There is no task yet" : nil
    }
}
