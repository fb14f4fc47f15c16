/// What reaches the main thread of a run without a dashboard.
enum RunMessage: Sendable {
    case event(TransferEvent)
    /// Counts of a transfer changed. At most one of a transfer waits.
    case moved(UInt64)
}
