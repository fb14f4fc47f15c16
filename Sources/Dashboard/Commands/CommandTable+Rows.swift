extension CommandTable {
    /// Commands for a row and its file, except starting and stopping it.
    static var rows: [Command] {
        [
            Command(
                "actions", [.character("m")], on: [.list, .details], "Menu",
                help: "Choose from all that can be done with the selected tasks",
                also: "actions context options",
                needs: .anyTarget,
                change: { $0.overlay = .actions(ActionMenu()) }),
            Command(
                "start-now", [.character("S")], on: [.list, .details], "Start now",
                help: "Start the selected tasks now, past the limits on how many run at once",
                also: "force immediately bypass", menu: 30,
                needs: .target("Nothing selected waits to be started") { $0.canStartNow },
                run: { model in
                    let all = model.targets
                    let ids = all.filter(\.canStartNow).map(\.id)
                    model.report("Starting now, past the limits:", hit: ids.count, skipped: all.count - ids.count)
                    let pauses = model.keys.key(of: .pause) + " pauses it"
                    return model.endUndo("A task that was started at once does not go back to the queue: " + pauses)
                        + [.send(.startNow(ids))]
                }),
            Command(
                "fetch-again", [.character("T")], on: [.list, .details], "Fetch again",
                help: "Transfer what is done once more; a file that is there stays",
                also: "redownload refetch reload refresh repeat again", menu: 40,
                needs: .target("Nothing selected is done, so there is nothing to transfer again") { $0.state == .done },
                run: { model in
                    let all = model.targets
                    let ids = all.filter { $0.state == .done }.map(\.id)
                    model.report("Once more:", hit: ids.count, skipped: all.count - ids.count)
                    let ends = model.keys.key(of: .cancel) + " cancels it"
                    return model.endUndo("A task that transfers once more does not go back to its end: " + ends)
                        + [.send(.fetchAgain(ids))]
                }),
            Command(
                "new-url", [.character("!")], on: [.list, .details], "New URL",
                help:
                    "Go on from another URL with the bytes there are, when the server proves that it is the same file",
                also: "mirror link address replace expired source", menu: 50,
                needs: .current("Only a download that is not complete goes on from another URL") {
                    $0.figures.isUnfinishedDownload
                },
                change: { model in
                    guard let id = model.current?.id else { return }
                    model.overlay = .prompt(Prompt(purpose: .newURL(id), field: TextField("")))
                }),
            Command(
                "move-file", [.character("W")], on: [.list, .details], "Rename",
                help: "Rename the download's file or move it elsewhere, also an unfinished one",
                also: "move destination path target folder", menu: 70,
                needs: .current("Only a download's file can be moved, and not while it gets its name") {
                    $0.figures.hasMovableFile
                },
                run: { $0.ofCurrent { .askPath($0) } }),
            Command(
                "open", [.character("O")], on: [.list, .details], "Open",
                help: "Open the file with its own program; over ssh, copy its path",
                also: "launch play xdg", menu: 80,
                needs: .current("There is no whole file to open") {
                    $0.path != nil && ($0.state == .done || $0.kind == .upload)
                },
                run: { $0.ofCurrent { .open($0, folder: false) } }),
            Command(
                "open-folder", [.character("D")], on: [.list, .details], "Open folder",
                help: "Open the file's folder; over ssh, copy its path",
                also: "directory reveal finder location", menu: 90,
                needs: .current("This task has no file") { $0.path != nil },
                run: { $0.ofCurrent { .open($0, folder: true) } }),
            Command(
                "remove", [.character("X")], on: [.list, .details], "Remove",
                help: "Remove the selected tasks from the list, after a question about their files",
                also: "delete erase trash discard forget drop rm clear", menu: 160,
                needs: .anyTarget,
                run: { $0.askToRemove() }),
        ]
    }

    static var requests: [Command] {
        [
            Command(
                "repeat", [.character("E")], on: [.list, .details], "Repeat",
                help: "Send the data request every few seconds; p pauses that, x ends it",
                also: "poll watch interval loop every monitor",
                needs: .current("Only data requests can be repeated") { $0.kind == .data },
                change: { model in
                    guard let row = model.current else { return }
                    let seconds = model.details.facts?.repeatInterval.map { String($0) } ?? ""
                    model.overlay = .prompt(Prompt(purpose: .repeatRequest(row.id), field: TextField(seconds)))
                }),
            Command(
                "view", [.character("v")], on: [.list, .details], "View",
                help: "Open the body or the file in your pager",
                also: "pager less cat read show preview", menu: 100,
                needs: .viewableFile,
                run: { $0.ofCurrent { .view($0) } }),
            Command(
                "write", [.character("w")], on: [.list, .details], "Write",
                help: "Write the body of the data request into a file",
                also: "save export dump output",
                needs: .model("There is no body to write") { $0.hasBody },
                change: { $0.askForBodyPath() }),
            Command(
                "fold", [.enter, .character(" ")], on: [.details], "Fold",
                help: "Fold the selected part of a JSON body, or unfold it",
                also: "collapse expand json tree",
                needs: .jsonBody,
                change: { $0.foldJSON() }),
            Command(
                "fold-body", [.character(",")], on: [.details], "Fold all",
                help: "Fold all parts of a JSON body, or unfold them",
                also: "collapse expand json tree",
                needs: .jsonBody,
                change: { $0.foldAllJSON() }),
            Command(
                "path", [.character(".")], on: [.details], "Path",
                help: "Show only what is at a path of a JSON body, such as .items[0].name or .items[].id",
                also: "jq json query",
                needs: .model("There is no JSON body here, or it is too large") { $0.details.json != nil },
                change: { model in
                    let path = model.details.json?.path?.text ?? ""
                    model.overlay = .prompt(Prompt(purpose: .jsonPath, field: TextField(path)))
                }),
            Command(
                "secrets", [.character("H")], on: [.list, .details], "Secrets",
                help: "Show secret header values, or hide them again",
                also: "password token reveal mask credentials",
                needs: .currentTask,
                change: { $0.toggleSecrets() }),
        ]
    }

    static var tasks: [Command] {
        [
            Command(
                "add", [.character("a")], on: [.list], "Add",
                help: "Add a task",
                also:
                    "new create import paste url download upload request list curl metalink checksum mirror proxy header",
                footer: 7,
                change: { $0.overlay = .addForm(AddForm(defaults: $0.jobDefaults)) }),
            Command(
                "edit", [.character("e")], on: [.list, .details], "Edit",
                help: "Edit the task in its place; it starts again with the changes",
                also: "change modify checksum mirror header proxy password properties", menu: 60,
                needs: .currentTask,
                run: { $0.ofCurrent { .edit($0) } }),
            Command(
                "clear", [.character("c")], on: [.list], "Clear",
                help: "Remove completed tasks of this view from the list; files stay",
                also: "clean purge delete finished completed done",
                needs: .inView([.done], "No task in this view is done"),
                run: { $0.clearDone() }),
            Command(
                "clear-ended", [.character("C")], on: [.list], "Clear ended",
                help: "Remove failed and cancelled tasks of this view too, after a question; files stay",
                also: "clean purge delete failed cancelled",
                needs: .inView([.done, .failed, .cancelled], "No task in this view has ended"),
                change: { model in
                    let ids = model.rows.shownIDs { $0.state.isFinal && !$0.isBetweenRuns }
                    guard !ids.isEmpty else { return model.notify("No task in this view has ended") }
                    model.overlay = .question(.clearing(ids.sorted()))
                }),
            Command(
                "copy-url", [.character("y")], on: [.list, .details], "Copy URL",
                help: "Copy the URLs of the selected tasks",
                also: "clipboard yank link address", footer: 11, menu: 110,
                needs: .anyTarget,
                run: { [.quote($0.targets.map(\.id), asCommands: false)] }),
            Command(
                "copy-as-curl", [.character("Y")], on: [.list, .details], "Copy as curl",
                help: "Copy the selected tasks as curl commands, headers and body included",
                also: "clipboard yank export command share", menu: 120,
                needs: .anyTarget,
                run: { [.quote($0.targets.map(\.id), asCommands: true)] }),
        ]
    }
}
