import Dispatch
import SessionSupport

/// The closures, cache and queues of a manager that handle a task's end, read together when the task has ended.
///
/// Once the manager is released, only the queues it had set remain, for completion handlers and notifications, and the
/// cache, to remove what a task changes.
struct Audience: Sendable {
    var listener = EventListener(onTaskEvent: nil, monitors: [])
    var onComplete: (@Sendable (SessionTask, (any Error)?) -> Void)?
    var cache: (any ResponseCache)?
    var onWillCacheResponse: (@Sendable (SessionTask, CachedResponse) -> CachedResponse?)?
    var delivery = CompletionDelivery()
    /// The queue on which notifications are posted; nil if none are posted.
    var notificationQueue: DispatchQueue? = CompletionDelivery.defaultQueue
}

extension Locked<SessionManager.State> {
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

/// The closure and the monitors that receive every event of every task.
///
/// A value around the closure, because a bare closure read out of a lock is wrapped on the heap each time.
struct EventListener: Sendable {
    let onTaskEvent: (@Sendable (SessionTask, SessionTaskEvent) -> Void)?
    let monitors: [any SessionMonitor]

    /// Calls the closure first, then the monitors in their order.
    func hear(_ event: SessionTaskEvent, of task: SessionTask) {
        onTaskEvent?(task, event)
        for monitor in monitors { monitor.task(task, didReceive: event) }
    }
}

extension SessionManager.State {
    /// The queue on which notifications are posted; nil if none are posted.
    fileprivate var effectiveNotificationQueue: DispatchQueue? {
        postsNotifications ? notificationQueue ?? CompletionDelivery.defaultQueue : nil
    }
}

extension Locked<SessionManager.State> {
    /// The queue on which notifications are posted; nil if none are posted.
    var notificationQueue: DispatchQueue? { withLock { $0.effectiveNotificationQueue } }

    var listener: EventListener {
        withLock { EventListener(onTaskEvent: $0.handlers.onTaskEvent, monitors: $0.monitors) }
    }
}

/// The questions that a manager's closures answer; a closure counts once it is set, also for running tasks.
extension Locked: QuestionSource where Value == SessionManager.State {
    var questions: Questions { withLock { $0.handlers.questions } }
}

extension SessionHandlers {
    var questions: Questions {
        var questions: Questions = []
        if onData != nil { questions.insert(.chunks) }
        if onResponse != nil { questions.insert(.disposition) }
        if onRedirect != nil { questions.insert(.redirect) }
        if onSessionChallenge != nil || onTaskChallenge != nil { questions.insert(.challenge) }
        if onNeedNewBody != nil { questions.insert(.body) }
        return questions
    }
}
