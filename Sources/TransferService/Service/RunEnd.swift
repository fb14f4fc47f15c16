/// How a run has ended: what its window or its lines have to say of it, and its exit status.
package struct RunEnd: Sendable, Equatable, Codable {
    /// A transfer that is paused with no one to resume it.
    package struct Undone: Sendable, Equatable, Codable {
        package var id: UInt64
        package var url: String
    }

    /// How the transfers stood before, in the order in which they were added: what was under way counts as unfinished.
    package var results: [TransferResult] = []
    /// The run in figures.
    package var summary = RunSummary(results: [], bytes: 0, seconds: 0)
    /// The run in a few lines for the shell, where a window has shown the rows; complaints are among them.
    package var closing: [SafeText] = []
    /// In the order of their ids.
    package var undone: [Undone] = []
    /// What went wrong beside the transfers, a sentence without a stop each.
    package var complaints: [SafeText] = []
    /// What was lost beside the transfers: a damaged session, changes that were not saved, a body that was not written.
    package var losses = 0

    /// The end of a run without transfers.
    package init() {}
}
