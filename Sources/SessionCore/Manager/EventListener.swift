import Support

/// Who hears of everything that happens to every task.
///
/// A value around the closure, because a bare one that leaves a lock is wrapped on the heap each time.
struct EventListener: Sendable {
    let onTaskEvent: (@Sendable (SessionTask, SessionTaskEvent) -> Void)?
}

extension Locked<SessionManager.State> {
    /// Who hears of what happens now.
    var listener: EventListener {
        withLock { EventListener(onTaskEvent: $0.handlers.onTaskEvent) }
    }
}
