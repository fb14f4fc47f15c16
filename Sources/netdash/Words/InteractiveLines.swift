import Dashboard

/// Answers to commands by line.
enum InteractiveLines {
    static let typeHelp: SafeText = "Type help for the commands"

    // MARK: - List and state

    static let noTasks: SafeText = "No tasks; add URL adds one"

    static func row(_ words: SafeText, _ url: SafeText) -> SafeText { "\(words): \(url)" }

    static func status(_ counts: SafeText, _ moved: SafeText) -> SafeText { "\(counts); \(moved) transferred" }

    static func count(_ count: Int, _ state: SafeText) -> SafeText { "\(count) \(state)" }

    static func failed(_ state: SafeText, with status: Int) -> SafeText { "\(state) with \(status)" }

    static func progress(_ moved: SafeText, of expected: SafeText) -> SafeText { "\(moved) of \(expected)" }

    // MARK: - Details of a task

    static let resumes: SafeText = "resumes after a stop"
    static let mayRestart: SafeText = "may restart from zero after a stop: range support unknown"
    static let restarts: SafeText = "restarts from zero after a stop"

    static func error(_ reason: SafeText) -> SafeText { "error: \(reason)" }

    static func file(_ path: SafeText) -> SafeText { "file: \(path)" }

    static func response(_ status: Int) -> SafeText { "response: \(status)" }

    // MARK: - Commands

    static let noEndedTasks: SafeText = "No task has ended"

    static func cleared(_ count: Int) -> SafeText { "Removed \(count, "task", "tasks") from the list" }

    static func unfinished(_ count: Int) -> SafeText {
        "\(count, "task is", "tasks are") unfinished; type quit again to leave (partial files are kept)"
    }

    static func nothing(to command: SafeText) -> SafeText { "No task to \(command)" }

    static func refused(_ command: SafeText, _ row: SafeText) -> SafeText { "Cannot \(command): \(row)" }

    static let hasEnded: SafeText = "the task has ended; resume NUMBER starts it again"
    static let hasNoPart: SafeText = "the task has no partial file; clear removes ended tasks"

    static func refused(_ command: SafeText, _ reason: SafeText, _ row: SafeText) -> SafeText {
        "Cannot \(command), \(reason): \(row)"
    }

    static func partDeleted(_ id: UInt64) -> SafeText { "Deleted the partial file of task \(id)" }

    static func noTask(_ id: UInt64) -> SafeText { "No task \(id)" }

    static func restartsChanged(_ id: UInt64) -> SafeText { "Task \(id) stops, then restarts with the changes" }

    static func pausesChanged(_ id: UInt64) -> SafeText { "Task \(id) stops, then waits paused with the changes" }

    // MARK: - Bodies

    static let endOfBody: SafeText = "End of body"

    static func typeBody(_ id: UInt64, _ summary: SafeText) -> SafeText {
        "Type body \(id) for the response body (\(summary))"
    }

    static func body(_ id: UInt64, _ summary: SafeText) -> SafeText { "Body of task \(id), \(summary)" }

    static func bodyDropped(_ id: UInt64) -> SafeText { "The body of task \(id) was discarded to make room" }

    static func bodyIsFile(_ id: UInt64) -> SafeText { "Task \(id) is a download; the body is the file" }

    static func bodyIn(_ id: UInt64, _ path: SafeText) -> SafeText { "The body of task \(id) is in \(path)" }

    static func noBody(_ id: UInt64) -> SafeText { "No body of task \(id)" }

    static func noBodyYet(_ id: UInt64) -> SafeText { "No body of task \(id) yet" }

    // MARK: - Limits

    static let commonLimits: SafeText = "common limits"

    static func limits(_ downloads: SafeText, _ uploads: SafeText) -> SafeText {
        "Downloads: \(downloads), uploads: \(uploads)"
    }

    static func taskLimits(_ id: UInt64, _ limits: SafeText) -> SafeText { "Task \(id): \(limits)" }

    static func download(_ limit: SafeText) -> SafeText { "download \(limit)" }

    static func upload(_ limit: SafeText) -> SafeText { "upload \(limit)" }

