/// How one transfer stood when the run ended.
enum TransferResult: Sendable, Equatable {
    case completed
    /// Indirect, because every row has room for a result and few have failed.
    indirect case failed(TransferFailure)
    case cancelled
    /// Not ended: paused, waiting or moving.
    case unfinished
}
