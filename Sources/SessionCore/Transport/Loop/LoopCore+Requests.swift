/// The rate of requests, and the origins whose transfers wait for it.
extension LoopCore {
    /// The earliest time at which a waiting transfer may begin; nil if one may begin now, or if none waits.
    var nextRequest: Int64? { scheduler.waitingCount > 0 ? requestPace.nextMoment(after: now) : nil }

    /// Lets transfers begin at origins whose interval has passed.
    func endRests() {
        while let origin = requestPace.nextRested(at: now) { scheduler.setResting(origin, false) }
    }

    /// Counts the request of a transfer that was given a slot.
    func countGrant(of transfer: Transfer) {
        let origin = RequestRoute(key: transfer.host).origin
        if requestPace.grant(transfer.id, to: origin, at: now) { scheduler.setResting(origin, true) }
    }

    /// Counts a request that begins, also without a slot: a further hop, a branch, a probe.
    func countRequest(_ attempt: Attempt) {
        guard let host = attempt.requestTarget?.host ?? transfer(attempt.transferID)?.host else { return }
        let origin = RequestRoute(key: host).origin
        if requestPace.begin(attempt.transferID, to: origin, at: now) { scheduler.setResting(origin, true) }
    }

    /// Returns the connections that a running download may add to a host now; waiting transfers go first.
    func furtherRequests(to host: String) -> Int {
        guard scheduler.waitingCount == 0 else { return 0 }
        return requestPace.mayBegin(to: RequestRoute(key: host).origin, at: now) ? 1 : 0
    }
}
