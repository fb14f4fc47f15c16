import Dispatch

/// A completion handler that is due, with everything it is called with.
struct DueCompletion: CompletionLaneItem {
    let delivery: CompletionDelivery
    let receiver: CompletionReceiver
    let completion: TaskCompletion
    /// Nil for a task that is gone.
    let task: SessionTask?
    /// Where the notification is posted when the handler has returned; nil for nowhere.
    let notificationQueue: DispatchQueue?

    var group: DispatchGroup { delivery.group ?? CompletionDelivery.defaultGroup }

    /// Called once, on the completion queue.
    func run() {
        receiver.receive(completion)
        guard let task else { return }
        task.session.completionHandlerReturned()
        SessionNotification.postCompletion(completion, of: task, on: notificationQueue)
    }
}
