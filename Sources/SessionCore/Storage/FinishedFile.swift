/// A download that has its name.
struct FinishedFile: Sendable, Equatable {
    /// Where it is.
    var path: String
    /// The digest that was verified, in hexadecimal, where one was asked for.
    var digest: String?
    /// Whether an existing file was left at ``path`` and the download dropped, as the policy `skip` says.
    var wasSkipped = false
}
