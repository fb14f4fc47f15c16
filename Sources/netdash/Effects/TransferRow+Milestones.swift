import SessionCore

/// What happens to a row, taken note of in its place: each answers what the bridge has to know.
extension TransferRow {
    /// Gives it a task, unless it has ended.
    mutating func attach(_ product: TaskFactory.Product) -> SessionBridge.State.Fate {
        guard !isFinal else { return .isUnwanted }
        task = product.task
        output = product.output
        reportsProgress = product.reportsProgress
        return isHeld ? .holds : .runs
    }

    /// It is not held back any more: from now on it wants a slot.
    mutating func release(at time: Int64) {
        isHeld = false
        queuedAt = time
    }

    /// Its task was resumed; true the first time.
    mutating func noteResumed(at time: @autoclosure () -> Int64) -> Bool {
        if isSuspended { queuedAt = time() }
        isSuspended = false
        defer { wasResumed = true }
        return !wasResumed
    }

    /// Whether a status says what no progress block does.
    ///
    /// A part that is gone on with is found after the phase has changed, and may be all there is to show. A task of an
    /// earlier run has no block of this one.
    mutating func noteStatus(_ status: TaskStatus) -> Bool {
        defer {
            lastPhase = status.phase
            lastResumedAt = status.resumedAt
        }
        return !reportsProgress || lastPhase != status.phase || lastResumedAt != status.resumedAt
    }

    /// It got a slot, at a moment of the monotonic clock; true the first time.
    mutating func noteStarted(at time: Int64, addedAt: Int64?) -> Bool {
        guard !wasStarted else { return false }
        wasStarted = true
        queued = (queuedAt ?? addedAt).map { Int(max(time - $0, 0)) }
        startedAt = startedAt ?? time
        return true
    }

    /// Takes over the end of a run; one that was completed lets go of its task.
    ///
    /// Nothing is retried then, and no part is left to delete. Details nobody can ask for are not kept.
    mutating func noteEnd(
        _ result: TransferResult, _ completion: TaskCompletion, _ head: ResponseHead?, path: String?, at time: Int64,
        keepingDetails: Bool
    ) {
        note(completion, head, path: path, at: time, keepingDetails: keepingDetails)
        self.result = result
        protocolVersion = head?.version ?? task?.responseHead?.version
        guard result == .completed else { return }
        task = nil
        output = nil
    }
}
