extension CommandTable {
    static var transfers: [Command] {
        [
            Command(
                "pause", [.character("p"), .function(7)], on: [.list, .details], "Pause",
                help: "Pause the selected tasks",
                also: "stop hold suspend halt wait", footer: 3, menu: 10,
                needs: .target(TaskReasons.nothingToPause) { $0.canPause },
                run: { model in
                    let all = model.targets
                    let ids = all.filter(\.canPause).map(\.id)
                    guard !ids.isEmpty else { return model.nothingHit(TaskReasons.nothingToPause) }
                    model.reportPause(of: ids, skipped: all.count - ids.count)
                    model.holdSelection(among: ids)
                    return model.remember(.paused(ids)) + [.send(.pause(ids))]
                }),
            Command(
                "resume", [.character("r"), .function(8)], on: [.list, .details], "Resume",
                help: "Resume, retry failed tasks, repeat finished requests",
                also: "retry again restart continue start unpause rerun redo recover play", footer: 3, menu: 20,
                needs: .resumableTask,
                run: { $0.resumeTargets() }),
            Command(
                "cancel", [.character("x"), .function(9), .delete], on: [.list, .details], "Cancel",
                help: "Cancel selected tasks (asks first)",
                also: "stop abort kill terminate end", footer: 3, menu: 150,
                needs: .target(TaskReasons.nothingToCancel) { $0.canCancel },
                run: { $0.askToCancel() }),
            Command(
                "pause-all", [.character("P")], on: [.list], "Pause all",
                help: "Pause all tasks in this view",
                also: "stop hold suspend everything", footer: 9,
                needs: .inView([.running, .retrying, .queued], TaskReasons.nothingToPauseInView) {
                    $0.rows.counts.betweenRuns > 0 || $0.mayShowHeldRow
                },
                run: { model in
                    let ids = model.rows.shownIDs(where: \.canPause)
                    guard !ids.isEmpty else { return model.nothingHit(TaskReasons.nothingToPauseInView) }
                    let live = ids.count { id in
                        model.rows.figures(of: id).map { [.running, .retrying, .queued].contains($0.state) } ?? false
                    }
                    model.reportPause(
                        of: ids, skipped: 0,
                        hidden: model.rows.counts[nil, .running, .retrying, .queued] - live)
                    return model.remember(.paused(ids)) + [.send(.pause(ids))]
                }),
            Command(
                "resume-all", [.character("R")], on: [.list], "Resume all",
                help: "Resume all paused tasks in this view",
                also: "continue start unpause everything", footer: 9,
                needs: .inView([.pausing, .paused], TaskReasons.nothingPausedInView) { model in
                    model.isServiceAway && model.rows.showsAny(where: model.isLeft)
                },
                run: { $0.resumeShown() }),
            Command(
                "undo", [.character("z")], on: [.list, .details], "Undo",
                help: "Undo the last step, e.g. pause, cancel, limit, clear",
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
                help: "Raise the parallel limit (files and requests)",
                also: "concurrency parallel simultaneous slots jobs threads max limit increase connections",
                run: { $0.changeLimit(by: 1) }),
            Command(
                "fewer-at-once", [.character("(")], on: [.list, .details], "Fewer at once",
                help: "Lower the parallel limit; running tasks continue",
                also: "concurrency parallel simultaneous slots jobs threads max limit decrease connections",
                run: { $0.changeLimit(by: -1) }),
            Command(
                "more-per-host", [.character("}")], on: [.list, .details], "More per host",
                help: "Raise the per-host limit",
                also: "concurrency parallel connections server max limit",
                run: { $0.changeLimit(perHost: true, by: 1) }),
            Command(
                "fewer-per-host", [.character("{")], on: [.list, .details], "Fewer per host",
                help: "Lower the per-host limit; running tasks continue",
                also: "concurrency parallel connections server max limit",
                run: { $0.changeLimit(perHost: true, by: -1) }),
            Command(
                "limit-rate", [.character("b")], on: [.list, .details], "Limit speed",
                help: "Set the global speed limits",
                also: "throttle bandwidth rate cap slow shape schedule kbps unlimited",
                change: { model in
                    // The field begins empty, because the limits in force are shown beside it.
                    model.overlay = .prompt(Prompt(purpose: .limitRate(model.bounds), field: TextField("")))
                }),
            Command(
                "limit-task", [.character("u")], on: [.list, .details], "Limit task",
                help: "Set a speed limit per selected task",
                also: "throttle bandwidth rate cap slow shape speed kbps unlimited",
                needs: .liveTask,
                change: { model in
                    let (ids, details) = (
                        model.targets.filter { !$0.state.isFinal }.map(\.id), model.details.rowDetails
                    )
                    let isKnown = ids.count == 1 && model.details.watchedID == ids.first && details != nil
                    let now = isKnown ? details?.rates ?? TaskRates() : nil
                    model.overlay = .prompt(Prompt(purpose: .limitTasks(ids, now: now), field: TextField("")))
                }),
        ]
    }
}
