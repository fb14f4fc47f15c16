import SessionCore
import SessionSupport

/// The ends of tasks whose bodies are written to a pipe, a device or standard output.
extension LocalService {
    /// Calls back when a body is written: at once for a file, and on the output's queue where a reader can keep it
    /// waiting.
    ///
    /// The row has not ended until then. A cancelled one waits for no reader, and after ``cancelReading(of:)`` it does
    /// not call back.
    func afterBody(
        of row: RowEnding?, _ task: SessionTask, _ completion: TaskCompletion,
        _ done: @escaping @Sendable (LocalService) -> Void
    ) {
        guard let row, let output = row.output, output.mayWait else { return done(self) }
        if completion.isCancelled, output.abandon() { return done(self) }
        let id = row.id
        state.withLock { $0.readings[id] = Reading(task: task, completion: completion, output: output) }
        output.perform { [weak self] _ in
            guard let self, state.withLock({ $0.takeReading(of: id, by: task) }) != nil else { return }
            done(self)
        }
    }

    /// Ends the run of a task on the queue of its output; see ``end(_:_:_:)``.
    func end(
        _ task: SessionTask, _ completion: TaskCompletion, _ outcomes: [JSONProgram: JSONProgram.Outcome],
        of row: RowEnding?
    ) {
        guard let output = row?.output, output.mayWait, !output.isAbandoned else {
            return end(task, completion, outcomes)
        }
        output.perform { [weak self] _ in self?.end(task, completion, outcomes) }
    }

    /// Ends a row with a refusal that is the response after all, once its body is written; a failure of its output adds
    /// nothing.
    func endRefusedBody(_ row: RowEnding, _ what: TransferEvent.What, _ timings: TransferEvent.Timings?) {
        guard let output = row.output else { return reportEnd(row.id, what, timings, of: row.ended) }
        output.perform { [weak self] output in
            _ = output.release()
            _ = output.end(isComplete: true)
            self?.reportEnd(row.id, what, timings, of: row.ended)
        }
    }
}

extension TaskCompletion {
    fileprivate var isCancelled: Bool { (error as? SessionError)?.code == .cancelled }
}
