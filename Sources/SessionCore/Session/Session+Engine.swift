import SessionSupport

extension Session {
    /// Makes the engine that moves the bytes of a new session.
    ///
    /// If the machine has no thread or descriptor left, the session still exists; its tasks fail with that reason.
    static func makeEngine(_ configuration: SessionConfiguration) -> any TransferEngine {
        do throws(SessionError) {
            return try TransferLoop(configuration: configuration)
        } catch {
            return UnavailableEngine(reason: error)
        }
    }
}

/// A substitute for an engine that could not be started: every transfer ends with the reason.
private final class UnavailableEngine: TransferEngine {
    private struct State {
        weak var client: (any EngineClient)?
    }

    private let state = Locked(State())
    private let reason: SessionError

    init(reason: SessionError) {
        self.reason = reason
    }

    func setClient(_ client: any EngineClient) { state.withLock { $0.client = client } }

    func submit(_ command: EngineCommand) {
        let client = state.withLock { $0.client }
        switch command {
        case .add(let description):
            var error = reason
            error.failingURL = description.request.url
            var status = TaskStatus()
            status.phase = .failed
            client?.engineDidPublish([
                .finished(description.id, TransferOutcome(error: error, status: status), body: [])
            ])
        case .queue(let changes):
            client?.engineDidPublish([.admitted(QueueChange.entered(changes))])
        case .invalidate:
            client?.engineDidPublish([.invalidated])
        case .reconcile, .disposition, .redirect, .refuseRedirect, .consumed, .setLimits, .setRateLimits:
            break
        }
    }
}
