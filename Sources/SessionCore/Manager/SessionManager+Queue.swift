import SessionSupport

/// Entries without tasks, for a list too long to make a task for each.
extension SessionManager {
    /// Changes entries, all at once and in the given order.
    ///
    /// The scheduler decides which entries get tasks, and when, and reports them to ``onEntriesAdmitted``.
    package func changeQueue(_ changes: [QueueChange]) { session.submit(.queue(changes)) }

    /// Gets, on the delegate queue, the entries that are about to run.
    ///
    /// It makes their tasks, with their numbers as ``TaskOptions/entry``, and resumes them. An entry that should no
    /// longer run has left the queue or leaves it.
    package var onEntriesAdmitted: (@Sendable ([TransferID]) -> Void)? {
        get { state.withLock { $0.onEntriesAdmitted } }
        set { state.replace(\.onEntriesAdmitted, with: newValue) }
    }
}
