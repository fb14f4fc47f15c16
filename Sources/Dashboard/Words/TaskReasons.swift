/// Why a key does nothing now.
package enum TaskReasons {
    package static let noOtherFile: SafeText = "No other task waits for an answer"
    package static let nothingToPause: SafeText = "Nothing to pause"
    package static let nothingToPauseInView: SafeText = "Nothing to pause in this view"
    package static let nothingToResume: SafeText = "Nothing to resume"
    package static func held(_ state: SafeText, _ startNow: SafeText) -> SafeText {
        "Waits: \(state) · \(startNow) start now"
    }
    package static let nothingPausedInView: SafeText = "Nothing paused in this view"
    package static let nothingToCancel: SafeText = "Nothing to cancel"
    package static let nothingToStart: SafeText = "Nothing to start"
    package static let noneWaitsOrRuns: SafeText = "Not running or queued"
    package static let noneQueued: SafeText = "Not in the queue"
    package static let noneDone: SafeText = "Only done tasks can be fetched again"
    package static let onlyUnfinishedDownloads: SafeText = "Only for unfinished downloads"
    package static let onlyDownloadFiles: SafeText = "Only the file of a download can be moved"
    package static let fileIncomplete: SafeText = "The file is not complete"
    package static let noFile: SafeText = "This task has no file"
    package static let nothingToView: SafeText = "Nothing to view yet"
    package static let checksumMismatch: SafeText = "Checksum mismatch: the file was kept as *.bad"
    package static let onlyRequestsRepeat: SafeText = "Only data requests can be repeated"
    package static let notOverQueue: SafeText = "Not for a queue that many machines drain"
    package static let noBody: SafeText = "No body to save"
    package static let noJSON: SafeText = "No JSON body here, or too large"
    package static let onlyJSONFolds: SafeText = "Only JSON bodies can be folded"
    package static let onlyDownloadsHaveParts: SafeText = "Only downloads have partial files"
    package static let noneUnfinished: SafeText = "No unfinished tasks"
    package static func onlyInList(_ title: SafeText, _ back: SafeText) -> SafeText {
        "\(title): only in the list (\(back))"
    }
    package static let oneTaskOnly: SafeText = "Only for one task, not for a group"
    package static let alreadyRemoved: SafeText = "Already removed"
    package static let alreadyEnded: SafeText = "Already finished; URL not changed"
    package static let notMovable: SafeText = "The file cannot be moved now"
    package static let moveWouldLoseBytes: SafeText = "Not yet: resume unsure, a move might lose bytes"
    package static let notMovableBack: SafeText = "The file cannot be moved back now"

    package static let noService: SafeText = "Tasks run in this window, not in a service"

    // MARK: What the view lacks

    package static let noTaskInView: SafeText = "No task in this view"
    package static let serviceAway: SafeText = "The service is away; resuming or adding starts it again"
    package static let stillReading: SafeText = "The tasks are still being read; press the key again"
    package static let partlyRead: SafeText = "The service is away, and not all tasks are read"
    package static let noTaskYet: SafeText = "No tasks yet"
    package static let selectTaskFirst: SafeText = "Select a task first"
    package static let noneFailedInView: SafeText = "No failed task in this view"
    package static let noneDoneInView: SafeText = "No done task in this view"
    package static let noneEndedInView: SafeText = "No finished task in this view"
    package static let nothingMarked: SafeText = "Nothing is marked"
    package static let noGroups: SafeText = "The table has no groups"
    package static let noSearch: SafeText = "No search yet"
    package static let onlyColumns: SafeText = "Only columns can be moved and sized"
    package static let noLeftover: SafeText = "No leftover here"
    package static let noEndedTask: SafeText = "No ended task here"
    package static let urlNotKept: SafeText = "URL too long for the history"
    package static let nothingToConfirm: SafeText = "Nothing to confirm"
    package static let questionOpen: SafeText = "Answer the open question first"
    package static let noCommand: SafeText = "No matching command"
    /// A reason of this view, and tasks that the tab or the filter hides.
    package static func hidden(_ reason: SafeText, _ count: Int) -> SafeText { "\(reason) (\(count) hidden)" }
}
