/// An engine for builds without a transport: every transfer ends with an error.
final class UnavailableEngine: TransferEngine {
    private let client = Locked<(any EngineClient)?>(nil)

    func setClient(_ client: any EngineClient) { self.client.withLock { $0 = client } }

    func submit(_ command: EngineCommand) {
        let client = self.client.withLock { $0 }
        switch command {
        case .add(let description):
            var outcome = TransferOutcome()
            outcome.error = SessionError(.internal, "There is no transport", failingURL: description.request.url)
            outcome.status.phase = .failed
            client?.engineDidPublish([.finished(description.id, outcome)])
        case .invalidate:
            client?.engineDidPublish([.invalidated])
        case .reconcile, .disposition, .redirect, .consumed:
            break
        }
    }
}
