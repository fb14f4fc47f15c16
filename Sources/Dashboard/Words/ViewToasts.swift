/// Results of keys that change the screen.
package enum ViewToasts {
    package static let askedJustNow: SafeText = "Asked just now: press the key again"
    package static let askedJustNowByClick: SafeText = "Asked just now: click again"
    package static let frozen: SafeText = "Display frozen, tasks keep running"
    package static let followOn: SafeText = "Following the selection"
    package static let followOff: SafeText = "Follow off"
    package static let groupingOff: SafeText = "Grouping off"
    package static func grouped(_ grouping: SafeText, _ count: Int) -> SafeText {
        "Grouped \(grouping): \(count, "group", "groups")"
    }
    package static let noRoomForGraph: SafeText = "Window too low for the graph"
    package static let secretsShown: SafeText = "Secrets shown for this task"
    package static let secretsHidden: SafeText = "Secrets hidden"
    package static let mouseOn: SafeText = "Mouse on: hold Shift to select text"
    package static let mouseOff: SafeText = "Mouse off"
    package static let noRoomForColumn: SafeText = "No room to widen this column"
    package static let autoQuitOff: SafeText = "Auto-quit off"
    package static func quitsAfter(_ count: Int) -> SafeText { "Quits after \(count, "task", "tasks")" }

    // MARK: Searching and completing

    package static let noMatch: SafeText = "No match"
    package static func notFound(_ text: SafeText, in tab: SafeText) -> SafeText { "\"\(text)\" not found in \(tab)" }
    package static func notFound(_ text: SafeText, in part: SafeText, of tab: SafeText) -> SafeText {
        "\"\(text)\" not found in the \(part) of \(tab)"
    }
    package static let searchFromTop: SafeText = "Search continued at the top"
    package static let searchFromEnd: SafeText = "Search continued at the end"
    package static let nothingPasted: SafeText = "No URL or curl command in the pasted text"

    // MARK: Settings and saved views

    package static let noChanges: SafeText = "No changes to save"
    package static func saved(_ names: SafeText, to path: SafeText) -> SafeText { "Saved \(names) to \(path)" }
    package static func viewSaved(_ digit: Int, _ name: SafeText, to path: SafeText) -> SafeText {
        "Saved view \(digit) \"\(name)\" to \(path)"
    }
    package static func viewReplaced(_ digit: Int, _ name: SafeText, was: SafeText, to path: SafeText) -> SafeText {
        "Saved view \(digit) \"\(name)\" (was \"\(was)\") to \(path)"
    }
    package static func viewDeleted(_ digit: Int) -> SafeText { "Deleted view \(digit)" }
    package static func viewDeleted(_ digit: Int, _ name: SafeText) -> SafeText { "Deleted view \(digit) \"\(name)\"" }
    package static func viewEmpty(_ digit: Int) -> SafeText { "View \(digit) is empty" }
    package static func viewShown(_ digit: Int, _ name: SafeText) -> SafeText { "View \(digit): \(name)" }

    // MARK: A new task that the view hides

    package static func addedBehindTab(_ tab: SafeText) -> SafeText { "Added, hidden by the tab \(tab)" }
    package static let addedBehindFilter: SafeText = "Added, hidden by the filter"
    package static let addedInFoldedGroup: SafeText = "Added, hidden in a folded group"
}

/// Errors about a view that is shown or saved.
package enum ViewErrors {
    package static func filterIgnored(_ view: SafeText, _ problem: SafeText) -> SafeText {
        "\(view); invalid filter ignored: \(problem)"
    }
    package static let usage: SafeText = "Use a digit 5-9 and a name: 5 big"
    package static let nameCharacters: SafeText = "No | or # in the name"
    package static let filterWithHash: SafeText = "Cannot save a filter that contains \" #\""
}
