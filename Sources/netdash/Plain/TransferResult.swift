/// How one transfer stood when the run ended.
enum TransferResult: Sendable, Equatable {
    case completed
    case failed(TransferFailure)
    case cancelled
    /// Not ended: paused, waiting or moving.
    case unfinished
}
