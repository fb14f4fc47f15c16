import Dispatch
import Foundation

/// The queue of completion handlers as it was when the task ended.
struct CompletionDelivery: Sendable {
    /// The group of every manager without its own.
    ///
    /// Nothing in the library waits for it.
    static let defaultGroup = DispatchGroup()

    /// The queue of handlers and notifications unless another is set, as in AFNetworking: the main queue.
    static let defaultQueue = DispatchQueue.main

    /// The lane of every manager without its own queue.
    static let mainLane = CompletionLane<DueCompletion>(defaultQueue)

    var lane = Self.mainLane

    /// Submits the completions that became due together: all of one lane at once, in order.
    static func run(_ due: [DueCompletion]) {
        var rest = due[...]
        while let lane = rest.first?.delivery.lane {
            let batch = rest.prefix { $0.delivery.lane === lane }
            lane.run(batch)
            rest = rest.dropFirst(batch.count)
        }
    }
}

/// A completion handler that is due, with its arguments.
struct DueCompletion: CompletionLaneItem {
    let delivery: CompletionDelivery
    let receiver: CompletionReceiver
    /// Entered before the task reported completion, and left when the handler has returned.
    let group: DispatchGroup
    let completion: TaskCompletion
    /// The task that has completed; nil for a task that is gone.
    let task: SessionTask?
    /// The notification is posted here when the handler has returned; nil for no notification.
    let notificationQueue: DispatchQueue?

    /// Called once, on the completion queue.
    func run() {
        receiver.receive(completion)
        guard let task else { return }
        task.session.completionHandlerReturned()
        SessionNotification.postCompletion(completion, of: task, on: notificationQueue)
    }
}

/// A task's completion handler, in either of the factories' types.
enum CompletionReceiver: Sendable {
    typealias ObjectHandler = @Sendable (ResponseHead?, (any Sendable)?, (any Error)?) -> Void
    typealias FileHandler = @Sendable (ResponseHead?, URL?, (any Error)?) -> Void

    case object(ObjectHandler)
    case file(FileHandler)

    init?(_ handler: ObjectHandler?) {
        guard let handler else { return nil }
        self = .object(handler)
    }

    init?(_ handler: FileHandler?) {
        guard let handler else { return nil }
        self = .file(handler)
    }

    /// Called once, on the completion queue.
    ///
    /// A file that could not be moved, or failed its check, is not passed on.
    func receive(_ completion: TaskCompletion) {
        switch self {
        case .object(let handler): handler(completion.head, completion.object, completion.error)
        case .file(let handler): handler(completion.head, completion.object as? URL, completion.error)
        }
    }
}

/// Completion handlers that are due or running, and the session's own end, which is announced after the last of them.
struct SessionClosing: Sendable {
    /// The handlers that became due in this drain.
    var due: [DueCompletion] = []
    /// The number of handlers that were submitted and have not returned.
    private var underway = 0
    /// The owner to notify of the session's end when the last handler has returned.
    private var owner: (any SessionOwner)?

    mutating func takeDue() -> [DueCompletion] {
        defer { due = [] }
        underway += due.count
        return due
    }

    /// Whether an owner can be notified of the session's end now; otherwise it is kept for the last handler's return.
    mutating func isTime(for owner: any SessionOwner) -> Bool {
        guard !due.isEmpty || underway > 0 else { return true }
        self.owner = owner
        return false
    }

    /// Counts a handler that has returned; returns the owner to notify now, if any.
    mutating func handlerReturned() -> (any SessionOwner)? {
        underway -= 1
        guard underway == 0, due.isEmpty else { return nil }
        defer { owner = nil }
        return owner
    }
}
