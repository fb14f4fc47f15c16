import Dashboard

/// The titles of dialogs and menus, and lines that stand for nothing to show.
enum DialogLabels {
    static let commands: SafeText = "Commands"
    static let noCommand: SafeText = "No matching command"
    static let sortBy: SafeText = "Sort by"
    static let showOnly: SafeText = "Show only"
    static let options: SafeText = "Options"
    static func tie(_ column: SafeText) -> SafeText { "\(column) (ties)" }
    static func state(_ mark: SafeText, _ glyph: SafeText, _ word: SafeText, _ count: Int) -> SafeText {
        "\(mark) \(glyph) \(word)  \(count)"
    }

    static let eventLog: SafeText = "Event log"
    static func eventLog(_ filter: SafeText) -> SafeText { "Event log: \(filter)" }
    static let noEvents: SafeText = "No events yet"
    static let noMatchingEvents: SafeText = "No event matches the filter"

    static let history: SafeText = "History"
    static func history(_ filter: SafeText) -> SafeText { "History: \(filter)" }
    static let readingHistory: SafeText = "Reading the history"
    static let noHistory: SafeText = "No ended tasks yet"
    static let noMatchingHistory: SafeText = "No ended task matches the filter"
    static func day(_ day: SafeText, _ count: Int, _ size: SafeText) -> SafeText {
        "\(day)  \(count, "task", "tasks"), \(size)"
    }
    static func failed(_ count: Int) -> SafeText { "\(count) failed" }

    static let leftovers: SafeText = "Leftovers"
    static func leftovers(_ count: Int, _ size: SafeText) -> SafeText { "Leftovers: \(count), \(size)" }
    static let searching: SafeText = "Searching"
    static let noLeftovers: SafeText = "No leftover partial files"
    static func folder(_ folder: SafeText) -> SafeText { "in \(folder)" }

    static func moreTasks(_ count: Int) -> SafeText { "… \(count, "task", "tasks") in all" }
    static func share(_ size: SafeText, of total: SafeText) -> SafeText { "\(size) of \(total)" }
    static let resumable: SafeText = "can resume"
    static let resumeUnsure: SafeText = "resume unsure"
    static let notResumable: SafeText = "no resume"
}

/// The menu of options.
enum OptionLabels {
    static let units: SafeText = "Units"
    static let glyphs: SafeText = "Glyphs"
    static let theme: SafeText = "Theme"
    static let terminal: SafeText = "terminal"
    static let dark: SafeText = "dark"
    static let light: SafeText = "light"
    static let contrast: SafeText = "high contrast"
    static let frameRate: SafeText = "Frame rate"
    static let mouse: SafeText = "Mouse"
    static let quitting: SafeText = "Quit with a service"
    static let ask: SafeText = "ask"
    static let detach: SafeText = "detach"
    static let stop: SafeText = "stop all"
    static let timeColumn: SafeText = "Time column"
    static let parallel: SafeText = "Parallel tasks"
    static let parallelPerHost: SafeText = "Parallel per host"
    static func column(_ title: SafeText) -> SafeText { "Column: \(title)" }
    static func lanes(_ count: Int) -> SafeText {
        "\(count, "file", "files"), \(count, "request", "requests")"
    }
    static let binary: SafeText = "binary"
    static let decimal: SafeText = "decimal"
    static let binaryWide: SafeText = "binary (1024)"
    static let decimalWide: SafeText = "decimal (1000)"
    static let blocks: SafeText = "blocks"
    static let ascii: SafeText = "ASCII"
    static let braille: SafeText = "braille"
    static let console: SafeText = "console font"
    static func noRoom(_ mark: SafeText) -> SafeText { "\(mark) no room" }
    static func width(_ mark: SafeText, _ cells: Int) -> SafeText { "\(mark) \(cells) cells" }
}

/// The add form beside what is typed.
enum AddLabels {
    static let title: SafeText = "Add task"
    static let editTitle: SafeText = "Edit task"
    static func title(_ count: Int) -> SafeText { "Add \(count, "task", "tasks")" }
    static func title(added name: SafeText) -> SafeText { "Add task · \(name) added" }
    static func added(_ name: SafeText) -> SafeText { "\(name) added" }
    static func problem(_ problem: SafeText) -> SafeText { "! \(problem)" }
    static func furtherURLs(_ count: Int) -> SafeText { "and \(count) more from the pasted list" }
    static let resume: SafeText = "resume"
    static let startPaused: SafeText = "start paused"
    static let download: SafeText = "Download"
    static let upload: SafeText = "Upload"
    static let data: SafeText = "Request"

    // MARK: Empty fields

    static let url: SafeText = "https://, or a list: ~/urls.txt"
    static let headers: SafeText = "Name: value; Name: value"
    static let extra: SafeText = "proxy=…; user=name:@env:PASSWORD"
    static let uploadFile: SafeText = "file, *.jpg, several words, or folder/"
    static let body: SafeText = "text, or @FILE"
    static let name: SafeText = "(name from URL)"
    static let checksum: SafeText = "sha-256=…"
}
