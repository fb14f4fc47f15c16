import Dashboard
import SessionSupport

/// Results of commands outside of the dashboard.
enum EffectToasts {
    static let tooLongToCopy: SafeText = "Too long to copy through the terminal"
    static func serviceLost(_ reason: SafeText) -> SafeText { "\(reason); resuming or adding starts it again" }
    static let serviceSilent: SafeText = "The service has not answered yet; the command waits for it"
    static let serviceStopped: SafeText = "The service was stopped"
    static let reconnected: SafeText = "Connected to the service again"
    static let noFile: SafeText = "This task has no file"
    static let noFileYet: SafeText = "No file to open yet"

    static func addedUploads(_ count: Int, remarks: [SafeText]) -> SafeText {
        let added: SafeText = "Added \(count, "upload", "uploads")"
        return ([added] + remarks).joined(by: " · ")
    }

    static func goneForGood(_ count: Int) -> SafeText {
        "\(count, "removed task is", "removed tasks are") gone; add them again"
    }

    static func notUndone(_ count: Int, of total: Int) -> SafeText {
        total <= 1
            ? "Not undone: another window has changed it since"
            : "\(count) of \(total, "task", "tasks") not undone: changed by another window"
    }

    // MARK: - Several tasks at once

    static func amended(_ count: Int) -> SafeText { "Changed \(count, "task", "tasks")" }

    static func amended(_ count: Int, of total: Int) -> SafeText { "Changed \(count) of \(total, "task", "tasks")" }

    static func unchanged(_ count: Int, _ reason: SafeText) -> SafeText { "\(count) not: \(reason)" }

    static func unchanged(_ count: Int) -> SafeText { "\(count) not" }

    // MARK: - Another URL

    static let stoppingForURL: SafeText = "Stopping, then resuming from the new URL"
    static let changesURLOfPaused: SafeText = "Taking the new URL; the download stays paused"
    static let startsFromURL: SafeText = "Starting from the new URL"
    static let restartsFromURL: SafeText = "Restarting from zero: no data could be kept"

    static func asksForRest(_ bytes: SafeText) -> SafeText { "Resuming at \(bytes), or restarting if the file differs" }

    static func resumesFromURL(_ bytes: SafeText) -> SafeText { "Resuming at \(bytes) if the file is the same" }

    // MARK: - Files

    static let stoppingForPath: SafeText = "Stopping, then going on at the new path"

    static let changesPathOfPaused: SafeText = "Taking the new path; the download stays paused"

    static func moved(_ path: SafeText) -> SafeText { "Moved to \(path)" }

    /// `waiting` downloads have not ended.
    static func moved(_ count: Int, _ waiting: Int, to folder: SafeText) -> SafeText {
        let moved: SafeText = "Moved \(count, "file", "files") to \(folder)"
        if waiting == 0 { return moved }
        let rest = "\(waiting, "download takes", "downloads take") the new path" as SafeText
        return count == 0 ? "\(rest): \(folder)" : "\(moved); \(rest)"
    }

    static func movedBack(_ count: Int, _ waiting: Int) -> SafeText {
        let moved: SafeText = "Moved \(count, "file", "files") back"
        if waiting == 0 { return moved }
        let rest = "\(waiting, "download takes", "downloads take") the earlier path" as SafeText
        return count == 0 ? rest : "\(moved); \(rest)"
    }

    /// `reason` is the last problem.
    static func moved(_ count: Int, of total: Int, _ reason: SafeText) -> SafeText {
        "Moved \(count) of \(total, "file", "files"): \(reason)"
    }

    static func notThere(_ path: SafeText) -> SafeText { "No such file: \(path)" }

    static func opening(_ path: SafeText) -> SafeText { "Opening \(path)" }

    static func written(_ size: SafeText, to path: SafeText) -> SafeText { "Wrote \(size) to \(path)" }

    static func optionsNotSaved(_ reason: SafeText) -> SafeText { "Options not saved: \(reason)" }

    // MARK: - Clipboard

    static let copiedCommand: SafeText = "Copied as curl command"
    static let copiedSecretCommand: SafeText = "Copied as curl command, secrets included"

    static func copiedCommands(_ count: Int) -> SafeText { "Copied \(count, "curl command", "curl commands")" }

    static func copiedSecretCommands(_ count: Int) -> SafeText {
        "Copied \(count, "curl command", "curl commands"), secrets included"
    }

    static func copied(_ text: SafeText) -> SafeText { "Copied \(text)" }

    static func copiedURLs(_ count: Int) -> SafeText { "Copied \(count, "URL", "URLs")" }

    static func copied(_ path: SafeText, because reason: SafeText) -> SafeText { "Copied \(path): \(reason)" }

    // MARK: - Session

    static let sessionInUse: SafeText = "Session open in another netdash; this run is not saved"

    static func notSaved(_ reason: SafeText) -> SafeText { "\(reason); this run is not saved" }

    /// A sentence about a run that is not saved, and that therefore watches no folder.
    static func withoutWatch(_ notice: SafeText) -> SafeText { "\(notice) and watches no folder" }
}

/// Why a path is copied and no program opens it.
enum OpeningReasons {
    static let remote: SafeText = "no program opens over ssh"
    static let noDisplay: SafeText = "no display to open it on"
    static let noProgram: SafeText = "no xdg-open; see open-command in the configuration"
}
