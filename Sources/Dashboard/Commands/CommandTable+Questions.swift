extension CommandTable {
    /// Commands of questions, each with its button.
    static var questions: [Command] {
        [
            Command(
                "cancelKeepingParts", [.character("k")], on: [.cancelDialog], "keep",
                help: "Cancel, and keep the partial files of downloads", footer: 1,
                button: .saying(
                    { model in
                        if model.asksAboutParts { return "Cancel, keep partial files" }
                        return model.question?.ids.count == 1 ? "Cancel it" : "Cancel them"
                    }, hint: { $0.asksAboutParts ? nil : "cancel" }),
                run: { $0.cancel(deletingParts: false) }),
            Command(
                "cancelDeletingParts", [.character("d")], on: [.cancelDialog], "delete",
                help: "Cancel and delete the partial files", footer: 1,
                button: .saying("Cancel and delete"),
                needs: .model("Only downloads have partial files") { $0.asksAboutParts },
                run: { $0.cancel(deletingParts: true) }),
            Command(
                "quitFromDialog", [.character("s"), .character("q")], on: [.quitDialog], "quit",
                help: "Quit now: continue next time", footer: 1,
                button: .saying { $0.isSaved ? "Save and quit" : "Quit now" },
                run: { _ in [.quit] }),
            Command(
                "quitWhenDone", [.character("w")], on: [.quitDialog], "wait",
                help: "Quit when all transfers have ended", footer: 1,
                button: .saying("Wait, then quit"),
                needs: .model("Nothing is under way") { $0.rows.counts.live > 0 },
                change: { $0.leaveWhenDone() }),
            Command(
                "clearFromDialog", [.character("c")], on: [.clearDialog], "clear",
                help: "Remove them from the list", footer: 1,
                button: .saying("Clear"),
                run: { $0.clearEnded() }),
            Command(
                "declineDialog", [.character("n"), .escape], on: [.cancelDialog, .removeDialog, .clearDialog], "no",
                help: "Change nothing", footer: 0,
                button: .safe("No"),
                change: { $0.closeOverlay() }),
            Command(
                "scrollTasksUp", [.up], on: [.cancelDialog], "Up",
                help: "Scroll the list of tasks up",
                change: { $0.scrollTasks(by: -1) }),
            Command(
                "scrollTasksDown", [.down], on: [.cancelDialog], "Down",
                help: "Scroll the list of tasks down",
                change: { $0.scrollTasks(by: 1) }),
            Command(
                "stay", [.escape], on: [.quitDialog], "stay",
                help: "Stay, and do not quit at the end", footer: 0,
                button: .safe("Stay"),
                change: { $0.stay() }),
            Command(
                "previousButton", [.left, .backTab], on: .questions, "Previous",
                help: "Highlight the previous button",
                change: { $0.moveButton(by: -1) }),
            Command(
                "nextButton", [.right, .tab], on: .questions, "Next",
                help: "Highlight the next button",
                change: { $0.moveButton(by: 1) }),
            Command(
                "pressButton", [.enter], on: .questions, "Choose",
                help: "Press the highlighted button", footer: 2,
                run: { $0.pressButton() }),
            Command(
                "removeKeepingFiles", [.character("k")], on: [.removeDialog], "keep",
                help: "Remove from the list, and keep files and partial files", footer: 1,
                button: .saying { $0.leftovers.keepingWords },
                run: { $0.removeFromDialog(deletingFiles: false) }),
            Command(
                "removeDeletingFiles", [.character("d")], on: [.removeDialog], "delete",
                help: "Remove from the list, and delete files and partial files", footer: 1,
                button: .saying { $0.leftovers.deletingWords },
                run: { $0.removeFromDialog(deletingFiles: true) }),
        ]
    }
}

/// Facts that the words on buttons depend on.
extension Model {
    fileprivate var asksAboutParts: Bool { question.map { hasParts($0.ids) } ?? false }

    /// The files on disk of the tasks in the question.
    fileprivate var leftovers: Leftovers {
        Leftovers(of: question?.ids.compactMap { rows.figures(of: $0) } ?? [])
    }
}

extension Leftovers {
    fileprivate var keepingWords: SafeText {
        switch files + parts {
        case 0: "Remove"
        case 1: "Keep the file"
        default: "Keep the files"
        }
    }

    fileprivate var deletingWords: SafeText {
        switch files + parts {
        case 0: "Remove and delete"
        case 1: "Delete the file"
        default: "Delete the files"
        }
    }
}
