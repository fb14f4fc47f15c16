extension CommandTable {
    /// Commands for a row and its file, except starting and stopping it.
    static var rows: [Command] {
        [
            Command(
                "actions", [.character("m")], on: [.list, .details], "Menu",
                help: "Show actions for the selected tasks",
                also: "actions context options",
                needs: .anyTarget,
                change: { $0.overlay = .actions(ActionMenu()) }),
            Command(
                "start-now", [.character("S")], on: [.list, .details], "Start now",
                help: "Start selected tasks now, ignoring limits",
                also: "force immediately bypass", menu: 30,
                needs: .model(TaskReasons.nothingToStart) { model in
                    model.hasTarget { $0.canStartNow || model.isLeft($0) }
                },
                run: { model in
                    let all = model.targets
                    let ids = all.filter { $0.canStartNow || model.isLeft($0) }.map(\.id)
                    model.report(TaskToasts.startedNow(ids.count), skipped: all.count - ids.count)
                    model.passUndo(UndoReasons.startedNow(model.keys.key(of: .pause)))
                    return [.send(.startNow(ids))]
                }),
            Command(
                "fetch-again", [.character("T")], on: [.list, .details], "Fetch again",
                help: "Fetch done tasks again; an existing file is kept",
                also: "redownload refetch reload refresh repeat again", menu: 40,
                needs: .target(TaskReasons.noneDone) { $0.state == .done },
                run: { model in
                    let all = model.targets
                    let ids = all.filter { $0.state == .done }.map(\.id)
                    model.report(TaskToasts.fetchedAgain(ids.count), skipped: all.count - ids.count)
                    model.passUndo(UndoReasons.fetchedAgain(model.keys.key(of: .cancel)))
                    return [.send(.fetchAgain(ids))]
                }),
            Command(
                "new-url", [.character("!")], on: [.list, .details], "New URL",
                help: "Resume from another URL if it serves the same file",
                also: "mirror link address replace expired source", menu: 50,
                needs: .current(TaskReasons.onlyUnfinishedDownloads) {
                    $0.figures.isUnfinishedDownload
                },
                change: { model in
                    guard let id = model.current?.id else { return }
                    model.overlay = .prompt(Prompt(purpose: .newURL(id), field: TextField("")))
                }),
            Command(
                "move-file", [.character("W")], on: [.list, .details], "Rename",
                help: "Rename or move the file; several go to a folder",
                also: "move destination path target folder", menu: 70,
                needs: .target(TaskReasons.onlyDownloadFiles) { $0.hasMovableFile },
                run: { $0.askForPaths() }),
            Command(
                "open", [.character("O")], on: [.list, .details], "Open",
                help: "Open the file (over ssh: copy its path)",
                also: "launch play xdg", menu: 80,
                needs: .current(TaskReasons.fileIncomplete) {
                    $0.path != nil && ($0.state == .done || $0.kind == .upload)
                },
                run: { $0.ofCurrent { .open($0, folder: false) } }),
            Command(
                "open-folder", [.control("o")], on: [.list, .details], "Open folder",
                help: "Open the folder of the file (over ssh: copy its path)",
                also: "directory reveal finder location", menu: 90,
                needs: .current(TaskReasons.noFile) { $0.path != nil },
                run: { $0.ofCurrent { .open($0, folder: true) } }),
            Command(
                "remove", [.character("X")], on: [.list, .details], "Remove",
                help: "Remove selected tasks (asks about files)",
                also: "delete erase trash discard forget drop rm clear", menu: 160,
                needs: .anyTarget,
                run: { $0.askToRemove() }),
        ]
    }

    static var requests: [Command] {
        [
            Command(
                "repeat", [.character("E")], on: [.list, .details], "Repeat",
                help: "Repeat the request every N seconds (p pause, x stop)",
                also: "poll watch interval loop every monitor",
                needs: .current(TaskReasons.onlyRequestsRepeat) { $0.kind == .data },
                change: { model in
                    guard let row = model.current else { return }
                    let seconds = model.details.rowDetails?.repeatInterval.map { String($0) } ?? ""
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
                help: "Save the response body to a file",
                also: "save export dump output",
                needs: .model(TaskReasons.noBody) { $0.hasBody },
                change: { $0.askForBodyPath() }),
            Command(
                "fold", [.enter, .character(" ")], on: [.details], "Fold",
                help: "Fold or unfold the JSON node",
                also: "collapse expand json tree",
                needs: .jsonBody,
                change: { $0.foldJSON() }),
            Command(
                "fold-body", [.character(",")], on: [.details], "Fold all",
                help: "Fold or unfold all JSON nodes",
                also: "collapse expand json tree",
                needs: .jsonBody,
                change: { $0.foldAllJSON() }),
            Command(
                "path", [.character(".")], on: [.details], "Path",
                help: "Show a JSON path, e.g. .items[0].name or .items[].id",
                also: "jq json query",
                needs: .model(TaskReasons.noJSON) { $0.details.json != nil },
                change: { model in
                    let path = model.details.json?.path?.text ?? ""
                    model.overlay = .prompt(Prompt(purpose: .jsonPath, field: TextField(path)))
                }),
            Command(
                "secrets", [.character("H")], on: [.list, .details], "Secrets",
                help: "Show or hide secret header values",
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
                    "new create import paste url list curl metalink checksum mirror proxy header login user password redirect",
                footer: 7,
                change: { $0.overlay = .addForm(AddForm(defaults: $0.jobDefaults)) }),
            Command(
                "edit", [.character("e")], on: [.list, .details], "Edit",
                help: "Edit the task, or settings of selected tasks",
                also:
                    "change modify checksum mirror header proxy password login user credentials redirect properties batch",
                menu: 60,
                needs: .anyTarget,
                run: { $0.editTargets() }),
            Command(
                "clear", [.character("c")], on: [.list], "Clear",
                help: "Clear done tasks in this view (keeps files)",
                also: "clean purge delete finished completed done",
                needs: .inView([.done], TaskReasons.noneDoneInView),
                run: { $0.clearDone() }),
            Command(
                "clear-ended", [.character("C")], on: [.list], "Clear ended",
                help: "Clear failed and cancelled tasks too (asks; keeps files)",
                also: "clean purge delete failed cancelled",
                needs: .inView([.done, .failed, .cancelled], TaskReasons.noneEndedInView),
                change: { model in
                    let ids = model.rows.shownIDs { $0.state.isFinal && !$0.isBetweenRuns }
                    guard !ids.isEmpty else { return model.notify(TaskReasons.noneEndedInView) }
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
                help: "Copy selected tasks as curl commands with headers and body",
                also: "clipboard yank export command share", menu: 120,
                needs: .anyTarget,
                run: { [.quote($0.targets.map(\.id), asCommands: true)] }),
        ]
    }
}
