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
    private let client = Locked<(any EngineClient)?>(nil)
    private let reason: SessionError

    init(reason: SessionError) {
        self.reason = reason
    }

    func setClient(_ client: any EngineClient) { self.client.withLock { $0 = client } }

    func submit(_ command: EngineCommand) {
        let client = self.client.withLock { $0 }
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

/// A relay between the engine and its session, so that the engine's reference to its client never keeps the session
/// alive.
///
/// A class because engine and session share it.
final class SessionRelay: EngineClient {
    private struct Reference {
        weak var session: Session?
    }

    private let reference = Locked(Reference())

    func connect(_ session: Session) { reference.withLock { $0.session = session } }

    func engineDidPublish(_ events: [EngineEvent]) {
        reference.withLock { $0.session }?.receive(events)
    }
}
