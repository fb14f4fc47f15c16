extension CommandTable {
    /// Commands of questions, each with its button.
    static var questions: [Command] {
        [
            Command(
                "cancelKeepingParts", [.character("k")], on: [.cancelDialog], "Keep",
                help: "Cancel, keep partial files", footer: 1,
                button: .saying(
                    { model in
                        if model.asksAboutParts { return "Cancel, keep partial files" }
                        return model.question?.ids.count == 1 ? "Cancel the task" : "Cancel the tasks"
                    }, hint: { $0.asksAboutParts ? nil : "Cancel" }),
                run: { $0.cancel(deletingParts: false) }),
            Command(
                "cancelDeletingParts", [.character("d")], on: [.cancelDialog], "Delete",
                help: "Cancel and delete partial files", footer: 1,
                button: .saying("Cancel and delete"),
                needs: .model(TaskReasons.onlyDownloadsHaveParts) { $0.asksAboutParts },
                run: { $0.cancel(deletingParts: true) }),
            Command(
                "quitFromDialog", [.character("q"), .character("s")], on: [.quitDialog], "Quit",
                help: "Quit now; resume on next start", footer: 1,
                button: .saying { $0.isSaved ? "Save and quit" : "Quit now" },
                run: { _ in [.quit] }),
            Command(
                "quitWhenDone", [.character("w")], on: [.quitDialog], "When done",
                help: "Quit when all tasks have finished", footer: 1,
                button: .saying { $0.leavesWhenDone ? "Keep waiting" : "Quit when done" },
                needs: .model(TaskReasons.noneUnfinished) { $0.rows.counts.live > 0 },
                run: { $0.leaveWhenDone() }),
            Command(
                "detachFromDialog", [.character("d"), .character("q")], on: [.detachDialog], "Detach",
                help: "Close the window; tasks continue in the service", footer: 1,
                button: .saying("Detach"),
                run: { $0.rememberAnswer(.detach) + [.quit] }),
            Command(
                "stopService", [.character("s")], on: [.detachDialog], "Stop",
                help: "Stop the service; tasks resume on next start", footer: 1,
                button: .saying("Stop all, quit"),
                run: { $0.rememberAnswer(.stop) + [.stopService] }),
            Command(
                "rememberAnswer", [.character("r")], on: [.detachDialog], "Remember",
                help: "Remember the answer, ask no more", footer: 1,
                button: .saying {
                    $0.question?.remembersAnswer == true ? "[x] Remember answer" : "[ ] Remember answer"
                },
                change: { $0.toggleRemembering() }),
            Command(
                "clearFromDialog", [.character("c")], on: [.clearDialog], "Clear",
                help: "Clear the tasks from the list", footer: 1,
                button: .saying("Clear"),
                run: { $0.clearEnded() }),
            Command(
                "keepBothFiles", [.character("k")], on: [.fileDialog], "Keep both",
                help: "Number the new file, keep the existing one", footer: 1,
                button: .saying("Keep both"),
                run: { $0.settleFiles(.rename) }),
            Command(
                "replaceFile", [.character("o")], on: [.fileDialog], "Overwrite",
                help: "Replace the existing file at the end", footer: 1,
                button: .saying("Overwrite"),
                run: { $0.settleFiles(.overwrite) }),
            Command(
                "skipFile", [.character("s")], on: [.fileDialog], "Skip",
                help: "Keep the existing file, skip the task", footer: 1,
                button: .saying("Skip"),
                run: { $0.settleFiles(.skip) }),
            Command(
                "settleAllFiles", [.character("a")], on: [.fileDialog], "All",
                help: "Apply the answer to all tasks that wait for one", footer: 1,
                button: .saying {
                    $0.question?.remembersAnswer == true ? "[x] Same for all" : "[ ] Same for all"
                },
                needs: .model(TaskReasons.noOtherFile) { $0.undecided.unaskedCount > 0 },
                change: { $0.toggleRemembering() }),
            Command(
                "decideLater", [.character("n"), .escape], on: [.fileDialog], "Later",
                help: "Decide later; resume the task to be asked again", footer: 0,
                button: .safe("Later"),
                change: { $0.closeOverlay() }),
            Command(
                "removeKeepingFiles", [.character("k")], on: [.removeDialog], "Keep",
                help: "Remove from the list, keep files and partial files", footer: 1,
                button: .saying { $0.leftovers.keepingWords },
                run: { $0.removeFromDialog(deletingFiles: false) }),
            Command(
                "removeDeletingFiles", [.character("d")], on: [.removeDialog], "Delete",
                help: "Remove from the list, delete files and partial files", footer: 1,
                button: .saying { $0.leftovers.deletingWords },
                run: { $0.removeFromDialog(deletingFiles: true) }),
            Command(
                "declineDialog", [.character("n"), .escape],
                on: [.cancelDialog, .removeDialog, .detachDialog, .clearDialog], "No",
                help: "Close the dialog, change nothing", footer: 0,
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
                "stay", [.escape], on: [.quitDialog], "Stay",
                help: "Stay; auto-quit off", footer: 0,
                button: .safe(
                    { $0.leavesWhenDone ? "Stay open, no auto-quit" : "Stay" },
                    hint: { $0.leavesWhenDone ? "Stay open" : nil }),
                run: { $0.stay() }),
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
        case 1: "Remove, keep file"
        default: "Remove, keep files"
        }
    }

    fileprivate var deletingWords: SafeText {
        switch files + parts {
        case 1: "Remove and delete file"
        default: "Remove and delete files"
        }
    }
}
