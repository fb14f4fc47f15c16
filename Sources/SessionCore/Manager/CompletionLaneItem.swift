import Dispatch

/// What a ``CompletionLane`` runs.
protocol CompletionLaneItem: Sendable {
    /// Spans the time from when the item became due until it has run.
    var group: DispatchGroup { get }

    func run()
}
