extension KeyTable {
    /// What can be done with a row and its file, beside letting it run.
    static let rows: [Command] = [
        Command(
            .actions, [.character("m")], on: [.list, .details], "Menu",
            help: "Choose from all that can be done with the selected tasks", needs: .target),
        Command(
            .startNow, [.character("S")], on: [.list, .details], "Start now",
            help: "Start the selected tasks now, past the limits on how many run at once", needs: .startableTask),
        Command(
            .fetchAgain, [.character("T")], on: [.list, .details], "Fetch again",
            help: "Transfer what is done once more; a file that is there stays", needs: .doneTask),
        Command(
            .newURL, [.character("!")], on: [.list, .details], "New URL",
            help: "Go on from another URL with the bytes there are, when the server proves that it is the same file",
            needs: .unfinishedDownload),
        Command(
            .moveFile, [.character("W")], on: [.list, .details], "Rename",
            help: "Rename the download's file or move it elsewhere, also an unfinished one", needs: .movableFile),
        Command(
            .openFile, [.character("O")], on: [.list, .details], "Open",
            help: "Open the file with its own program; over ssh, copy its path", needs: .wholeFile),
        Command(
            .openFolder, [.character("D")], on: [.list, .details], "Open folder",
            help: "Open the file's folder; over ssh, copy its path", needs: .filePath),
        Command(
            .remove, [.character("X")], on: [.list, .details], "Remove",
            help: "Remove the selected tasks from the list, after a question about their files", needs: .target),
    ]

    /// How many run at once.
    static let limits: [Command] = [
        Command(
            .moreAtOnce, [.character(")")], on: [.list, .details], "More at once",
            help: "Let more files run at once, and as many requests"),
        Command(
            .fewerAtOnce, [.character("(")], on: [.list, .details], "Fewer at once",
            help: "Let fewer files and requests run at once; those that run go on"),
        Command(
            .morePerHost, [.character("}")], on: [.list, .details], "More per host",
            help: "Let more tasks of one host run at once"),
        Command(
            .fewerPerHost, [.character("{")], on: [.list, .details], "Fewer per host",
            help: "Let fewer tasks of one host run at once; those that run go on"),
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
