import TransferService

/// A folder that is watched for dropped files.
struct WatchSetting: Sendable, Equatable {
    var path: String
    /// The argument that set it, for messages.
    var label: String
    /// The terms of downloads in dropped files.
    var defaults = Job(kind: .download, url: "")
    /// The settings of some hosts, and of the run, for its tasks.
    var rules = HostRules()
}
