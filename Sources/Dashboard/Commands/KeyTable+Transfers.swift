extension KeyTable {
    /// The commands for transfers.
    static let transfers: [Command] = [
        Command(
            .pause, [.character("p"), .function(7)], on: [.list, .details], "Pause", help: "Pause the selected tasks",
            also: "stop hold suspend halt wait",
            footer: 3, needs: .pausableTask),
        Command(
            .resume, [.character("r"), .function(8)], on: [.list, .details], "Resume",
            help: "Resume the selected tasks; try failed ones again, send finished requests again",
            also: "retry again restart continue start unpause rerun redo recover play", footer: 3,
            needs: .resumableTask),
        Command(
            .cancel, [.character("x"), .function(9), .delete], on: [.list, .details], "Cancel",
            help: "Cancel the selected tasks, after a question", also: "stop abort kill terminate end", footer: 3,
            needs: .cancellableTask),
        Command(
            .pauseAll, [.character("P")], on: [.list], "Pause all", help: "Pause everything in this view",
            also: "stop hold suspend everything", footer: 9,
            needs: .pausableTaskInView),
        Command(
            .resumeAll, [.character("R")], on: [.list], "Resume all",
            help: "Resume everything that is paused in this view", also: "continue start unpause everything", footer: 9,
            needs: .pausedTaskInView),
        Command(
            .undo, [.character("z")], on: [.list], "Undo",
            help: "Undo the last step, then the one before: pause, resume, cancel, priority, limits, clearing",
            also: "revert back restore mistake", needs: .undo),
    ]

    /// The commands for the queue.
    static let queue: [Command] = [
        Command(
            .raisePriority, [.character("+"), .character("=")], on: [.list, .details], "Raise priority",
            help: "Raise the priority of the selected tasks", also: "urgent first boost", needs: .liveTask),
        Command(
            .lowerPriority, [.character("-")], on: [.list, .details], "Lower priority",
            help: "Lower the priority of the selected tasks", also: "later last nice", needs: .liveTask),
        Command(
            .moveUp, [.character("K")], on: [.list], "Move up", help: "Move the selected tasks up in the queue",
            also: "reorder sooner order queue",
            needs: .queuedTask),
        Command(
            .moveDown, [.character("J")], on: [.list], "Move down", help: "Move the selected tasks down in the queue",
            also: "reorder later order queue",
            needs: .queuedTask),
    ]

    /// Data requests and bodies.
    static let requests: [Command] = [
        Command(
            .repeatRequest, [.character("E")], on: [.list, .details], "Repeat",
            help: "Send the data request every few seconds; p pauses that, x ends it",
            also: "poll watch interval loop every monitor", needs: .dataRequest),
        Command(
            .view, [.character("v")], on: [.list, .details], "View", help: "Open the body or the file in your pager",
            also: "pager less cat read show preview",
            needs: .viewable),
        Command(
            .write, [.character("w")], on: [.list, .details], "Write",
            help: "Write the body of the data request into a file", also: "save export dump output", needs: .body),
        Command(
            .fold, [.enter, .character(" ")], on: [.details], "Fold",
            help: "Fold the selected part of a JSON body, or unfold it", also: "collapse expand json tree",
            needs: .jsonBody),
        Command(
            .foldBody, [.character(",")], on: [.details], "Fold all",
            help: "Fold all parts of a JSON body, or unfold them", also: "collapse expand json tree", needs: .jsonBody),
        Command(
            .jsonPath, [.character(".")], on: [.details], "Path",
            help: "Show only what is at a path of a JSON body, such as .items[0].name or .items[].id",
            also: "jq json query", needs: .json),
        Command(
            .secrets, [.character("H")], on: [.list, .details], "Secrets",
            help: "Show secret header values, or hide them again", also: "password token reveal mask credentials",
            needs: .currentTask),
    ]

    /// Marks.
    static let marks: [Command] = [
        Command(
            .mark, [.character(" "), .insert], on: [.list], "Mark", help: "Mark the task, or unmark it, and move down",
            also: "select tag choose",
            footer: 6, needs: .taskInView),
        Command(
            .range, [.character("V")], on: [.list], "Range",
            help: "Mark a range from here; again: end it", also: "select several", needs: .taskInView),
        Command(
            .markAll, [.character("A")], on: [.list], "Mark all", help: "Mark everything in this view",
            also: "select everything", footer: 10,
            needs: .taskInView),
        Command(
            .unmarkAll, [.character("U")], on: [.list], "Unmark all", help: "Remove all marks",
            also: "deselect clear none", footer: 10,
            needs: .marks),
        Command(
            .invertMarks, [.character("i")], on: [.list], "Invert marks",
            help: "Mark what is not marked in this view, and unmark the rest", also: "toggle select reverse",
            needs: .taskInView),
    ]
}

