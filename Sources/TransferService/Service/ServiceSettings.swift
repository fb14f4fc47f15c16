/// The settings of a run's transfers: limits, patience, the folder of files and the options of requests.
package struct ServiceSettings: Sendable, Equatable {
    /// The folder of downloads, as the user wrote it; nil for the current one.
    package var directory: String?
    package var maximumConcurrent = 5
    package var maximumPerHost = 16
    package var rates = RatePlan()
    package var requestRates = RequestRates()
    package var retries = 5
    /// Whether the user chose the number of retries, which then also limits outages.
    package var hasChosenRetries = false
    /// Seconds after a task's first failure in which retries may begin; nil unless the user chose it.
    package var retryMaxTime: Double?
    package var connectTimeout = 15.0
    package var stallTimeout = 30.0
    /// The options for all requests of the run.
    package var options: [JobOption.Value] = []
    /// The ones that this call has given, which win over an earlier run's.
    package var runOptions = RunOptions()
    /// Whether failures in the saved session are retried.
    package var retriesFailed = false
    /// Whether a file beside the saved session keeps the secrets that the session hides.
    package var keepsSecrets = false
    /// The shell command that prints a fresh URL or header fields for an expired one.
    package var expiryCommand: String?
    /// The file that lists failed and interrupted transfers at the end.
    package var failedPath: String?
    /// The file of what was downloaded before, which is skipped.
    package var archivePath: String?
    /// The file of checksums that downloads are verified against.
    package var checksumsPath: String?
    /// Whether the head of a response is printed too.
    package var includesHead = false
    /// Whether a line with method, URL and status comes before each body on standard output.
    package var titlesBodies = false
    /// Whether ended rows are kept in a run without visible rows, because commands and notifications name them.
    package var keepsEndedRows = false

    package init() {}
}

extension ServiceSettings {
    /// The default patience in seconds for a server that is down, and for a lost network in a run without commands.
    ///
    /// A router is up again, and a server restarted, in less.
    package static let usualPatience = 600.0

    /// Seconds for which a server that is down is retried, however often.
    package var outagePatience: Double { hasChosenRetries ? 0 : retryMaxTime ?? Self.usualPatience }
}
