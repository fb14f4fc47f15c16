import Dispatch

/// A completion handler that is due, with everything it is called with.
struct DueCompletion: CompletionLaneItem {
    let delivery: CompletionDelivery
    let receiver: CompletionReceiver
    let completion: TaskCompletion
    let task: SessionTask
    /// Where the notification is posted when the handler has returned; nil for nowhere.
    let notificationQueue: DispatchQueue?

    var group: DispatchGroup { delivery.group ?? CompletionDelivery.defaultGroup }

    /// Called once, on the completion queue.
    func run() {
        receiver.receive(completion)
        SessionNotification.postCompletion(completion, of: task, on: notificationQueue)
    }
}
