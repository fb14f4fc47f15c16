/// What came of a whole run.
struct RunSummary: Sendable, Equatable {
    var completed = 0
    var failed = 0
    var cancelled = 0
    var paused = 0
    /// Body bytes moved, both directions.
    var bytes: Int64 = 0
    var seconds = 0.0

    /// Counts the results of a run; whatever has not ended counts as paused.
    init(results: some Sequence<TransferResult>, bytes: Int64, seconds: Double) {
        self.bytes = bytes
        self.seconds = seconds
        for result in results {
            switch result {
            case .completed: completed += 1
            case .failed: failed += 1
            case .cancelled: cancelled += 1
            case .unfinished: paused += 1
            }
        }
    }
}
