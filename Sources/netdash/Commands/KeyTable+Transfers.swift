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
            help: "Resume the selected tasks; try failed and cancelled ones again", footer: 3,
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
            [.character("z")], on: [.list], "Undo", help: "Take back the last pause or resume of a whole view",
            unless: { $0.undo == nil ? "There is nothing to undo" : nil },
            effects: { $0.takeBack() }),
    ]

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
