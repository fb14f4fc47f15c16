import SessionSupport

/// Entries without tasks, for a list that is too long for a task each.
extension SessionManager {
    /// Changes entries, all at once and in the given order.
    ///
    /// The scheduler decides which of them get tasks, and when; ``onEntriesAdmitted`` hears of it.
    package func changeQueue(_ changes: [QueueChange]) { session.submit(.queue(changes)) }

    /// The closure that hears, on the delegate queue, of entries whose turn is near.
    ///
    /// It makes their tasks, with their numbers as ``TaskOptions/entry``, and resumes them. An entry that is to run no longer
    /// has left the queue, or leaves it.
    package var onEntriesAdmitted: (@Sendable ([TransferID]) -> Void)? {
        get { state.withLock { $0.onEntriesAdmitted } }
        set { state.withLock { $0.onEntriesAdmitted = newValue } }
    }
}
