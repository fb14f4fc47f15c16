import Dispatch
import Support

/// Who hears of a task's end besides those who follow the task itself: read from the manager at once, when it has ended.
///
/// Of a manager that is gone nobody does; completion handlers and notifications go where it had said.
struct Audience: Sendable {
    var onTaskEvent: (@Sendable (SessionTask, SessionTaskEvent) -> Void)?
    var onComplete: (@Sendable (SessionTask, (any Error)?) -> Void)?
    var cache: SharedValue<any ResponseCache>?
    var onWillCacheResponse: (@Sendable (SessionTask, CachedResponse) -> CachedResponse?)?
    var delivery = CompletionDelivery()
    /// Nil where no notifications are posted.
    var notificationQueue: DispatchQueue? = .main
}

extension Locked<SessionManager.State> {
    /// Who hears of a task that ends now.
    var audience: Audience {
        withLock { state in
            Audience(
                onTaskEvent: state.handlers.onTaskEvent, onComplete: state.handlers.onComplete,
                cache: state.responseCache, onWillCacheResponse: state.handlers.onWillCacheResponse,
                delivery: CompletionDelivery(
                    lane: state.completionLane ?? CompletionDelivery.mainLane, group: state.completionGroup),
                notificationQueue: state.postsNotifications ? state.notificationQueue ?? .main : nil)
        }
    }
}
