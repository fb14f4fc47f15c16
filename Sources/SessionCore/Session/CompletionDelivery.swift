import Dispatch
import Foundation

/// The place where completion handlers run: the queue as it was when the task ended.
struct CompletionDelivery: Sendable {
    /// The group of every manager without its own.
    ///
    /// Nothing in the library waits for it.
    static let defaultGroup = DispatchGroup()

    /// Where handlers run and notifications are posted unless a queue is set, as in the original: the main queue.
    static let defaultQueue = DispatchQueue.main

    /// The lane of every manager without a queue of its own.
    static let mainLane = CompletionLane<DueCompletion>(defaultQueue)

    var lane = Self.mainLane

    /// Hands over what became due together: those of one lane at once, in order.
    static func run(_ due: [DueCompletion]) {
        var rest = due[...]
        while let lane = rest.first?.delivery.lane {
            let batch = rest.prefix { $0.delivery.lane === lane }
            lane.run(batch)
            rest = rest.dropFirst(batch.count)
        }
    }
}

/// A completion handler that is due, with everything it is called with.
struct DueCompletion: CompletionLaneItem {
    let delivery: CompletionDelivery
    let receiver: CompletionReceiver
    /// Entered before the task said that it had completed, and left when the handler has returned.
    let group: DispatchGroup
    let completion: TaskCompletion
    /// Nil for a task that is gone.
    let task: SessionTask?
    /// Where the notification is posted when the handler has returned; nil for nowhere.
    let notificationQueue: DispatchQueue?

    /// Called once, on the completion queue.
    func run() {
        receiver.receive(completion)
        guard let task else { return }
        task.session.completionHandlerReturned()
        SessionNotification.postCompletion(completion, of: task, on: notificationQueue)
    }
}

/// A task's completion handler, of whichever type its factory takes.
enum CompletionReceiver: Sendable {
    /// A completion handler for a response, an object and an error.
    typealias ObjectHandler = @Sendable (ResponseHead?, (any Sendable)?, (any Error)?) -> Void
    /// A completion handler for a response, a file and an error.
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
    /// A file that could not be moved, or failed its check, is not handed over.
    func receive(_ completion: TaskCompletion) {
        switch self {
        case .object(let handler): handler(completion.head, completion.object, completion.error)
        case .file(let handler): handler(completion.head, completion.object as? URL, completion.error)
        }
    }
}

/// Completion handlers that are due or run, and the session's own end, which is told after the last of them.
struct SessionClosing: Sendable {
    /// The handlers that became due in this drain.
    var due: [DueCompletion] = []
    /// How many handlers were handed over and have not returned.
    private var underway = 0
    /// The owner to tell of the session's end when the last handler has returned.
    private var owner: (any SessionOwner)?

    /// Removes and returns what became due.
    mutating func takeDue() -> [DueCompletion] {
        defer { due = [] }
        underway += due.count
        return due
    }

    /// Whether an owner can be told of the session's end now; otherwise it is kept for the last handler's return.
    mutating func isTime(for owner: any SessionOwner) -> Bool {
        guard !due.isEmpty || underway > 0 else { return true }
        self.owner = owner
        return false
    }

    /// Counts a handler that has returned; returns the owner who is to be told now, if any.
    mutating func handlerReturned() -> (any SessionOwner)? {
        underway -= 1
        guard underway == 0, due.isEmpty else { return nil }
        defer { owner = nil }
        return owner
    }
}
