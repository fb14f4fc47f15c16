import Foundation

/// What a task asks of the session it belongs to: to reach the engine, and to be announced.
///
/// Every call returns at once and may come from any thread.
protocol TaskSession: AnyObject, Sendable {
    /// The serial queue on which a task's closures are called.
    var delegateQueue: OperationQueue { get }
    /// Tells the engine something about a task it knows.
    func submit(_ command: EngineCommand)
    /// Hands a task to the engine, and has its transitions announced.
    func start(_ task: SessionTask)
    /// Ends a task the engine never heard of.
    func endUnstarted(_ task: SessionTask, _ error: SessionError)
    /// Enqueues the announcement of a task's transitions.
    func announceTransitions(of task: SessionTask)
    /// Keeps a suspended task again that goes on or is to end.
    func holdSuspended(_ task: SessionTask)
    /// Forgets the number of a suspended task that is gone.
    func forgetForsaken(_ id: TransferID)
    /// A completion handler that was handed over has returned; called on the completion queue.
    func completionHandlerReturned()
    /// Stores a user's words for a task.
    func recordLabel(_ label: String?, of task: SessionTask)
}

/// What follows one task through its life: the session manager's record, or a test's.
protocol TaskDelegate: AnyObject, Sendable {
    /// Says where the response body goes, right before the task is handed to the engine; nil for memory, up to the
    /// session's limit. Called once, on the resuming thread.
    func sink(of task: SessionTask) -> TransferDescription.Sink?
    /// Arranges a transfer right before the task is handed to the engine. Called once, on the resuming thread.
    func arrangement(of task: SessionTask) -> TransferArrangement
    /// The entry of the queue that has waited in the task's stead; nil for none.
    func entry(of task: SessionTask) -> TransferID?
    /// Answers a task without the engine; nil hands it to the engine. Called once, on the resuming thread.
    func cacheAnswer(of task: SessionTask) -> CacheAnswer?
    /// Whether somebody can go on with the part of a task that is cancelled without a word about it.
    ///
    /// Called on the cancelling thread.
    func keepsPart(ofCancelled task: SessionTask) -> Bool
    /// The task is about to say that it has completed. Called once, on the delegate queue.
    func taskWillComplete(_ task: SessionTask)
    /// The engine tells of the task, in order. Statuses, hops and the end come otherwise. Called on the delegate queue, as
    /// are the five below.
    func task(_ task: SessionTask, didReceive event: EngineEvent)
    /// The transfer ended, with the body that was collected; nothing is received afterwards.
    func task(_ task: SessionTask, didEnd outcome: TransferOutcome, body: Data)
    /// The counts or the phase have changed; the latest ones are told.
    func task(_ task: SessionTask, didReach status: TaskStatus)
    /// The task was resumed or suspended.
    func task(_ task: SessionTask, didMake transition: TaskTransition)
    /// The body was serialized on another queue, after the end.
    func task(_ task: SessionTask, didSerialize completion: TaskCompletion)
    /// The task's end is in the session's store.
    func task(_ task: SessionTask, didStore completion: TaskCompletion)
    /// The task was suspended, and nobody has it any more: tells whoever waits for its end, and returns that end. Called
    /// at most once, instead of the event of an end, on the thread that let go of the task.
    func taskWasForsaken(_ outcome: TransferOutcome) -> TaskCompletion
}

/// What a cache has to say about a task.
enum CacheAnswer: Sendable {
    /// Its end.
    case outcome(TransferOutcome, body: Data)
    /// The request that asks the server whether what is there still holds.
    case question(TransferRequest)
}

/// A real change of a task's state that is announced.
enum TaskTransition: Sendable, Equatable {
    case resumed
    case suspended
}

/// The transitions of a task that nobody has been told of, in order.
///
/// A task is resumed and suspended in turns, so the latest transition and how many there are say everything, and
/// nothing has to be allocated for them.
struct UnannouncedTransitions: Sendable, Equatable, Sequence {
    /// The latest one; nil when all are announced.
    private(set) var last: TaskTransition?
    private var count = 0

    var isEmpty: Bool { count == 0 }

    mutating func append(_ transition: TaskTransition) {
        precondition(transition != last, "A task made the transition \(transition) twice in a row")
        last = transition
        count += 1
    }

    func makeIterator() -> Iterator { Iterator(last: last, left: count) }

    /// Goes through them, oldest first.
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
