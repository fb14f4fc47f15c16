import Foundation

/// A task's requests to its session: to reach the engine, and to be announced.
///
/// Every call returns at once and may come from any thread.
protocol TaskSession: AnyObject, Sendable {
    var delegateQueue: OperationQueue { get }
    /// Sends the engine a command about a task it knows.
    func submit(_ command: EngineCommand)
    /// Submits a task to the engine and announces its transitions.
    func start(_ task: SessionTask)
    /// Ends a task that was never submitted to the engine.
    func endUnstarted(_ task: SessionTask, _ error: SessionError)
    func announceTransitions(of task: SessionTask)
    /// Retains a suspended task that is about to run or end.
    func holdSuspended(_ task: SessionTask)
    /// Forgets the number of a suspended task that was released.
    func forgetForsaken(_ id: TransferID)
    /// Reports that a submitted completion handler has returned; called on the completion queue.
    func completionHandlerReturned()
    /// Stores a user's description of a task.
    func recordLabel(_ label: String?, of task: SessionTask)
}

/// A receiver of one task's events: the session manager's record, or a test's.
protocol TaskDelegate: AnyObject, Sendable {
    /// Returns the destination of the response body; nil for memory, up to the session's limit. Called once, on the
    /// resuming thread, right before the task is submitted to the engine.
    func sink(of task: SessionTask) -> TransferDescription.Sink?
    /// Arranges a transfer right before the task is submitted to the engine. Called once, on the resuming thread.
    func arrangement(of task: SessionTask) -> TransferArrangement
    /// The queue entry that waited for the task; nil for none.
    func entry(of task: SessionTask) -> TransferID?
    /// Forgets that entry: the end of the task does not take it out of the queue.
    func forgetEntry()
    /// Answers a task without the engine; nil submits it to the engine. Called once, on the resuming thread.
    func cacheAnswer(of task: SessionTask) -> CacheAnswer?
    /// Whether the partial file of a plainly cancelled task can be resumed later.
    ///
    /// Called on the cancelling thread.
    func keepsPart(ofCancelled task: SessionTask) -> Bool
    /// Announces that the task is about to report completion. Called once, on the delegate queue.
    func taskWillComplete(_ task: SessionTask)
    /// Delivers the engine's events in order, except statuses, hops and the end. Called on the delegate queue, as are
    /// the five below.
    func task(_ task: SessionTask, didReceive event: EngineEvent)
    /// Reports the transfer's end, with the collected body; no event follows.
    func task(_ task: SessionTask, didEnd outcome: TransferOutcome, body: Data)
    /// Reports the latest counts and phase after a change.
    func task(_ task: SessionTask, didReach status: TaskStatus)
    /// Reports that the task was resumed or suspended.
    func task(_ task: SessionTask, didMake transition: TaskTransition)
    /// Reports that the body was serialized on another queue, after the end.
    func task(_ task: SessionTask, didSerialize completion: TaskCompletion)
    /// Reports that the task's end is in the session's store.
    func task(_ task: SessionTask, didStore completion: TaskCompletion)
    /// Ends a suspended task that its last owner has released: notifies the waiters and returns the end. Called at most
    /// once, instead of the event of an end, on the releasing thread.
    func taskWasForsaken(_ outcome: TransferOutcome) -> TaskCompletion
}

/// A cache's answer about a task.
enum CacheAnswer: Sendable {
    case outcome(TransferOutcome, body: Data)
    /// The fields that ask the server whether the cached response still holds.
    case question(HeaderFields)
}

/// A real change of a task's state that is announced.
enum TaskTransition: Sendable, Equatable {
    case resumed
    case suspended
}

/// The unannounced transitions of a task, in order.
///
/// A task is resumed and suspended alternately, so the latest transition and the count determine all of them, and
/// nothing has to be allocated.
struct UnannouncedTransitions: Sendable, Equatable, Sequence {
    /// The latest transition to announce; nil when all are announced.
    private(set) var last: TaskTransition?
    private var count = 0

    var isEmpty: Bool { count == 0 }

    mutating func append(_ transition: TaskTransition) {
        precondition(transition != last, "A task made the transition \(transition) twice in a row")
        last = transition
        count += 1
    }

    func makeIterator() -> Iterator { Iterator(last: last, left: count) }

    /// Iterates over the transitions, oldest first.
    struct Iterator: IteratorProtocol {
        fileprivate let last: TaskTransition?
        fileprivate var left: Int

        mutating func next() -> TaskTransition? {
            guard left > 0 else { return nil }
            left -= 1
            return left.isMultiple(of: 2) ? last : last?.opposite
        }
    }
}

extension TaskTransition {
    fileprivate var opposite: TaskTransition {
        switch self {
        case .resumed: .suspended
        case .suspended: .resumed
        }
    }
}
