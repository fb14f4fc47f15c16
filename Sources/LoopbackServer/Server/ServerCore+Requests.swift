import Support

extension ServerCore {
    /// Notes a request whose head has arrived.
    func record(_ head: RequestHead, connectionID: Int) -> RecordedRequest {
        log.change { $0.append(head, connectionID: connectionID) }
    }

    /// Notes how a request stands now.
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
