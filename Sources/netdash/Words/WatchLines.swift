import Dashboard
import SessionSupport

/// Messages about a watched folder.
enum WatchLines {
    static func taken(_ name: SafeText, _ count: Int) -> SafeText { "Watch: \(name): \(count, "task", "tasks")" }
    static func repeated(_ name: SafeText) -> SafeText { "Watch: \(name): in the list already" }
    static func refused(_ name: SafeText, _ reason: SafeText) -> SafeText { "Watch: \(name) refused: \(reason)" }
    static func stays(_ name: SafeText, _ reason: SafeText) -> SafeText { "Watch: \(name) stays: \(reason)" }
    static func stopped(_ path: SafeText, _ reason: SafeText) -> SafeText { "\(path) is not watched: \(reason)" }
    static func watching(_ path: SafeText) -> SafeText { "Watching \(path)" }
    static func watchingAgain(_ path: SafeText) -> SafeText { "\(path) is watched again" }
}

/// Why a folder is not watched, or a dropped file is refused, in words that follow its name.
enum WatchUsage {
    static let needsService = "needs the dashboard or netdash serve, because a run ends with its last task"
    static let needsWatch = "needs --watch here: netdash serve gives it to the tasks of dropped files"
    static let nameNotUTF8 = "its name is not UTF-8"
    static func missing(_ path: String) -> String { "no folder \"\(path)\"; create it first" }
    static func unwatchable(_ path: String, _ reason: String) -> String { "cannot watch \"\(path)\": \(reason)" }
    static let isDownloadFolder = "downloads go there, and would be read as lists; use -d or another folder"
    static let isTaken = "another netdash watches it"

    static let link = "a link is not followed"
    static let folder = "a folder"
    static let notFile = "not a regular file"
    static let otherUser = "belongs to another user"
    static func tooLarge(_ limit: Int) -> String { "larger than \(limit) MiB" }
    static func unreadable(_ reason: String) -> String { "cannot be read: \(reason)" }
    static func unmovable(_ reason: String) -> String { "cannot be moved: \(reason)" }

    static let noTask = "contains no task"
    static let notUTF8 = "not UTF-8 text"
    static let noShortcut = "no URL= below [InternetShortcut]"
    static let notMetalink = "not a Metalink"
    static func runsCommand(_ option: String) -> String { "\(option) runs a command, which a dropped file may not" }

    static let notCurl = "not a curl command"
    static let incompleteCurl = "an incomplete curl command: a URL or a closing quote is missing"
    static func unknownOptions(_ names: String) -> String { "unknown: \(names)" }
    static func expansions(_ names: String) -> String { "\(names) needs a shell; write the value" }
    static func several(_ count: Int) -> String { "the pattern makes \(count) requests; only downloads may have one" }
}
