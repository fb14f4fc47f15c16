import Support

extension ServerCore {
    /// Records a request whose head has arrived.
    func record(_ head: RequestHead, connectionID: Int) -> RecordedRequest {
        log.change { $0.append(head, connectionID: connectionID) }
    }

    /// Replaces what is recorded of a request.
    func update(_ request: RecordedRequest) {
        log.change { $0.update(request) }
    }

    /// The behaviour ordered for a request; every call counts as one visit to its path.
    func behaviour(for request: RecordedRequest) -> Behaviour {
        let (behaviour, visit) = routes.withLock { $0.visit(request.path) }
        // Outside the lock: a choice runs a closure of the user's.
        return behaviour.resolved(visit: visit, request: request)
    }
}
