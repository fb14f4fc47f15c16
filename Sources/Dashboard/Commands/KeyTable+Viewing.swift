extension KeyTable {
    /// Filter, sort and tabs.
    static let filtering: [Command] = [
        Command(
            .filter, [.character("/"), .character("\\"), .function(4)], on: [.list], "Filter",
            help: "Show only some tasks, as you type: words, conditions, patterns; F1 there explains them", footer: 4,
            needs: .anyTask),
        Command(
            .filterLog, [.character("/"), .character("\\"), .function(4)], on: [.eventLog], "Filter",
            help: "Show only some lines, in the words of the list's filter", footer: 1),
        Command(
            .search, [.character("/"), .character("\\"), .function(4)], on: [.details], "Search",
            help: "Search this part of the details", footer: 6, needs: .currentTask),
        Command(.states, [.character("f")], on: [.list], "States", help: "Choose which states are shown"),
        Command(
            .sort, [.character("s"), .function(6)], on: [.list], "Sort", help: "Choose what the table is sorted by",
            footer: 5, needs: .anyTask),
        Command(
            .previousColumn, [.character("<")], on: [.list], "Previous column", help: "Sort by the previous column"),
        Command(.nextColumn, [.character(">")], on: [.list], "Next column", help: "Sort by the next column"),
        Command(.invert, [.character("I")], on: [.list], "Invert", help: "Sort the other way round"),
        Command(
            .group, [.character("&")], on: [.list], "Group",
            help: "Group the table by host, by folder, by kind or not; Enter on a group's line folds it"),
        Command(
            .hosts, [.character("@")], on: [.list], "Hosts",
            help: "Show one line for each host: tasks, speed, connections, the last error; again: what was there before"
        ),
        Command(
            .foldAll, [.character(",")], on: [.list], "Fold all", help: "Fold all groups, or unfold them",
            needs: .groups),
        Command(.nextTab, [.tab], on: [.list], "Next tab", help: "Show the next tab"),
        Command(.previousTab, [.backTab], on: [.list], "Previous tab", help: "Show the previous tab"),
        Command(.all, [.character("1")], on: [.list], "All", help: "Show all tasks"),
        Command(.data, [.character("2")], on: [.list], "Data", help: "Show data requests"),
        Command(.upload, [.character("3")], on: [.list], "Upload", help: "Show uploads"),
        Command(.download, [.character("4")], on: [.list], "Download", help: "Show downloads"),
        Command(
            .view5, [.character("5")], on: [.list], "View 5", help: "Show saved view 5: its filter, order and groups"),
        Command(.view6, [.character("6")], on: [.list], "View 6", help: "Show saved view 6"),
        Command(.view7, [.character("7")], on: [.list], "View 7", help: "Show saved view 7"),
        Command(.view8, [.character("8")], on: [.list], "View 8", help: "Show saved view 8"),
        Command(.view9, [.character("9")], on: [.list], "View 9", help: "Show saved view 9"),
        Command(
            .saveView, [.character(";")], on: [.list], "Save view",
            help: "Save filter, order and groups under a digit and a name"),
    ]

    /// Details and how rows are shown.
    static let viewing: [Command] = [
        Command(
            .details, [.enter], on: [.list], "Details", help: "Show everything about the task", footer: 8,
            needs: .taskInView),
        Command(.pane, [.character("d")], on: [.list], "Pane", help: "Details beside the list: off, small or large"),
        Command(
            .graph, [.control("g")], on: [.list], "Graph",
            help: "Speeds of the last minutes in place of the details, or the details again"),
        Command(
            .segments, [.character("B")], on: [.list, .details], "Segments",
            help: "The connections of a download and the map of its file", needs: .currentTask),
        Command(
            .nextPart, [.character("]")], on: [.list, .details], "Next part", help: "Show the next part of the details",
            footer: 12, needs: .currentTask),
        Command(
            .previousPart, [.character("[")], on: [.list, .details], "Previous part",
            help: "Show the previous part of the details", needs: .currentTask),
        Command(
            .time, [.character("t")], on: [.list], "Time",
            help: "Time column: time left, time taken or time of day at the end"),
        Command(
            .follow, [.character("F")], on: [.list], "Follow",
            help: "Follow the selected task when sorting moves it, or stay"),
    ]

    /// Adding, changing and clearing tasks, and copying what they are made of.
    static let tasks: [Command] = [
        Command(.add, [.character("a")], on: [.list], "Add", help: "Add a task", footer: 7),
        Command(
            .edit, [.character("e")], on: [.list, .details], "Edit",
            help: "Edit the task; one that has ended starts again",
            needs: .currentTask),
        Command(
            .clear, [.character("c")], on: [.list], "Clear",
            help: "Remove completed tasks of this view from the list; files stay", needs: .doneTaskInView),
        Command(
            .clearEnded, [.character("C")], on: [.list], "Clear ended",
            help: "Remove failed and cancelled tasks of this view too, after a question; files stay",
            needs: .endedTaskInView),
        Command(
            .copyURL, [.character("y")], on: [.list, .details], "Copy URL", help: "Copy the URLs of the selected tasks",
            footer: 11, needs: .target),
        Command(
            .copyAsCurl, [.character("Y")], on: [.list, .details], "Copy as curl",
            help: "Copy the selected tasks as curl commands, headers and body included", needs: .target),
    ]

    /// What is on the screen.
    static let display: [Command] = [
        Command(.log, [.character("L")], on: [.list, .details], "Log", help: "Show the event log"),
        Command(
            .leftParts, [.character("~")], on: [.list], "Left parts",
            help: "Show parts of downloads that nothing owns any more, to remove them"),
        Command(
            .options, [.character("o")], on: [.list, .details], "Options",
            help: "Units, characters, frame rate, mouse, columns"),
        Command(
            .freeze, [.character("Z")], on: [.list, .details], "Freeze",
            help: "Freeze the display while transfers go on, or let it go on"),
        Command(.mouse, [.character("M")], on: [.list, .details], "Mouse", help: "Switch the mouse on or off"),
    ]

    /// The demo's tour, which no other dashboard has.
    static let tour = Command(
        .tour, [.character("?")], on: [.list], "Tour", help: "Begin the short tour, or go on to its next step",
        footer: 1)
}
