import Support

/// Stands between the engine and its session, so that however the engine holds its client, it never keeps the session
/// alive.
///
/// It is a class because engine and session share it.
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
