import Support

/// An engine in place of one that could not be started: every transfer ends with the reason.
final class UnavailableEngine: TransferEngine {
    private let client = Locked<(any EngineClient)?>(nil)
    private let reason: SessionError

    init(reason: SessionError) {
        self.reason = reason
    }

    func setClient(_ client: any EngineClient) { self.client.withLock { $0 = client } }

    func submit(_ command: EngineCommand) {
        let client = self.client.withLock { $0 }
        switch command {
        case .add(let shared):
            var outcome = TransferOutcome()
            outcome.error = reason
            outcome.error?.failingURL = shared.value.request.url
            outcome.status.phase = .failed
            client?.engineDidPublish([.finished(shared.value.id, SharedValue(outcome))])
        case .invalidate:
            client?.engineDidPublish([.invalidated])
        case .reconcile, .disposition, .redirect, .refuseRedirect, .consumed:
            break
        }
    }
}
