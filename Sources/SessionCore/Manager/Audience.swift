import Dispatch
import SessionSupport

/// The closures, cache and queues of a manager that a task's end is told to, read together when the task has ended.
///
/// A manager that is gone has none of these but the queues it had set, for completion handlers and notifications.
struct Audience: Sendable {
    var listener = EventListener(onTaskEvent: nil, monitors: [])
    var onComplete: (@Sendable (SessionTask, (any Error)?) -> Void)?
    var cache: (any ResponseCache)?
    var onWillCacheResponse: (@Sendable (SessionTask, CachedResponse) -> CachedResponse?)?
    var delivery = CompletionDelivery()
    /// Nil where no notifications are posted.
    var notificationQueue: DispatchQueue? = CompletionDelivery.defaultQueue
}

extension Locked<SessionManager.State> {
    /// The audience of a task that ends now.
    var audience: Audience {
        withLock { state in
            Audience(
                listener: EventListener(onTaskEvent: state.handlers.onTaskEvent, monitors: state.monitors),
                onComplete: state.handlers.onComplete,
                cache: state.responseCache, onWillCacheResponse: state.handlers.onWillCacheResponse,
                delivery: CompletionDelivery(lane: state.completionLane ?? CompletionDelivery.mainLane),
                notificationQueue: state.effectiveNotificationQueue)
        }
    }
}

/// The closure and the monitors that hear of everything that happens to every task.
///
/// A value around the closure, because a bare one that leaves a lock is wrapped on the heap each time.
struct EventListener: Sendable {
    let onTaskEvent: (@Sendable (SessionTask, SessionTaskEvent) -> Void)?
    let monitors: [any SessionMonitor]

    /// The closure first, then the monitors in their order.
    func hear(_ event: SessionTaskEvent, of task: SessionTask) {
        onTaskEvent?(task, event)
        for monitor in monitors { monitor.task(task, didReceive: event) }
    }
}

extension SessionManager.State {
    /// Where notifications are posted now; nil where they are not.
    fileprivate var effectiveNotificationQueue: DispatchQueue? {
        postsNotifications ? notificationQueue ?? CompletionDelivery.defaultQueue : nil
    }
}

extension Locked<SessionManager.State> {
    /// Where notifications are posted now; nil where they are not.
    var notificationQueue: DispatchQueue? { withLock { $0.effectiveNotificationQueue } }

    /// The listeners there are now.
    var listener: EventListener {
        withLock { EventListener(onTaskEvent: $0.handlers.onTaskEvent, monitors: $0.monitors) }
    }
}

/// What the closures of a manager answer now: a closure counts from the moment it is set, for tasks that run too.
extension Locked: QuestionSource where Value == SessionManager.State {
    var questions: Questions { withLock { $0.handlers.questions } }
}

extension SessionHandlers {
    fileprivate var questions: Questions {
        var questions: Questions = []
        if onData != nil { questions.insert(.chunks) }
        if onResponse != nil { questions.insert(.disposition) }
        if onRedirect != nil { questions.insert(.redirect) }
        if onSessionChallenge != nil || onTaskChallenge != nil { questions.insert(.challenge) }
        if onNeedNewBody != nil { questions.insert(.body) }
        return questions
    }
}
