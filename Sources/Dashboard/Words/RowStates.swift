/// Hosts that are not asked at the moment, in the header.
package enum BackoffLabels {
    package static let noNetwork: SafeText = "no network"
    package static func noNetwork(waiting: Int) -> SafeText { "no network, \(waiting) waiting" }
    package static func hostsDown(_ count: Int) -> SafeText { "\(count) hosts down" }
    package static func hostsDown(_ count: Int, waiting: Int) -> SafeText { "\(count) hosts down, \(waiting) waiting" }
    package static func cause(_ host: SafeText, _ cause: SafeText) -> SafeText { "\(host): \(cause)" }
    package static func cause(_ host: SafeText, _ cause: SafeText, _ retry: SafeText) -> SafeText {
        "\(host): \(cause), \(retry)"
    }
    package static func cause(_ cause: SafeText, retry: SafeText) -> SafeText { "\(cause), \(retry)" }
    package static let retryingNow: SafeText = "retrying now"
    package static func retry(in time: SafeText) -> SafeText { "retry in \(time)" }
    package static func seconds(_ count: Int64) -> SafeText { "\(count)s" }
}

/// Reasons why a host gets no requests, for the details of its tasks.
package enum BackoffLines {
    package static func limited(_ host: SafeText, _ count: Int) -> SafeText {
        "queued: \(host) limited to \(count, "task", "tasks")"
    }
    package static func noNetwork(_ state: SafeText) -> SafeText { "\(state): no network" }
    package static func backingOff(
        _ state: SafeText, _ host: SafeText, _ cause: SafeText, _ retry: SafeText
    ) -> SafeText {
        "\(state): \(host) \(cause), \(retry)"
    }
}

/// The state and the time of a row in the table.
package enum RowStates {
    package static func retry(in seconds: Int64) -> SafeText { "in \(seconds)s" }
    package static func attempt(after time: SafeText) -> SafeText { "try \(time)" }
    package static let waiting: SafeText = "waiting"
    package static let wait: SafeText = "wait"
    package static let overADay: SafeText = "> 1d"
    package static func waiting(_ time: SafeText) -> SafeText { "waiting \(time)" }
    package static func stalled(_ time: SafeText) -> SafeText { "stalled \(time)" }
    package static func queuedSooner(_ priority: Int8) -> SafeText { "queued +\(priority)" }
    package static func queuedLater(_ priority: Int8) -> SafeText { "queued \(priority)" }
    package static func answered(_ state: SafeText, _ status: Int) -> SafeText { "\(state) \(status)" }
    package static let retry: SafeText = "retry"
    /// What a row did is over, or unknown, while its service is away.
    package static let serviceAway: SafeText = "no service"
    package static let away: SafeText = "away"
    /// The version of HTTP alone, for a column whose title names the protocol; `name` is libcurl's short one.
    package static func versionNumber(_ name: SafeText) -> SafeText {
        switch name {
        case "h1": "1.1"
        case "h2": "2"
        case "h3": "3"
        default: name
        }
    }
    /// The same as responses name it.
    package static func version(_ name: SafeText) -> SafeText {
        switch name {
        case "h1": "HTTP/1.1"
        case "h2": "HTTP/2"
        case "h3": "HTTP/3"
        default: name
        }
    }
    package static func attempt(_ number: Int32) -> SafeText { "\(number)" }
    package static func attempt(_ number: Int32, of limit: Int32) -> SafeText { "\(number)/\(limit)" }
    package static func seconds(_ count: Int64) -> SafeText { "\(count)s" }
    package static func minutes(_ count: Int64) -> SafeText { "\(count)m" }
}

/// Whether a task keeps its bytes when its connection is lost: the column RES.
package enum ResumeStates {
    package static let yes: SafeText = "yes"
    package static let unknown: SafeText = "?"
    package static let no: SafeText = "no"

    package static func word(_ resumability: Resumability) -> SafeText {
        switch resumability {
        case .yes: yes
        case .unknown: unknown
        case .no: no
        }
    }
}

/// The priority of a task.
package enum PriorityStates {
    package static let lowest: SafeText = "lowest"
    package static let low: SafeText = "low"
    package static let normal: SafeText = "normal"
    package static let high: SafeText = "high"
    package static let highest: SafeText = "highest"
}
