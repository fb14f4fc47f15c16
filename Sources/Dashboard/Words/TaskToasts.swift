/// Results of keys that act on tasks.
package enum TaskToasts {
    package static func added(_ count: Int) -> SafeText { "Added \(count, "task", "tasks")" }
    package static func alreadyInList(_ count: Int) -> SafeText {
        "Left out \(count, "task", "tasks"): already in the list"
    }
    package static let readingList: SafeText = "Reading the list"
    package static func paused(_ count: Int) -> SafeText { "Paused \(count, "task", "tasks")" }
    package static func repetitionsPaused(_ count: Int) -> SafeText { "Paused \(count, "repetition", "repetitions")" }
    package static func resumed(_ count: Int) -> SafeText { "Resumed \(count, "task", "tasks")" }
    package static func pausedAgain(_ count: Int) -> SafeText {
        "Paused \(count, "cancelled task", "cancelled tasks") again"
    }
    package static func restarted(_ count: Int) -> SafeText { "Restarted \(count, "task", "tasks")" }
    package static func resumesOnceCancelled(_ count: Int) -> SafeText {
        "Will resume \(count, "task", "tasks") once cancelled"
    }
    package static func startedNow(_ count: Int) -> SafeText { "Started \(count, "task", "tasks"), ignoring limits" }
    package static func fetchedAgain(_ count: Int) -> SafeText { "Queued \(count, "task", "tasks") again" }
    package static func cancelled(_ count: Int) -> SafeText { "Cancelled \(count, "task", "tasks")" }
    package static func repeatsStopped(_ count: Int) -> SafeText { "Stopped \(count, "repetition", "repetitions")" }
    package static func removed(_ count: Int) -> SafeText { "Removed \(count, "task", "tasks")" }
    package static func removedWithFiles(_ count: Int) -> SafeText {
        "Removed \(count, "task", "tasks"), files deleted"
    }
    package static func cleared(_ count: Int) -> SafeText { "Cleared \(count, "task", "tasks")" }
    package static func marked(_ count: Int) -> SafeText { "Marked \(count, "task", "tasks")" }
    package static func priorityRaised(_ count: Int) -> SafeText {
        "Raised the priority of \(count, "task", "tasks")"
    }
    package static func priorityLowered(_ count: Int) -> SafeText {
        "Lowered the priority of \(count, "task", "tasks")"
    }
    package static func movedInQueue(_ count: Int) -> SafeText { "Moved \(count, "task", "tasks") in the queue" }

    // MARK: Facts behind them, joined by commas

    package static func fromStart(_ count: Int) -> SafeText { "\(count) from the start" }
    package static func skipped(_ count: Int) -> SafeText { "\(count) skipped" }
    package static func hiddenHit(_ count: Int) -> SafeText { "\(count) of them hidden" }
    package static func hiddenKept(_ count: Int) -> SafeText { "\(count) hidden kept" }
    package static func hiddenStayMarked(_ count: Int) -> SafeText { "\(count) hidden still marked" }
    package static func connectionsKept(_ count: Int) -> SafeText {
        "\(count, "connection", "connections") kept open: resume unsure"
    }

    // MARK: Steps that were undone

    package static func restored(_ count: Int) -> SafeText { "Restored \(count, "task", "tasks")" }
    package static func priorityRestored(_ count: Int) -> SafeText {
        "Restored the priority of \(count, "task", "tasks")"
    }
    package static func movingFiles(_ count: Int) -> SafeText { "Moving \(count, "file", "files")" }
    package static func movingBack(_ count: Int) -> SafeText { "Moving \(count, "file", "files") back" }
    package static func positionsRestored(_ count: Int) -> SafeText {
        "Moved \(count, "task", "tasks") back in the queue"
    }

    // MARK: The edited task, another URL, another path

    package static let saved: SafeText = "Saved, restarting"
    package static let savedPaused: SafeText = "Saved, paused"
    package static let savedStopping: SafeText = "Saved, stopping, then restarting"
    /// What a form says that the service then refuses.
    static let allSaved = [saved, savedPaused, savedStopping]
    package static func savedAdding(_ saved: SafeText, _ count: Int) -> SafeText {
        "\(saved); added \(count, "task", "tasks")"
    }

    package static func repeats(every seconds: Int) -> SafeText { "Repeating every \(seconds) s" }
    package static let repeatStopped: SafeText = "Repeat stopped"

    // MARK: - Commands without an answer

    package static let unanswered: SafeText = "The service gave no answer; check that it is done"
    package static let additionUnanswered: SafeText = "The service gave no answer; check that it is added"
    package static let editUnanswered: SafeText = "The service gave no answer; check that it is saved"
}

/// Failures and answers that are told when they come.
package enum TaskErrors {
    package static func failed(_ name: SafeText, _ cause: SafeText) -> SafeText { "\(name) failed: \(cause)" }
    package static let unknownCause: SafeText = "no reason given"
    package static let noStatus: SafeText = "no status"
}

/// The keys behind a toast.
package enum ToastHints {
    package static func undo(_ key: SafeText) -> SafeText { "\(key) undo" }
    package static func retry(_ key: SafeText) -> SafeText { "\(key) retry" }
    package static func thenRetry(_ key: SafeText) -> SafeText { "then \(key) retry" }
    package static func details(_ key: SafeText) -> SafeText { "\(key) details" }
    package static func select(_ key: SafeText) -> SafeText { "\(key) select" }
    package static func backAndSelect(_ back: SafeText, _ key: SafeText) -> SafeText {
        "\(back) back, then \(key) select"
    }
    package static func hide(_ key: SafeText) -> SafeText { "\(key) hide" }
    package static func unfreeze(_ key: SafeText) -> SafeText { "\(key) unfreeze" }
    package static func change(_ key: SafeText) -> SafeText { "\(key) change" }
    package static func saveView(_ key: SafeText) -> SafeText { "\(key) save a view" }
    package static func showAll(_ key: SafeText) -> SafeText { "\(key) show all" }
    package static func states(_ key: SafeText) -> SafeText { "\(key) states" }
    package static func clearFilter(_ filter: SafeText, _ clear: SafeText) -> SafeText { "\(filter) \(clear) clear" }
    package static func unfoldAll(_ key: SafeText) -> SafeText { "\(key) unfold all" }
}
