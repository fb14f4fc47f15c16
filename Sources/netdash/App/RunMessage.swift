/// What reaches the main thread of a run without a dashboard.
enum RunMessage: Sendable {
    case event(TransferEvent)
    /// A transfer has ended, and nothing is to be said about it: the run may be over.
    case ended
    /// Counts of a transfer changed. At most one of a transfer waits.
    case moved(UInt64)
}
