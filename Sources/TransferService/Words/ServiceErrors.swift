import SessionSupport

/// Failures of tasks that the library does not report.
package enum ServiceErrors {
    package static func redirectWithoutTarget(_ status: String) -> String {
        "\(status): redirect without a Location header"
    }
    package static func redirectUnusable(_ status: String) -> String { "\(status): redirect cannot be followed" }
    package static func lengthRequired(_ status: String) -> String {
        "\(status): body of unknown length refused; send a file"
    }
    package static let bodyUnanswered = "Body was sent in full, and the server may have stored it"
    package static let notSelecting = "This service gives all of its rows and selects none"
    package static let unjudged = "Program ended before the response was checked"
    package static func inEarlierRun(_ reason: String) -> String { "in an earlier run: \(reason)" }

    // MARK: - What is written

    package static let readerGone = "Standard output closed (broken pipe)"
    package static let binaryBody = "Binary body not shown on a terminal"
    package static func notReplaceable(_ path: String) -> String {
        "\(path) is a folder, pipe, socket or disk, which a file cannot replace"
    }
    package static func unwritable(_ path: String, _ reason: String) -> String {
        "\(path) cannot be written: \(reason)"
    }
    package static func unwrittenBody(_ reason: SafeText) -> SafeText {
        "Body on standard output is incomplete: \(reason)"
    }
    package static func unwrittenCookies(_ path: String, _ reason: String) -> String {
        "Cannot write the cookies to \(path): \(reason)"
    }
    package static func unwrittenHosts(_ path: String, _ reason: String) -> String {
        "Cannot write the hosts to \(path): \(reason)"
    }
    package static func unwrittenFailures(_ path: SafeText, _ reason: SafeText) -> SafeText {
        "Cannot write the list of failed tasks to \(path): \(reason)"
    }
    package static func systemCall(_ name: String, _ number: Int32) -> String { "\(name) failed (error \(number))" }

    // MARK: - Checksums and lengths

    package static func tooLong(_ limit: Int64) -> String {
        "File has more than the expected \(SizeText.long(limit).string)"
    }
    static func earlyResponse(_ sent: Int64, of length: Int64) -> String {
        let sizes = SizeText.pair(sent, length)
        return "Server responded after \(sizes.first.string) of \(sizes.second.string), and may not have all of it"
    }
    static func earlyResponse(_ sent: Int64) -> String {
        "Server responded after \(SizeText.long(sent).string), before the end of the input, and may not have all of it"
    }
    package static func otherLength(_ found: Int64, expected: Int64) -> String {
        let sizes = SizeText.pair(found, expected)
        return "File has \(sizes.first.string), expected \(sizes.second.string)"
    }
    package static func checksum(_ digest: String, found: String, expected: String) -> String {
        "\(digest) checksum mismatch on standard output: got \(found), expected \(expected)"
    }
    package static let checksumMissing = "File name is not in the list of checksums"
    package static let checksumAmbiguous = "List of checksums has several for this file name"

    // MARK: - Files of tasks

    package static func claimed(_ path: String) -> String { "Another task already writes to \(path); use another name" }
    package static let changedByAnother: SafeText = "another window or command has changed it since"
    package static let serviceRestarted: SafeText = "the service was restarted since"
    package static let editedByAnother = "Another window's change of this task stands; save again to replace it"
    package static let taskGone = "Task is no longer in the list"
    package static func noTask(_ id: UInt64) -> SafeText { "No task #\(id)" }
    package static let noFile = "Task has no file"
    package static let noBody = "No body to write"
    package static func noFileName(_ text: String) -> String { "\(text) does not name a file" }
    package static let done = "done"
    package static let unchanged = "set so already"
    package static func unsuited(_ name: String, _ kinds: [SafeText]) -> String {
        "\(name) is for \(kinds.map { $0.string + "s" }.joined(separator: " and "))"
    }
    package static let doneNotEdited = "Already done: not edited"
    package static let doneURLKept = "Already done: URL not changed"
    package static let samePath = "File already has this path"
    package static func exists(_ path: String) -> String { "File exists: \(path)" }
    package static let running = "Task is already running"
    package static let pathTaken = "Another task already saves to this path"
    package static func goesOn(_ reason: String) -> String { "\(reason); task continues as before" }
    package static func changed(_ path: String) -> String { "\(path) changed since the download, so it is kept" }
    package static func undeletable(_ path: String, _ reason: String) -> String { "Cannot delete \(path): \(reason)" }

    // MARK: - Saved sessions

    package static func sessionInUse(_ name: String) -> String { "session \"\(name)\" is open in another netdash" }
    package static func sessionInUse(_ name: String, process: Int32) -> String {
        "session \"\(name)\" is open in another netdash (process \(process))"
    }
    package static func sessionUnusable(_ name: String, _ reason: String) -> String {
        "session \"\(name)\" cannot be opened: \(reason)"
    }
    package static func unsaved(_ reason: SafeText) -> SafeText { "Changes are not saved: \(reason)" }
    package static func secretsUnusable(_ path: SafeText, _ reason: String) -> SafeText {
        "Secrets are not kept: \(path): \(SafeText(untrusted: reason))"
    }
    package static func historyDamaged(_ path: SafeText, _ count: Int) -> SafeText {
        "\(count, "line", "lines") of the history \(path) cannot be read"
    }
    package static func historyUnusable(_ path: SafeText, _ reason: String) -> SafeText {
        "History is incomplete: \(path): \(SafeText(untrusted: reason))"
    }
    package static func linkNotReplaced(_ failure: String, _ reason: String) -> String {
        "\(failure); no fresh link: \(reason)"
    }
    package static let linkNotSaved = "Link has a secret, which was not saved; add it again in full"
    package static func linkNotSaved(tag: String) -> String {
        "Link has a secret, which was not saved; add it again in full, or another link with tag=\(tag)"
    }
    package static let secretNotSaved = "A secret was not saved; add the task again in full"
    package static func secretNotSaved(tag: String) -> String {
        "A secret was not saved; add the task again in full, or another link with tag=\(tag)"
    }
    package static func secretsNotSaved(_ names: String) -> String {
        "Secrets are not saved (\(names)); edit the task, or add it again with them"
    }
}

/// Places that have no path.
package enum ServiceLabels {
    package static let standardOutput = "standard output"
}
