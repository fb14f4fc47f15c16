extension KeyTable {
    /// What keys do to transfers.
    static let transfers: [Command] = [
        Command(
            [.character("p"), .function(7)], on: [.list, .details], "Pause", help: "Pause the selected tasks",
            footer: 3,
            unless: { $0.hasTarget(where: \.canPause) ? nil : "Nothing selected can be paused" },
            effects: { $0.pauseTargets() }),
        Command(
            [.character("r"), .function(8)], on: [.list, .details], "Resume",
            help: "Resume the selected tasks; try failed ones again, send finished requests again", footer: 3,
            unless: { $0.hasTarget(where: \.canStart) ? nil : "Nothing selected can be resumed" },
            effects: { $0.resumeTargets() }),
        Command(
            [.character("x"), .function(9), .delete], on: [.list, .details], "Cancel",
            help: "Cancel the selected tasks, after a question", footer: 3,
            unless: { $0.hasTarget(where: \.canCancel) ? nil : "Nothing selected can be cancelled" },
            do: { $0.askToCancel() }),
        Command(
            [.character("P")], on: [.list], "Pause all", help: "Pause everything in this view", footer: 9,
            unless: { $0.mayShow(.running, .retrying, .queued) ? nil : "Nothing in this view can be paused" },
            effects: { $0.pauseView() }),
        Command(
            [.character("R")], on: [.list], "Resume all", help: "Resume everything that is paused in this view",
            footer: 9,
            unless: { $0.mayShow(.paused) ? nil : "Nothing in this view is paused" },
            effects: { $0.resumeView() }),
        Command(
            [.character("z")], on: [.list], "Undo",
            help: "Take back the last pause, resume, change of priority or clearing",
            unless: { $0.undo == nil ? "There is nothing to undo" : nil },
            effects: { $0.takeBack() }),
    ]

    /// Who goes first.
    static let queue: [Command] = [
        Command(
            [.character("+"), .character("=")], on: [.list, .details], "Raise priority",
            help: "Let the selected tasks go before others", unless: hasNoLiveTarget,
            effects: { $0.prioritiseTargets(by: 1) }),
        Command(
            [.character("-")], on: [.list, .details], "Lower priority", help: "Let others go before the selected tasks",
            unless: hasNoLiveTarget, effects: { $0.prioritiseTargets(by: -1) }),
        Command(
            [.character("K")], on: [.list], "Move up", help: "Move the selected tasks up in the queue",
            unless: hasNoWaitingTarget, effects: { $0.moveTargetsInQueue(by: -1) }),
        Command(
            [.character("J")], on: [.list], "Move down", help: "Move the selected tasks down in the queue",
            unless: hasNoWaitingTarget, effects: { $0.moveTargetsInQueue(by: 1) }),
    ]

    /// Data requests and bodies.
    static let requests: [Command] = [
        Command(
            [.character("E")], on: [.list, .details], "Repeat", help: "Send the data request every few seconds",
            unless: { $0.current?.kind == .data ? nil : "Only data requests can be repeated" },
            do: { $0.askToRepeat() }),
        Command(
            [.character("v")], on: [.list, .details], "View", help: "Look at the body or the file in your pager",
            unless: { $0.current == nil ? "There is no task here" : nil },
            effects: { model in model.current.map { [.view($0.id)] } ?? [] }),
        Command(
            [.character("w")], on: [.list, .details], "Write", help: "Write the body of the data request into a file",
            unless: { $0.hasBody ? nil : "There is no body to write" },
            do: { $0.askForBodyPath() }),
        Command(
            [.character("H")], on: [.list, .details], "Secrets", help: "Show secret header values, or hide them again",
            unless: { $0.current == nil ? "There is no task here" : nil }, do: { $0.toggleSecrets() }),
    ]

    @Sendable private static func hasNoLiveTarget(_ model: Model) -> SafeText? {
        model.hasTarget(where: \.canPrioritise) ? nil : "Nothing selected waits or runs"
    }

    @Sendable private static func hasNoWaitingTarget(_ model: Model) -> SafeText? {
        model.hasTarget { $0.state == .queued } ? nil : "Nothing selected waits in the queue"
    }

    /// Marks.
    static let marks: [Command] = [
        Command(
            [.character(" "), .insert], on: [.list], "Mark", help: "Mark the task, or unmark it, and move down",
            footer: 6, unless: isEmpty, do: { $0.toggleMark() }),
        Command(
            [.character("V")], on: [.list], "Range", help: "Mark from here to where the selection goes; again: end",
            unless: isEmpty, do: { $0.toggleRange() }),
        Command(
            [.character("A")], on: [.list], "Mark all", help: "Mark everything in this view", footer: 10,
            unless: isEmpty, do: { $0.markView() }),
        Command(
            [.character("U")], on: [.list], "Unmark all", help: "Take all marks away", footer: 10,
            unless: { $0.list.marks.isEmpty ? "Nothing is marked" : nil }, do: { $0.unmarkAll() }),
        Command(
            [.character("i")], on: [.list], "Invert marks",
            help: "Mark what is not marked in this view, and unmark the rest",
            unless: isEmpty, do: { $0.invertMarks() }),
    ]

    @Sendable private static func isEmpty(_ model: Model) -> SafeText? {
        model.rows.shownCount == 0 ? "There is no task here" : nil
    }
}
