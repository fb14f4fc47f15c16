/// The sums of a group, in place of the details.
package enum GroupLines {
    package static func title(_ group: SafeText, _ count: Int) -> SafeText {
        "\(group): \(count, "task", "tasks") in this view"
    }
    package static func lastError(_ cause: SafeText, _ name: SafeText) -> SafeText { "Last error: \(cause) (\(name))" }
    package static func retryingAfter(_ cause: SafeText, _ name: SafeText) -> SafeText {
        "Retrying after: \(cause) (\(name))"
    }
    package static func running(_ count: Int32) -> SafeText { "\(count) running" }
    package static func running(_ count: Int32, on connections: SafeText) -> SafeText {
        "\(count) running on \(connections)"
    }
    package static func connections(_ count: Int) -> SafeText { "\(count, "connection", "connections")" }
    package static func connections(atLeast count: Int) -> SafeText { "\(count)+ connections" }
    package static func awaitingResponse(_ count: Int) -> SafeText { "\(count) awaiting response" }
    package static func bounded(_ running: SafeText, _ limit: Int) -> SafeText { "\(running) (max \(limit))" }
    package static func count(_ count: Int32, _ state: SafeText) -> SafeText { "\(count) \(state)" }
    package static func bytes(_ moved: SafeText, of expected: SafeText) -> SafeText { "\(moved) of \(expected)" }
    package static func soFar(_ moved: SafeText) -> SafeText { "\(moved) so far" }
    package static func unsized(_ count: Int32) -> SafeText { "\(count, "size", "sizes") unknown" }
    package static func foldHint(_ key: SafeText) -> SafeText { "\(key) fold" }
    package static func unfoldHint(_ key: SafeText) -> SafeText { "\(key) unfold" }
    package static func allHint(_ pause: SafeText, _ resume: SafeText, _ cancel: SafeText) -> SafeText {
        "\(pause) \(resume) \(cancel) apply to all"
    }
    package static func markedHint(_ pause: SafeText, _ resume: SafeText, _ cancel: SafeText) -> SafeText {
        "\(pause) \(resume) \(cancel) apply to marked tasks"
    }
}

/// Numbers of tasks.
package enum CountLabels {
    package static func tasks(_ count: Int) -> SafeText { "\(count, "task", "tasks")" }
}

/// Groupings of the table.
package enum GroupingLabels {
    package static let none: SafeText = "no groups"
    package static let host: SafeText = "by host"
    package static let folder: SafeText = "by folder"
    package static let kind: SafeText = "by kind"
    package static let worker: SafeText = "by worker"
    package static let noHost: SafeText = "no host"
    package static let noFile: SafeText = "(no folder)"
    package static let noWorker: SafeText = "(no worker)"
    package static let requests = "Requests"
    package static let downloads = "Downloads"
    package static let uploads = "Uploads"
}

/// Texts of the window's title.
package enum WindowLabels {
    package static func failed(_ count: Int) -> SafeText { "\(count) failed" }
    package static func percent(_ number: Int) -> SafeText { "\(number)%" }
    package static func program(_ session: SafeText) -> SafeText { "netdash \(session)" }
}