    static func atMost(_ rate: SafeText) -> SafeText { "at most \(rate)" }

    static let commonLimit: SafeText = "with the common limit"
    static let noLimit: SafeText = "without a limit"

    static func limit(_ problem: SafeText) -> SafeText { "The limit \(problem)" }

    // MARK: - Undo

    static let nothingToUndo: SafeText = "Nothing to undo"
    static let tooLateToUndo: SafeText = "Too late to undo this step"
    static let clearStays: SafeText = "clear cannot be undone"
    static let retryStays: SafeText = "A retry cannot be undone; pause NUMBER pauses the task"
    static let cancelStays: SafeText = "This cancel cannot be undone; resume NUMBER restarts the task"
    static let addStays: SafeText = "An added task stays; cancel NUMBER cancels it"
    static let editStays: SafeText = "An edit cannot be undone; edit the task again"

    static func resumed(_ count: Int) -> SafeText { "Resumed \(count, "task", "tasks")" }

    static func pausedAgain(_ count: Int) -> SafeText { "Paused \(count, "cancelled task", "cancelled tasks") again" }

    static func paused(_ count: Int) -> SafeText { "Paused \(count, "task", "tasks")" }
}

/// The states of tasks as commands by line name them.
enum InteractiveStates {
    static let running: SafeText = "running"
    static let retrying: SafeText = "retrying"
    static let queued: SafeText = "queued"
    static let pausing: SafeText = "pausing"
    static let paused: SafeText = "paused"
    static let verifying: SafeText = "verifying"
    static let saving: SafeText = "saving"
    static let failed: SafeText = "failed"
    static let done: SafeText = "done"
    static let cancelled: SafeText = "cancelled"
}

/// Errors in a command by line.
enum InteractiveErrors {
    static let openQuote: SafeText = "Missing closing quote"
    static let uploadNeedsURL: SafeText =
        "upload needs a file and a URL, as in: upload photo.jpg https://host/in/photo.jpg"
    static let requestNeedsURL: SafeText =
        "request needs a URL, as in: request https://host/api method=POST 'body={}'"
    static let editNeedsChange: SafeText = "edit needs a task number and a change, as in: edit 3 checksum=sha-256=…"
    static let addNeedsURL: SafeText = "add needs a URL, as in: add https://host/file"
    static let typeHelp: SafeText = "type help"

    static func unknown(_ word: SafeText, hint: SafeText) -> SafeText { "\"\(word)\" is not a command; \(hint)" }

    static func didYouMean(_ near: SafeText) -> SafeText { "did you mean \(near)?" }

    static func oneTask(_ command: SafeText) -> SafeText { "\(command) takes one task number" }

    static func noArguments(_ command: SafeText) -> SafeText { "\(command) takes no arguments" }

    static func needsTask(_ command: SafeText) -> SafeText {
        "\(command) needs a task number or all, as in: \(command) 3"
    }

    static func notNumber(_ text: SafeText) -> SafeText { "\"\(text)\" is not a task number; type list" }
}

/// Output of the command `help`.
enum InteractiveHelp {
    static let lines: [SafeText] = [
        "list: all tasks with number, state and progress",
        "pause NUMBER, resume NUMBER: also several numbers, or all; resume also retries failed tasks",
        "cancel NUMBER: stop a task, keep the partial file",
        "delete NUMBER: stop a task, delete the partial file; also of a task that has ended",
        "add URL: download a file",
        "upload FILE URL: send a file; keys of input lists may follow, such as method=POST",
        "request URL: send a request; keys may follow, such as method=POST, body=TEXT, header='Name: value'",
        "body NUMBER: print the response body of a request",
        "edit NUMBER KEY=VALUE: change a task and restart it, such as url=, out=, checksum= or header=",
        "limit RATE: limit downloads, such as 2M or off; limit RATE RATE: uploads too; limit: show the limits",
        "limit task NUMBER RATE: limit one task; without RATE the common limit applies",
        "undo: undo the last command, then the one before",
        "status [NUMBER]: show all tasks or one",
        "clear: remove ended tasks from the list; files are kept",
        "quit: leave; partial files are kept",
    ]
}
