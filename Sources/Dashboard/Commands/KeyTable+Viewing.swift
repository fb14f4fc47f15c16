extension KeyTable {
    /// Filter, sort and tabs.
    static let filtering: [Command] = [
        Command(
            .filter, [.character("/"), .character("\\"), .function(4)], on: [.list], "Filter",
            help: "Show only some tasks, as you type: words, conditions, patterns; F1 there explains them",
            also: "find search grep query match", footer: 4,
            needs: .anyTask),
        Command(
            .filterLog, [.character("/"), .character("\\"), .function(4)], on: [.eventLog], "Filter",
            help: "Show only some lines, in the words of the list's filter", also: "find grep", footer: 1),
        Command(
            .search, [.character("/"), .character("\\"), .function(4)], on: [.details], "Search",
            help: "Search this part of the details", also: "find grep", footer: 6, needs: .currentTask),
        Command(
            .states, [.character("f")], on: [.list], "States", help: "Choose which states are shown",
            also: "status failed running done active"),
        Command(
            .sort, [.character("s"), .function(6)], on: [.list], "Sort", help: "Choose what the table is sorted by",
            also: "order arrange rank by",
            footer: 5, needs: .anyTask),
        Command(
            .previousColumn, [.character("<")], on: [.list], "Previous column", help: "Sort by the previous column"),
        Command(.nextColumn, [.character(">")], on: [.list], "Next column", help: "Sort by the next column"),
        Command(
            .invert, [.character("I")], on: [.list], "Invert", help: "Sort the other way round",
            also: "reverse order descending ascending"),
        Command(
            .group, [.character("&")], on: [.list], "Group",
            help: "Group the table by host, by folder, by kind or not; Enter on a group's line folds it",
            also: "cluster tree hosts folders"),
        Command(
            .hosts, [.character("@")], on: [.list], "Hosts",
            help:
                "Show one line for each host: tasks, speed, connections, the last error; again: what was there before",
            also: "servers domains connections"
        ),
        Command(
            .foldAll, [.character(",")], on: [.list], "Fold all", help: "Fold all groups, or unfold them",
            also: "collapse expand groups",
            needs: .groups),
        Command(.nextTab, [.tab], on: [.list], "Next tab", help: "Show the next tab", also: "switch"),
        Command(.previousTab, [.backTab], on: [.list], "Previous tab", help: "Show the previous tab", also: "switch"),
        Command(
            .all, [.character("1")], on: [.list], "All", help: "Show all tasks; after a saved view, without its filter",
            also: "everything tab"),
        Command(.data, [.character("2")], on: [.list], "Data", help: "Show data requests", also: "requests api"),
        Command(.upload, [.character("3")], on: [.list], "Upload", help: "Show uploads", also: "send put tab"),
        Command(.download, [.character("4")], on: [.list], "Download", help: "Show downloads", also: "get tab"),
        Command(
            .view5, [.character("5")], on: [.list], "View 5", help: "Show saved view 5: its filter, order and groups",
            also: "saved preset"),
        Command(.view6, [.character("6")], on: [.list], "View 6", help: "Show saved view 6", also: "saved preset"),
        Command(.view7, [.character("7")], on: [.list], "View 7", help: "Show saved view 7", also: "saved preset"),
        Command(.view8, [.character("8")], on: [.list], "View 8", help: "Show saved view 8", also: "saved preset"),
        Command(.view9, [.character("9")], on: [.list], "View 9", help: "Show saved view 9", also: "saved preset"),
        Command(
            .saveView, [.character(";")], on: [.list], "Save view",
            help: "Save filter, order and groups under a digit and a name", also: "bookmark preset layout remember"),
    ]

    /// Details and how rows are shown.
    static let viewing: [Command] = [
        Command(
            .details, [.enter], on: [.list], "Details", help: "Show everything about the task",
            also: "info inspect properties open show", footer: 8,
            needs: .taskInView),
        Command(
            .pane, [.character("d")], on: [.list], "Pane", help: "Details beside the list: off, small or large",
            also: "split panel layout sidebar"),
        Command(
            .graph, [.control("g")], on: [.list], "Graph",
            help: "Speeds of the last minutes in place of the details, or the details again",
            also: "chart plot speed curve history"),
        Command(
            .segments, [.character("B")], on: [.list, .details], "Segments",
            help: "The connections of a download and the map of its file",
            also: "chunks pieces connections parts map mirrors", needs: .currentTask),
        Command(
            .nextPart, [.character("]")], on: [.list, .details], "Next part", help: "Show the next part of the details",
            also: "tab section",
            footer: 12, needs: .currentTask),
        Command(
            .previousPart, [.character("[")], on: [.list, .details], "Previous part",
            help: "Show the previous part of the details", also: "tab section", needs: .currentTask),
        Command(
            .time, [.character("t")], on: [.list], "Time",
            help: "Time column: time left, time taken or time of day at the end", also: "eta remaining elapsed duration"
        ),
        Command(
            .follow, [.character("F")], on: [.list], "Follow",
            help: "Follow the selected task when sorting moves it, or stay", also: "track lock"),
    ]

    /// Adding, changing and clearing tasks, and copying what they are made of.
    static let tasks: [Command] = [
        Command(
            .add, [.character("a")], on: [.list], "Add", help: "Add a task",
            also: "new create import paste url download upload request list curl metalink checksum mirror proxy header",
            footer: 7),
        Command(
            .edit, [.character("e")], on: [.list, .details], "Edit",
            help: "Edit the task in its place; it starts again with the changes",
            also: "change modify checksum mirror header proxy password properties",
            needs: .currentTask),
        Command(
            .clear, [.character("c")], on: [.list], "Clear",
            help: "Remove completed tasks of this view from the list; files stay",
            also: "clean purge delete finished completed done", needs: .doneTaskInView),
        Command(
            .clearEnded, [.character("C")], on: [.list], "Clear ended",
            help: "Remove failed and cancelled tasks of this view too, after a question; files stay",
            also: "clean purge delete failed cancelled",
            needs: .endedTaskInView),
        Command(
            .copyURL, [.character("y")], on: [.list, .details], "Copy URL", help: "Copy the URLs of the selected tasks",
            also: "clipboard yank link address",
            footer: 11, needs: .target),
        Command(
            .copyAsCurl, [.character("Y")], on: [.list, .details], "Copy as curl",
            help: "Copy the selected tasks as curl commands, headers and body included",
            also: "clipboard yank export command share", needs: .target),
    ]

    /// What is on the screen.
    static let display: [Command] = [
        Command(
            .log, [.character("L")], on: [.list, .details], "Log", help: "Show the event log",
            also: "history events messages errors journal"),
        Command(
            .leftParts, [.character("~")], on: [.list], "Left parts",
            help: "Show parts of downloads that nothing owns any more, to remove them",
            also: "orphans leftovers cleanup partial temporary junk disk"),
        Command(
            .options, [.character("o")], on: [.list, .details], "Options",
            help: "Units, characters, frame rate, mouse, columns",
            also:
                "settings preferences configuration setup theme colours colors style appearance unicode ascii braille columns config"
        ),
        Command(
            .freeze, [.character("Z")], on: [.list, .details], "Freeze",
            help: "Freeze the display while transfers go on, or let it go on", also: "hold still stop redraw"),
        Command(
            .mouse, [.character("M")], on: [.list, .details], "Mouse", help: "Switch the mouse on or off",
            also: "click pointer"),
    ]

    /// The demo's tour, which no other dashboard has.
    static let tour = Command(
        .tour, [.character("?")], on: [.list], "Tour", help: "Begin the short tour, or go on to its next step",
        also: "tutorial introduction guide",
        footer: 1)
}
