import Dashboard

/// The header over the table.
enum HeaderLabels {
    static func speed(_ arrow: SafeText, _ rate: SafeText) -> SafeText { "\(arrow) \(rate)" }
    static func speed(_ arrow: SafeText, _ rate: SafeText, peak: SafeText) -> SafeText {
        "\(arrow) \(rate) (peak \(peak))"
    }
    static let down: SafeText = "down"
    static let up: SafeText = "up"
    static func eta(_ time: SafeText) -> SafeText { "ETA \(time)" }
    static func etaAtLeast(_ time: SafeText) -> SafeText { "\(time)+" }
    static func unsized(_ count: Int) -> SafeText { "\(count, "size", "sizes") unknown" }
    /// The bytes while no size is known, so that no share of a total can be named.
    static func soFar(_ size: SafeText) -> SafeText { "\(size) so far" }
    static func perSecond(_ count: Int, _ noun: SafeText) -> SafeText { "\(count) \(noun)/s" }
    static func counted(_ counts: SafeText, _ noun: SafeText) -> SafeText { "\(counts) \(noun)" }
    static let files: SafeText = "files"
    static let tasks: SafeText = "tasks"
    static func part(_ size: SafeText, _ total: SafeText) -> SafeText { "\(size) of \(total)" }
    static func share(_ part: SafeText, _ total: SafeText) -> SafeText { "\(part)/\(total)" }
    static func done(_ share: SafeText) -> SafeText { "\(share) done" }
    static func running(_ time: SafeText) -> SafeText { "run \(time)" }
    static func frozen(_ key: SafeText) -> SafeText { "frozen: \(key)" }
    static func filter(_ text: SafeText, _ counts: SafeText) -> SafeText { "/\(text) \(counts)" }
    static func tab(_ title: SafeText, _ count: Int) -> SafeText { "\(title) \(count)" }
}

/// The line of tabs.
enum TabLabels {
    static func frozen(_ key: SafeText) -> SafeText { "frozen, \(key) unfreezes" }
    static func filter(_ text: SafeText) -> SafeText { "filter \"\(text)\"" }
    static func state(_ state: SafeText, _ count: Int) -> SafeText { "\(state) \(count)" }
    static func numbered(_ number: Int, _ title: SafeText) -> SafeText { "\(number) \(title)" }
}

/// The line under the table.
enum RuleLabels {
    static let unsaved: SafeText = "unsaved"
    static let serviceLost: SafeText = "service lost"
    static let serviceStopped: SafeText = "service stopped"
    static let reading: SafeText = "reading the tasks"
    static func session(_ name: SafeText) -> SafeText { "session \(name)" }
    static let quitsWhenDone: SafeText = "quits when done"
    static let quits: SafeText = "quits"
    static func marked(_ count: Int) -> SafeText { "\(count) marked" }
    static func marking(_ count: Int, _ key: SafeText) -> SafeText { "\(count) marked, \(key) to end" }
    static func position(_ number: Int, of count: Int) -> SafeText { "\(number) of \(count)" }
    static func sort(_ column: SafeText) -> SafeText { "sort \(column)" }
    static func grouped(_ grouping: SafeText, _ sort: SafeText) -> SafeText { "\(grouping), \(sort)" }
    static func then(_ sort: SafeText, _ tie: SafeText) -> SafeText { "\(sort), then \(tie)" }
    static func filtered(_ shown: Int, of all: Int) -> SafeText { "\(shown) of \(all)" }
    /// The rows in the table, of the matching rows that a service has.
    static func loaded(_ count: Int, of all: Int, hasMore: Bool) -> SafeText {
        "first \(count) of \(all)" + (hasMore ? "+" : "")
    }
}

/// The heads of the table's columns.
enum HeadStates {
    static let name: SafeText = "NAME"
    static let progress: SafeText = "PROGRESS"
    static let percent: SafeText = "%"
    static let resume: SafeText = "RES"
    static let done: SafeText = "DONE"
    static let size: SafeText = "SIZE"
    static let speed: SafeText = "SPEED"
    static let rates: SafeText = "RECENT"
    static let state: SafeText = "STATE"
    static let version: SafeText = "HTTP"
    static let host: SafeText = "HOST"
}

/// A table without rows.
enum EmptyLines {
    static let noMatch: SafeText = "No task matches the filter"
    static func clearFilter(_ key: SafeText) -> SafeText { "\(key) clears the filter" }
    static let noneOfKind: SafeText = "No task of this kind"
    static func showAll(_ key: SafeText) -> SafeText { "\(key) shows all tasks" }
    static let noTasks: SafeText = "No tasks yet"
    static func addTask(_ key: SafeText) -> SafeText { "Press \(key) to add a task, or paste a URL" }
}

/// The details beside the list and the graphs there.
enum PaneLabels {
    static func more(_ count: Int) -> SafeText { "▾ \(count) more" }
    static func moreNarrow(_ count: Int) -> SafeText { "▾ \(count)" }
    static func search(_ text: SafeText) -> SafeText { "search \"\(text)\"" }
    static func match(_ number: Int, of count: Int) -> SafeText { "\(number)/\(count)" }
    static func tab(_ number: Int, of count: Int) -> SafeText { "\(number) of \(count)" }
    static func peak(_ rate: SafeText) -> SafeText { "peak \(rate)" }
    static let secondPerColumn: SafeText = "1 s per column"
    static func secondsPerColumn(_ count: Int64) -> SafeText { "\(count) s per column" }
    static func now(_ rate: SafeText) -> SafeText { "\(rate) now" }
    static let down: SafeText = "↓ down"
    static let up: SafeText = "↑ up"
    static let downPlain: SafeText = "v down"
    static let upPlain: SafeText = "^ up"
}

/// The keys of the details beside the list.
enum PaneHints {
    static func keys(_ previous: SafeText, _ next: SafeText, _ full: SafeText) -> SafeText {
        "\(previous) \(next) switch · \(full) full screen"
    }
}
