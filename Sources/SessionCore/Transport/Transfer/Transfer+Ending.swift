/// The end of a transfer.
extension Transfer {
    func announce(_ ending: TransferStateMachine.Ending) {
        refreshStatus(isDone: ending == .completed)
        if let data = handler.takePendingData() {
            // The counts go first, so that they cover all delivered bytes.
            core.emit(.status(id, figures.status))
            core.emit(.data(id, data))
        }
        switch ending {
        case .completed: figures.status.phase = .completed
        case .failed: figures.status.phase = .failed
        case .cancelled: figures.status.phase = .cancelled
        }
        control.publish(figures.status)
        let outcome = makeOutcome(ending)
        core.emit(.finished(id, outcome, body: answer.page?.takeBody() ?? handler.takeBody()))
        core.forget(self)
    }

    private func makeOutcome(_ ending: TransferStateMachine.Ending) -> TransferOutcome {
        let result = handler.result
        return TransferOutcome(
            error: error(of: ending, result), head: answer.head, result: result,
            metrics: figures.metrics, status: figures.status)
    }

    private func error(of ending: TransferStateMachine.Ending, _ result: BodyResult) -> SessionError? {
        var error: SessionError
        switch ending {
        case .completed: return nil
        case .failed: error = failure ?? SessionError(.internal, TaskErrors.noReason)
        case .cancelled: error = SessionError(.cancelled, TaskErrors.cancelled)
        }
        if error.failingURL == nil { error.failingURL = request.url }
        if result.hasNoFile { error.partPath = nil }
        if let keptPart = result.resumeData?.partPath { error.partPath = keptPart }
        return error
    }
}
