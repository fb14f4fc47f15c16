/// How a transfer tells of its end.
extension Transfer {
    func announce(_ ending: TransferStateMachine.Ending) {
        refreshStatus()
        if let data = handler.takePendingData() {
            // The counts go first, so that nobody sees bytes that are not counted.
            core.emit(.status(id, status))
            core.emit(.data(id, data))
        }
        switch ending {
        case .completed: status.phase = .completed
        case .failed: status.phase = .failed
        case .cancelled: status.phase = .cancelled
        }
        control.publish(status)
        core.emit(.finished(id, SharedValue(makeOutcome(ending))))
        core.forget(self)
    }

    private func makeOutcome(_ ending: TransferStateMachine.Ending) -> TransferOutcome {
        var outcome = TransferOutcome()
        outcome.head = head
        outcome.metrics = metrics
        outcome.status = status
        handler.contribute(to: &outcome)
        if let page = errorPage { outcome.body = page.bytes }
        outcome.error = error(of: ending, keptPart: outcome.resumeData?.partPath)
        return outcome
    }

    private func error(of ending: TransferStateMachine.Ending, keptPart: String?) -> SessionError? {
        var error: SessionError
        switch ending {
        case .completed: return nil
        case .failed: error = failure ?? SessionError(.internal, "The transfer ended without a reason")
        case .cancelled: error = SessionError(.cancelled, "The transfer was cancelled")
        }
        if error.failingURL == nil { error.failingURL = request.url }
        if let keptPart { error.partPath = keptPart }
        return error
    }
}
