/// Why nothing can be undone now, with the keys that help.
package enum UndoReasons {
    package static let nothing: SafeText = "Nothing to undo"
    package static let stepIsGone: SafeText = "Nothing left to undo of that step"
    package static let tooOld: SafeText = "Earlier steps are too old to undo"
    package static let serviceRestarted: SafeText = "Steps before the restart of the service cannot be undone"
    package static func added(cancel: SafeText, remove: SafeText) -> SafeText {
        "Adding cannot be undone · \(cancel) cancel, \(remove) remove"
    }
    package static func edited(_ edit: SafeText) -> SafeText { "Editing cannot be undone · \(edit) edit again" }
    package static func retried(_ pause: SafeText) -> SafeText { "A retry cannot be undone · \(pause) pause" }
    package static func startedNow(_ pause: SafeText) -> SafeText {
        "Starting now cannot be undone · \(pause) pause"
    }
    package static func fetchedAgain(_ cancel: SafeText) -> SafeText {
        "Fetching again cannot be undone · \(cancel) cancel"
    }
    package static func cancelled(_ resume: SafeText) -> SafeText {
        "This cancel cannot be undone · \(resume) restart"
    }
    package static func repetition(_ change: SafeText) -> SafeText {
        "A repeat cannot be undone · \(change) change"
    }
    package static func repeatStopped(_ again: SafeText) -> SafeText {
        "Stopping a repeat cannot be undone · \(again) repeat"
    }
    package static func newURL(_ key: SafeText) -> SafeText { "A new URL cannot be undone · \(key) enter the old one" }
    package static func limits(_ key: SafeText) -> SafeText {
        "Limits of several tasks cannot be undone · \(key) change"
    }
    package static let filesDeleted: SafeText = "Deleted files cannot be restored"
    package static let leftoversDeleted: SafeText = "Deleted leftovers cannot be restored"
    package static let stoppedTasksRemoved: SafeText = "This removal cannot be undone: tasks would restart"
}
