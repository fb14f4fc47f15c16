internal import FleetQueue
internal import TransferService

/// The sentences of a window program for its dashboards.
enum WindowErrors {
    static func away(_ reason: String) -> SafeText {
        "\(SafeText(untrusted: reason)); the counts are the last known ones"
    }
    static func unanswered(_ error: FleetError) -> SafeText {
        "\(SafeText(untrusted: error.text)); the command may still be carried out"
    }
    static let back: SafeText = "The queue's database answers again"
    static func failed(_ error: FleetError) -> TransferFailure {
        TransferFailure(
            kind: error.code == .away ? "queueAway" : "queueRefused",
            category: error.code == .away ? .network : .ordinary, message: error.text)
    }

    // MARK: - Terms without a column

    static let noSpeed: SafeText = "A queue has no column for speed: and shows an empty list"
    static let noAge: SafeText = "A queue has no column for age: and shows an empty list"
    static let longPattern: SafeText = "The pattern is too long for the queue; shorten it"
    static let searching: SafeText = "Searching the queue"
    static let slowSelection: SafeText = "The filter takes the database too long; use fewer words or a host"
    static func badSelection(_ reason: String) -> SafeText { SafeText(untrusted: reason) }
}

/// The reasons why a command makes no sense over a queue, one plain sentence each.
enum QueueRefusalErrors {
    static let add: SafeText = "Jobs are added with netdash-fleet add"
    static let edit: SafeText = "A queued job is not edited; cancel it and add another with netdash-fleet add"
    static let remove: SafeText = "Jobs stay in the queue; netdash-fleet purge removes ended ones"
    static let startNow: SafeText = "Workers choose when a job starts; raise its priority"
    static let order: SafeText = "Workers take jobs by priority, then by age; raise the priority"
    static let again: SafeText = "A finished job is not fetched again; purge it and add it with netdash-fleet"
    static let deleteParts: SafeText = "Partial files stay on the workers' disks; cancel without deleting them"
    static let limits: SafeText = "Limits are the workers' own: start them with -j, or change netdash.host"
    static let repeating: SafeText = "Jobs of a queue are not repeated"
    static let history: SafeText = "The queue has its ends itself; netdash-fleet export lists them"
    static let file: SafeText = "The file is on a worker's disk, which this program cannot reach"
    static let undo: SafeText = "This step cannot be undone in a queue"
    static let unsettled: SafeText = "No job of a queue waits for a decision about a file"
}

/// What the details of a job say.
enum WindowHints {
    static let resumption: SafeText = "Another worker continues the part in a shared folder"
}

/// The lines that a window program prints.
package enum WindowLines {
    package static func ready(session: String, path: String) -> String {
        "Window on the queue; attach with netdash --session \(session) (\(path))"
    }
    package static func badSession(_ name: String) -> String { "\(name) is no session's name" }
    package static func inUse(_ session: String) -> String {
        "Session \(session) has a service already; choose another name with --session"
    }
    package static let folder = "The queue's files are below each worker's own folder"
}