extension KeyTable {
    /// What can be done with a row and its file, beside letting it run.
    static let rows: [Command] = [
        Command(
            .actions, [.character("m")], on: [.list, .details], "Menu",
            help: "Choose from all that can be done with the selected tasks", also: "actions context options",
            needs: .target),
        Command(
            .startNow, [.character("S")], on: [.list, .details], "Start now",
            help: "Start the selected tasks now, past the limits on how many run at once",
            also: "force immediately bypass", needs: .startableTask),
        Command(
            .fetchAgain, [.character("T")], on: [.list, .details], "Fetch again",
            help: "Transfer what is done once more; a file that is there stays",
            also: "redownload refetch reload refresh repeat again", needs: .doneTask),
        Command(
            .newURL, [.character("!")], on: [.list, .details], "New URL",
            help: "Go on from another URL with the bytes there are, when the server proves that it is the same file",
            also: "mirror link address replace expired source",
            needs: .unfinishedDownload),
        Command(
            .moveFile, [.character("W")], on: [.list, .details], "Rename",
            help: "Rename the download's file or move it elsewhere, also an unfinished one",
            also: "move destination path target folder", needs: .movableFile),
        Command(
            .openFile, [.character("O")], on: [.list, .details], "Open",
            help: "Open the file with its own program; over ssh, copy its path", also: "launch play xdg",
            needs: .wholeFile),
        Command(
            .openFolder, [.character("D")], on: [.list, .details], "Open folder",
            help: "Open the file's folder; over ssh, copy its path", also: "directory reveal finder location",
            needs: .filePath),
        Command(
            .remove, [.character("X")], on: [.list, .details], "Remove",
            help: "Remove the selected tasks from the list, after a question about their files",
            also: "delete erase trash discard forget drop rm clear", needs: .target),
    ]

    /// How many run at once, and how fast.
    static let limits: [Command] = [
        Command(
            .moreAtOnce, [.character(")")], on: [.list, .details], "More at once",
            help: "Let more files run at once, and as many requests",
            also: "concurrency parallel simultaneous slots jobs threads max limit increase connections"),
        Command(
            .fewerAtOnce, [.character("(")], on: [.list, .details], "Fewer at once",
            help: "Let fewer files and requests run at once; those that run go on",
            also: "concurrency parallel simultaneous slots jobs threads max limit decrease connections"),
        Command(
            .morePerHost, [.character("}")], on: [.list, .details], "More per host",
            help: "Let more tasks of one host run at once", also: "concurrency parallel connections server max limit"),
        Command(
            .fewerPerHost, [.character("{")], on: [.list, .details], "Fewer per host",
            help: "Let fewer tasks of one host run at once; those that run go on",
            also: "concurrency parallel connections server max limit"),
        Command(
            .limitRate, [.character("b")], on: [.list, .details], "Limit speed",
            help: "Limit the bytes a second of all that comes and goes, or let them go",
            also: "throttle bandwidth rate cap slow shape schedule kbps unlimited"),
        Command(
            .limitTask, [.character("u")], on: [.list, .details], "Limit task",
            help: "Limit the bytes a second of each selected task",
            also: "throttle bandwidth rate cap slow shape speed kbps unlimited", needs: .liveTask),
    ]

    /// The menu of what can be done with a row, and the question before one leaves.
    static let rowDialogs: [Command] = [
        Command(
            .chooseAction, [.enter, .character(" ")], on: [.actionMenu], "Choose", help: "Do this with the tasks",
            footer: 1),
        Command(
            .removeKeepingFiles, [.character("k")], on: [.removeDialog], "keep",
            help: "Remove from the list, and keep files and partial files", footer: 1),
        Command(
            .removeDeletingFiles, [.character("d")], on: [.removeDialog], "delete",
            help: "Remove from the list, and delete files and partial files", footer: 1),
    ]
}
