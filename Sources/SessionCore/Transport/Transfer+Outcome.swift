/// How a transfer tells of its end.
extension Transfer {
    func announce(_ ending: TransferStateMachine.Ending) {
        refreshStatus()
        if let data = handler.takePendingData() { core.emit(.data(id, data)) }
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
        switch ending {
        case .completed:
            break
        case .failed:
            outcome.error = failure ?? SessionError(.internal, "The transfer ended without a reason")
            if outcome.error?.failingURL == nil { outcome.error?.failingURL = request.url }
            if let path = outcome.resumeData?.partPath { outcome.error?.partPath = path }
        case .cancelled:
            outcome.error = SessionError(.cancelled, "The transfer was cancelled", failingURL: request.url)
            if let path = outcome.resumeData?.partPath { outcome.error?.partPath = path }
        }
        return outcome
    }
}
