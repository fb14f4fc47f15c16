/// What follows one task through its life: the session manager's record, or a test's.
protocol TaskDelegate: AnyObject, Sendable {
    /// Completes the description right before the task is handed to the engine. Called once, on the resuming thread.
    func prepare(_ description: inout TransferDescription, of task: SessionTask)
    /// Answers a task without the engine; nil hands it to the engine. Called once, on the resuming thread.
    func cachedOutcome(of task: SessionTask) -> TransferOutcome?
    /// Whether somebody can go on with the part of a task that is cancelled without a word about it.
    ///
    /// Called on the cancelling thread.
    func keepsPart(ofCancelled task: SessionTask) -> Bool
    /// Called on the delegate queue.
    func task(_ task: SessionTask, didReceive signal: TaskSignal)
    /// The task was suspended, and nobody has it any more: tells whoever waits for its end, and returns that end. Called
    /// at most once, instead of the signals of an end, on the thread that let go of the task.
    func taskWasForsaken(_ outcome: SharedValue<TransferOutcome>) -> TaskCompletion
}
