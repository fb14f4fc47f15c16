/// The columns of the table in the menu of options, and what the time column shows.
package enum ColumnLabels {
    package static let gauge: SafeText = "progress bar"
    package static let done: SafeText = "bytes done"
    package static let size: SafeText = "size"
    package static let speed: SafeText = "speed"
    package static let rates: SafeText = "recent speeds"
    package static let time: SafeText = "time"
    package static let state: SafeText = "state"
    package static let version: SafeText = "protocol"
    package static let host: SafeText = "host"
    package static let timeLeft: SafeText = "ETA"
    package static let timeTaken: SafeText = "time taken"
    package static let endTime: SafeText = "end time"
}

/// The heads of the time column.
package enum TimeStates {
    package static let left: SafeText = "ETA"
    package static let taken: SafeText = "TAKEN"
    package static let end: SafeText = "ENDS"
}

/// Orders of the table.
package enum SortLabels {
    package static let state: SafeText = "state"
    package static let name: SafeText = "name"
    package static let progress: SafeText = "progress"
    package static let size: SafeText = "size"
    package static let speed: SafeText = "speed"
    package static let eta: SafeText = "ETA"
    package static let host: SafeText = "host"
    package static let added: SafeText = "added"
}

/// The tabs over the table, and short where room is scarce.
package enum ListTabLabels {
    package static let all: SafeText = "All"
    package static let data: SafeText = "Request"
    package static let upload: SafeText = "Upload"
    package static let download: SafeText = "Download"
    package static let uploadShort: SafeText = "Up"
    package static let downloadShort: SafeText = "Down"
}

/// The tabs of the details.
package enum DetailsTabLabels {
    package static let overview: SafeText = "Overview"
    package static let headers: SafeText = "Headers"
    package static let timing: SafeText = "Timing"
    package static let connection: SafeText = "Connection"
    package static let resume: SafeText = "Resume"
    package static let log: SafeText = "Log"
    package static let graph: SafeText = "Graph"
    package static let body: SafeText = "Body"
}
