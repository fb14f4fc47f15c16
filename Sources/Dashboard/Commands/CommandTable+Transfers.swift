extension CommandTable {
    static var transfers: [Command] {
        [
            Command(
                "pause", [.character("p"), .function(7)], on: [.list, .details], "Pause",
                help: "Pause the selected tasks",
                also: "stop hold suspend halt wait", footer: 3, menu: 10,
                needs: .target("Nothing selected can be paused") { $0.canPause },
                run: { model in
                    let all = model.targets
                    let ids = all.filter(\.canPause).map(\.id)
                    guard !ids.isEmpty else { return model.nothingHit("Nothing selected can be paused") }
                    model.reportPause(of: ids, skipped: all.count - ids.count)
                    model.holdSelection(among: ids)
                    return model.remember(.paused(ids)) + [.send(.pause(ids))]
                }),
            Command(
                "resume", [.character("r"), .function(8)], on: [.list, .details], "Resume",
                help: "Resume the selected tasks; try failed ones again, send finished requests again",
                also: "retry again restart continue start unpause rerun redo recover play", footer: 3, menu: 20,
                needs: .model("Nothing selected can be resumed") { model in
                    model.hasTarget { $0.canStart || model.isEnding($0) }
                },
                run: { $0.resumeTargets() }),
            Command(
                "cancel", [.character("x"), .function(9), .delete], on: [.list, .details], "Cancel",
                help: "Cancel the selected tasks, after a question",
                also: "stop abort kill terminate end", footer: 3, menu: 150,
                needs: .target("Nothing selected can be cancelled") { $0.canCancel },
                run: { $0.askToCancel() }),
            Command(
                "pause-all", [.character("P")], on: [.list], "Pause all",
                help: "Pause everything in this view",
                also: "stop hold suspend everything", footer: 9,
                needs: .inView([.running, .retrying, .queued], "Nothing in this view can be paused") {
                    $0.rows.counts.betweenRuns > 0
                },
                run: { model in
                    let ids = model.rows.shownIDs(where: \.canPause)
                    guard !ids.isEmpty else { return model.nothingHit("Nothing in this view can be paused") }
                    let live = ids.count { model.rows.figures(of: $0)?.isBetweenRuns == false }
                    model.reportPause(
                        of: ids, skipped: model.rows.shownCount - ids.count,
                        hidden: model.rows.counts[nil, .running, .retrying, .queued] - live)
                    return model.remember(.paused(ids)) + [.send(.pause(ids))]
                }),
            Command(
                "resume-all", [.character("R")], on: [.list], "Resume all",
                help: "Resume everything that is paused in this view",
                also: "continue start unpause everything", footer: 9,
                needs: .inView([.pausing, .paused], "Nothing in this view is paused"),
                run: { model in
                    let ids = model.rows.shownIDs(where: \.state.isPaused)
                    guard !ids.isEmpty else { return model.nothingHit("Nothing in this view is paused") }
                    model.report(
                        "Resuming", hit: ids.count, skipped: model.rows.shownCount - ids.count,
                        hidden: model.rows.counts[nil, .pausing, .paused] - ids.count, offersUndo: true)
                    return model.remember(.resumed(ids)) + [.send(.resume(ids))]
                }),
            Command(
                "undo", [.character("z")], on: [.list], "Undo",
                help: "Undo the last step, then the one before: pause, resume, cancel, priority, limits, clearing",
                also: "revert back restore mistake",
                needs: .undo,
                run: { $0.undoLast() }),
        ]
    }

    /// Commands for the queue: order, concurrency and rate.
    static var queue: [Command] {
        [
            Command(
                "raise-priority", [.character("+"), .character("=")], on: [.list, .details], "Raise priority",
                help: "Raise the priority of the selected tasks",
                also: "urgent first boost", menu: 130,
                needs: .liveTask,
                run: { $0.prioritiseTargets(by: 1) }),
            Command(
                "lower-priority", [.character("-")], on: [.list, .details], "Lower priority",
                help: "Lower the priority of the selected tasks",
                also: "later last nice", menu: 140,
                needs: .liveTask,
                run: { $0.prioritiseTargets(by: -1) }),
            Command(
                "move-up", [.character("K")], on: [.list], "Move up",
                help: "Move the selected tasks up in the queue",
                also: "reorder sooner order queue",
                needs: .queuedTask,
                run: { $0.moveTargetsInQueue(by: -1) }),
            Command(
                "move-down", [.character("J")], on: [.list], "Move down",
                help: "Move the selected tasks down in the queue",
                also: "reorder later order queue",
                needs: .queuedTask,
                run: { $0.moveTargetsInQueue(by: 1) }),
            Command(
                "more-at-once", [.character(")")], on: [.list, .details], "More at once",
                help: "Let more files run at once, and as many requests",
                also: "concurrency parallel simultaneous slots jobs threads max limit increase connections",
                run: { $0.changeLimit(by: 1) }),
            Command(
                "fewer-at-once", [.character("(")], on: [.list, .details], "Fewer at once",
                help: "Let fewer files and requests run at once; those that run go on",
                also: "concurrency parallel simultaneous slots jobs threads max limit decrease connections",
                run: { $0.changeLimit(by: -1) }),
            Command(
                "more-per-host", [.character("}")], on: [.list, .details], "More per host",
                help: "Let more tasks of one host run at once",
                also: "concurrency parallel connections server max limit",
                run: { $0.changeLimit(perHost: true, by: 1) }),
            Command(
                "fewer-per-host", [.character("{")], on: [.list, .details], "Fewer per host",
                help: "Let fewer tasks of one host run at once; those that run go on",
                also: "concurrency parallel connections server max limit",
                run: { $0.changeLimit(perHost: true, by: -1) }),
            Command(
                "limit-rate", [.character("b")], on: [.list, .details], "Limit speed",
                help: "Limit the bytes a second of all that comes and goes, or let them go",
                also: "throttle bandwidth rate cap slow shape schedule kbps unlimited",
                change: { model in
                    // The field begins empty, because the limits in force are shown beside it.
                    model.overlay = .prompt(Prompt(purpose: .limitRate(model.bounds), field: TextField("")))
                }),
            Command(
                "limit-task", [.character("u")], on: [.list, .details], "Limit task",
                help: "Limit the bytes a second of each selected task",
                also: "throttle bandwidth rate cap slow shape speed kbps unlimited",
                needs: .liveTask,
                change: { model in
                    let (ids, facts) = (model.targets.filter { !$0.state.isFinal }.map(\.id), model.details.facts)
                    let isKnown = ids.count == 1 && model.details.watchedID == ids.first && facts != nil
                    let now = isKnown ? facts?.rates ?? TaskRates() : nil
                    model.overlay = .prompt(Prompt(purpose: .limitTasks(ids, now: now), field: TextField("")))
                }),
        ]
    }
}
