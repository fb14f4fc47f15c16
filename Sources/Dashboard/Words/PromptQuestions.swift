/// Questions of the one-line prompts, each from the longest to the shortest.
package enum PromptQuestions {
    package static let saveBody: [SafeText] = ["Save body as", "Save as"]
    package static let repeatInterval: [SafeText] = ["Repeat every N s (empty: stop)", "Every N s", "Every"]
    package static let newURL: [SafeText] = ["Resume from URL", "URL"]
    package static let moveFile: [SafeText] = ["Move file to", "To"]
    package static func move(_ count: Int, first: SafeText) -> [SafeText] {
        [
            "Move \(first) and \(count - 1) more to folder", "Move \(count, "file", "files") to folder", "To folder",
            "To",
        ]
    }
    package static let search: [SafeText] = ["Search (empty: stop)", "Search"]
    package static let jsonPath: [SafeText] = ["JSON path (or empty)", "Path"]
    package static let saveView: [SafeText] = ["Save view as: digit 5-9 and name", "View: 5-9 and name", "View"]
    package static let filterHistory: [SafeText] = [
        "Filter history: today, age:<7d, host:, words", "Filter history", "Filter",
    ]
    package static let filterLog: [SafeText] = ["Filter log", "Filter"]

    package static func speedLimits(now rates: SafeText) -> [SafeText] {
        [
            "Speed limit, e.g. 512k, 2M 100k or off (now \(rates)):", "Speed limit (now \(rates)):",
            "Speed limit:", "Limit:",
        ]
    }
    package static func taskLimit(now rates: SafeText) -> [SafeText] {
        [
            "Task limit, e.g. 512k or 2M 100k; empty: global (now \(rates)):", "Task limit (now \(rates)):",
            "Task limit:", "Limit:",
        ]
    }
    package static func amend(_ count: Int) -> [SafeText] {
        [
            "Change \(count, "task", "tasks") (user=me:secret; dir=~/isos):", "Change \(count, "task", "tasks"):",
            "Change \(count):", "Set:",
        ]
    }
    package static let limitPerTask: [SafeText] = [
        "Limit per task, e.g. 512k or 2M 100k; empty: global:", "Limit per task (empty: global):", "Limit per task:",
        "Limit:",
    ]
}

/// The questions before something is lost, and whatever else stands over their buttons.
package enum Questions {
    package static func cancel(_ count: Int) -> SafeText { "Cancel \(count, "task", "tasks")?" }
    package static func remove(_ count: Int) -> SafeText { "Remove \(count, "task", "tasks") from the list?" }
    package static func clear(_ count: Int) -> SafeText { "Clear \(count, "task", "tasks")?" }
    package static let fileExists: SafeText = "File exists"
    package static func unfinished(_ count: Int) -> SafeText {
        "Quit? \(count, "unfinished task", "unfinished tasks")"
    }
    package static func closeWindow(_ count: Int) -> SafeText {
        "Close window? \(count, "unfinished task", "unfinished tasks")"
    }
    package static func waiting(_ count: Int) -> SafeText { "Waiting for \(count, "task", "tasks")" }
    package static func losingBytes(_ count: Int) -> SafeText {
        "Quitting loses bytes of \(count, "task", "tasks")"
    }
    package static let allEnded: SafeText = "All tasks have finished"
    package static func deleteLeftovers(_ what: SafeText) -> SafeText { "Delete \(what)?" }
    package static func deleteLeftovers(_ what: SafeText, _ size: SafeText) -> SafeText {
        "Delete \(what), \(size)? y Yes, Esc No"
    }
    package static func forget(_ count: Int) -> SafeText { "Forget \(count, "task", "tasks")? y Yes, Esc No" }
    package static func files(_ count: Int) -> SafeText { "\(count, "file", "files")" }
}

/// The lines between a question and its buttons.
package enum QuestionLines {
    package static func andMore(_ count: Int) -> SafeText { "and \(count) more" }
    package static func outOfView(_ count: Int) -> SafeText { "\(count) of them not in this view" }
    package static func otherFiles(_ count: Int) -> SafeText { "\(count, "more file exists", "more files exist")" }
    package static let stopsTask: SafeText = "Stops the task"
    package static func stopsTasks(_ count: Int) -> SafeText { "Stops \(count, "task", "tasks")" }
    package static let fileOnDisk: SafeText = "The file is on disk"
    package static func filesOnDisk(_ count: Int) -> SafeText { "\(count, "file", "files") on disk" }
    package static let partOnDisk: SafeText = "The partial file is on disk"
    package static let partsAtWorkers: SafeText = "Partial files stay on the workers' disks"
    package static func partsOnDisk(_ count: Int) -> SafeText {
        "\(count, "partial file", "partial files") on disk"
    }

    package static func removes(_ counts: SafeText) -> SafeText { "Removes \(counts)" }
    package static func count(_ count: Int, _ state: SafeText) -> SafeText { "\(count) \(state)" }
    package static func hiddenKept(_ count: Int) -> SafeText { "\(count) hidden by tab or filter are kept" }
    package static let filesKept: SafeText = "Keeps files on disk"
    package static let partsKept: SafeText = "Keeps partial files on disk"

    // MARK: Leaving

    package static let detachKeepsRunning: SafeText = "Tasks continue without a window"
    package static let nothingInterrupted: SafeText = "Quitting interrupts nothing"
    package static let quitsWhenDone: SafeText = "netdash quits when all tasks finish"
    package static let demoSavesNothing: SafeText = "The demo saves nothing"
    package static let listUnsaved: SafeText = "List lost, partial files are kept"
    package static func resumeNextTime(_ count: Int) -> SafeText {
        "\(count, "task", "tasks") can resume next time"
    }
    package static func resumeWhenAdded(_ count: Int) -> SafeText {
        "\(count, "task", "tasks") can resume if added again"
    }
    package static func mayRestart(_ kinds: SafeText) -> SafeText { "May restart from zero: \(kinds)" }
    package static func restarts(_ kinds: SafeText) -> SafeText { "Restart from zero: \(kinds)" }
    package static func downloads(_ count: Int) -> SafeText { "\(count, "download", "downloads")" }
    package static func uploads(_ count: Int) -> SafeText { "\(count, "upload", "uploads")" }
    package static func requests(_ count: Int) -> SafeText { "\(count, "data request", "data requests")" }
    package static func and(_ first: SafeText, _ last: SafeText) -> SafeText { "\(first) and \(last)" }
}
