/// The end of a run: what its window or its lines report, and what decides its exit status.
package struct RunEnd: Sendable, Equatable, Codable {
    /// A transfer that no user can resume, because it is paused or waits for another one.
    package struct Undone: Sendable, Equatable, Codable {
        package var id: UInt64
        package var url: String
        /// The name of the task that it waits for; nil for a paused one.
        package var predecessor: String?
    }

    /// The results in the order the tasks were added; a running task counts as unfinished.
    package var results: [TransferResult] = []
    package var summary = RunSummary(results: [], moved: MovedBytes(), seconds: 0)
    /// A few closing lines for the shell, where a window has shown the rows; includes the complaints.
    package var closing: [SafeText] = []
    /// Transfers not done, in the order of their ids.
    package var undone: [Undone] = []
    /// Problems beside the transfers, one sentence each, without a full stop.
    package var complaints: [SafeText] = []
    /// The number of losses beside the transfers: a damaged session, an unwritten body.
    package var losses = 0
    /// Why changes of the session are not saved; nil when all are.
    package var unsaved: SafeText?

    /// The end of a run without transfers.
    package init() {}
}
