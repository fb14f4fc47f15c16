extension Command {
    /// The identity of a command.
    ///
    /// The text of those that the configuration can bind to other keys is their name there, so it never changes; titles
    /// may.
    package enum ID: String, Sendable, CaseIterable {
        // Moving the selection and scrolling.
        case up, down, pageUp = "page-up", pageDown = "page-down", halfUp = "half-up", halfDown = "half-down"
        case first, last, left, right, nextFailed = "next-failed", previousFailed = "previous-failed"
        case nextMatch = "next-match", previousMatch = "previous-match"

        // What keys do to transfers, and who goes first.
        case pause, resume, cancel, pauseAll = "pause-all", resumeAll = "resume-all", undo, raisePriority =
            "raise-priority"
        case moreAtOnce = "more-at-once", fewerAtOnce = "fewer-at-once", morePerHost = "more-per-host"
        case fewerPerHost = "fewer-per-host", limitRate = "limit-rate", limitTask = "limit-task"
        case lowerPriority = "lower-priority", moveUp = "move-up", moveDown = "move-down"

        // What is done with a row and its file.
        case actions, remove, startNow = "start-now", fetchAgain = "fetch-again", newURL = "new-url"
        case moveFile = "move-file", openFile = "open", openFolder = "open-folder"

        // Data requests and bodies.
        case repeatRequest = "repeat", view, write, secrets
        case fold, foldBody = "fold-body", jsonPath = "path"

        // Marks.
        case mark, range, markAll = "mark-all", unmarkAll = "unmark-all", invertMarks = "invert-marks"

        // Filter, sort and tabs.
        case filter, filterLog = "filter-log", search, states, sort, previousColumn = "previous-column", nextColumn =
            "next-column"
        case view5 = "view-5", view6 = "view-6", view7 = "view-7", view8 = "view-8", view9 = "view-9"
        case saveView = "save-view", group, hosts, foldAll = "fold-all"
        case invert, nextTab = "next-tab", previousTab = "previous-tab", all, data, upload, download

        // Details, and what is on the screen.
        case details, pane, nextPart = "next-part", previousPart = "previous-part", graph, segments, time, follow
        case add, edit, clear, clearEnded = "clear-ended", copyURL = "copy-url", copyAsCurl = "copy-as-curl"
        case log, leftParts = "left-parts", options, freeze, mouse, tour

        // Buttons of the questions.
        case removeKeepingFiles, removeDeletingFiles
        case cancelKeepingParts, cancelDeletingParts, quitFromDialog, quitWhenDone, clearFromDialog
        case declineDialog, scrollTasksUp, scrollTasksDown, stay, previousButton, nextButton, pressButton

        // Menus.
        case chooseAction, chooseSort, toggleState, closeStateMenu, nextValue, previousValue, moveColumnLeft
        case moveColumnRight, widenColumn, narrowColumn, usualColumn, saveOptions, closeMenu
        case removePart, removeAllParts, confirmParts, closeParts

        // Accepting or leaving what is typed.
        case keepFilter, clearFilter, acceptPrompt, cancelPrompt, complete, recallEarlier, recallLater
        case previousField, pressForm, addAnother, saveTask, addAsNew, cancelForm, cancelEdit, closeHelp

        // Editing a field.
        case cursorLeft, cursorRight, cursorToStart, cursorToEnd, deleteBackward, deleteForward
        case deleteWord, clearField, deleteToEnd

        // The program itself.
        case help, quit, back, stepBack = "step-back", quitNow = "quit-now", interrupt, redraw
        case suspend, palette, runCommand, closePalette
    }
}
