/// The settings of the transfers of a run: limits, patience, the folder of files and the options of requests.
package struct ServiceSettings: Sendable, Equatable {
    /// The folder of downloads, as the user wrote it; nil for the current one.
    package var directory: String?
    package var maximumConcurrent = 5
    package var maximumPerHost = 16
    /// How fast bodies may move.
    package var rates = RatePlan()
    package var retries = 5
    /// Whether the user has said how many tries there are, which then holds for servers that are away too.
    package var hasChosenRetries = false
    /// Seconds after a task's first failure in which further tries begin; nil when the user did not choose.
    package var retryMaxTime: Double?
    package var connectTimeout = 15.0
    package var stallTimeout = 30.0
    /// The options of requests that hold for the whole run.
    package var options: [JobOption.Value] = []
    /// Whether what has failed in the saved session is tried again.
    package var retriesFailed = false
    /// The file that gets the transfers that have failed or were cut short.
    package var failedPath: String?
    /// The file of checksums that downloads are compared with.
    package var checksumsPath: String?
    /// Whether the head of a response is printed too.
    package var includesHead = false
    /// Whether ended rows are kept in a run that shows no rows, because commands and notifications name them.
    package var keepsEndedRows = false

    package init() {}
}

extension ServiceSettings {
    /// Seconds for which a server that is away is tried when nobody has said otherwise, and a network that is gone waited
    /// for in a run that takes no commands.
    ///
    /// A router is up again, and a server was started anew, in less.
    package static let usualPatience = 600.0

    /// Seconds for which a server that is away is tried, however often.
    package var outagePatience: Double { hasChosenRetries ? 0 : retryMaxTime ?? Self.usualPatience }
}
