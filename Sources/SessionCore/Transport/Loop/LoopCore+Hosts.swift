import SessionSupport

/// Hosts in trouble and the network: which transfers wait, and which one probes.
extension LoopCore {
    /// Milliseconds after which a body that the peer keeps receiving counts as a response.
    private static let welcomeAge: Int64 = 5_000
    /// Milliseconds after which an unanswered probe lets another transfer try.
    private static let probePatience: Int64 = 30_000
    /// Milliseconds between two network checks where the system reports no changes.
    private static let networkInterval: Int64 = 1_000

    // MARK: - Reports by attempts

    /// Records that an attempt failed for a reason that lies with its host.
    func hostFailed(_ transfer: Transfer, _ trouble: HostOutage) -> HostAvailability.Charge {
        if trouble.reason != .busy { watchNetwork() }
        let random = Double.random(in: 0..<1)
        var charge = changeHost(transfer.host) { [now] in
            $0.failed(trouble, of: transfer.id, now: now, random: random)
        }
        // A list of many hosts waits once for the network, not once for each host.
        if !hadRoute, let offline = charge.offline {
            let since = offlineSince ?? now
            offlineSince = since
            charge.offline = max(offline, now - since)
        }
        return charge
    }

    /// Returns what ``hostFailed(_:_:)`` would charge, without recording a failure.
    func charge(for trouble: HostOutage, of transfer: Transfer) -> HostAvailability.Charge {
        var availability = hosts.availability(of: transfer.host) ?? HostAvailability()
        return availability.failed(trouble, of: transfer.id, now: now, random: 0)
    }

    /// Records that an attempt showed that its host is up.
    func hostShowed(_ evidence: HostAvailability.Evidence, by transfer: Transfer) {
        guard !hosts.isEmpty, hosts.availability(of: transfer.host) != nil else { return }
        _ = changeHost(transfer.host) { $0.showed(evidence, by: transfer.id) }
    }

    /// Whether a transfer probes its host on behalf of the others.
    func isProbe(_ transfer: Transfer) -> Bool {
        !hosts.isEmpty && hosts.availability(of: transfer.host)?.isProbe(transfer.id) == true
    }

    /// Gives up on a host: the transfers that wait for it try once more, and fail with what they get.
    func giveUpHost(of transfer: Transfer) { changeHost(transfer.host) { $0.giveUp() } }

    /// Records that a queued transfer got a slot.
    func hostGranted(_ transfer: Transfer) {
        guard hosts.availability(of: transfer.host) != nil else { return }
        changeHost(transfer.host) { [now] in $0.granted(transfer.id, now: now) }
    }

    /// Records that a transfer has given its slot back.
    func hostLeft(_ transfer: Transfer) {
        guard isProbe(transfer) else { return }
        changeHost(transfer.host) { [now] in $0.left(transfer.id, now: now) }
    }

    // MARK: - Concurrency per host

    /// Lowers a host's concurrency after it refused a transfer.
    func hostRefused(_ transfer: Transfer, begunAt start: Int64) {
        let running = crowd(at: transfer.host).running
        changeAllowance(transfer.host) { [now] allowance in
            if allowance == nil { allowance = HostAllowance(refusing: running, now: now) }
            allowance?.refused(begunAt: start, running: running, now: now)
        }
    }

    /// Records a response; called only while some host gets fewer slots than the limits allow.
    func hostAnswered(_ transfer: Transfer) {
        guard allowances.count(of: transfer.host) != nil else { return }
        changeAllowance(transfer.host) { [now] in $0?.answered(now: now) }
    }

    private func changeAllowance(_ host: String, _ body: (inout HostAllowance?) -> Void) {
        let before = allowances.count(of: host)
        let count = allowances.change(host, limit: crowd(at: host).limit, body)
        if count != before { setAllowance(host, count) }
        scheduleHosts()
    }

    /// Tells the client which hosts get fewer transfers at once than the limits allow.
    func tellLimitedHosts() {
        allowances.hasChanged = false
        emit(.limited(allowances.limited))
    }

    // MARK: - Waiting

    /// Makes a transfer wait until its host is tried again, or responds.
    func waitForHost(_ transfer: Transfer) {
        guard hosts.wait(transfer.id, for: transfer.host) else {
            return setDeadline(.retry(transfer.id), afterMilliseconds: 0)
        }
        count(transfer, isAway: true)
    }

    func stopWaitingForHost(_ transfer: Transfer) {
        leaveHost(transfer)
        count(transfer, isAway: false)
    }

    /// Records that a transfer neither waits for its host any more nor for a slot there; if it was to be the probe,
    /// another one is woken.
    func leaveHost(_ transfer: Transfer) {
        guard !hosts.isEmpty, let next = hosts.leave(transfer.id, transfer.host) else { return }
        wake(next, transfer.host)
    }

    /// Returns when a transfer's host is tried again; nil while an attempt is running there, and for a host in no
    /// trouble.
    func hostIsAskedAgain(for transfer: Transfer) -> Int64? {
        switch hosts.availability(of: transfer.host)?.state {
        case .backingOff(let until), .ajar(let until): until
        case .open, .due, .probing, .givenUp, nil: nil
        }
    }

    private func changeHost<Result>(_ host: String, _ body: (inout HostAvailability) -> Result) -> Result {
        let (result, change) = hosts.change(host, body)
        scheduler.setAccess(host, change.access)
        for id in change.restored.subtracting(change.woken) { transfer(id).map(moveInQueue) }
        for id in change.woken { wake(id, host) }
        for id in change.waiting { transfer(id)?.hostIsAskedAgain(at: change.until) }
        if !detours.isEmpty { failOverFromBackoffs() }
        scheduleHosts()
        return result
    }

    /// Lets a transfer that waited for its host queue again; several are spaced out.
    private func wake(_ id: TransferID, _ host: String) {
        guard let transfer = transfer(id) else { return }
        count(transfer, isAway: false)
        // If the host serves others, the transfer waits only for the time that was asked of it.
        let own = hosts.availability(of: host)?.isBackingOff == true ? 0 : transfer.tries.askedUntil - now
        let delay = max(retrySpacing.takeSlot(at: host, now: now), own)
        guard delay > 0 else { return transfer.retryDue() }
        setDeadline(.retry(id), afterMilliseconds: delay)
        transfer.hostIsAskedAgain(at: now + delay)
    }

    /// Tells the client which hosts transfers wait for, if that has changed.
    func publishBackoffs() {
        guard hosts.hasChanged else { return }
        hosts.hasChanged = false
        let backoffs = hosts.backoffs
        guard backoffs != publishedBackoffs else { return }
        publishedBackoffs = backoffs
        emit(.backoffs(backoffs))
    }

    // MARK: - Time

    /// Updates hosts whose deadline has passed, and running probes.
    func hostsDue() {
        for host in hosts.due(at: now) { changeHost(host) { [now] in $0.timePassed(now) } }
        for host in allowances.due(at: now) { changeAllowance(host) { [now] in $0?.timePassed(now) } }
        for probe in hosts.probes {
            if now - probe.since >= Self.probePatience {
                changeHost(probe.host) { [now] in $0.left(probe.id, now: now) }
                continue
            }
            guard let transfer = transfer(probe.id),
                let evidence = transfer.evidence(welcome: now - probe.since >= Self.welcomeAge)
            else { continue }
            hostShowed(evidence, by: transfer)
        }
        if networkWatch == nil, !hosts.disconnected.isEmpty { networkMayHaveChanged() }
        scheduleHosts()
    }

    private func scheduleHosts() {
        let moments = [hosts.deadline(now: now), allowances.deadline].compactMap(\.self)
        guard var deadline = moments.min() else { return clearDeadline(.hosts) }
        if networkWatch == nil, !hosts.disconnected.isEmpty { deadline = min(deadline, now + Self.networkInterval) }
        setDeadline(.hosts, afterMilliseconds: max(deadline - now, 0))
    }

    // MARK: - The network

    /// Begins to watch the network; called when something stalls.
    func watchNetwork() {
        guard networkWatch == nil else { return }
        let loop = loop
        hadRoute = network.hasRoute(nil)
        networkWatch = network.watch { [weak loop] in loop?.run { core in core.networkMayHaveChanged() } }
    }

    /// Checks whether a route has come back, and resumes everything that waits for one.
    func networkMayHaveChanged() {
        let hasRoute = network.hasRoute(nil)
        let isBack = hasRoute && !hadRoute
        hadRoute = hasRoute
        if hasRoute { offlineSince = nil }
        for (host, address) in hosts.disconnected where isBack || address != nil && network.hasRoute(address) {
            changeHost(host) { $0.networkChanged() }
        }
        guard isBack else { return }
        for host in hosts.unanswered { changeHost(host) { $0.networkChanged() } }
        for transfer in allTransfers { transfer.networkIsBack() }
    }

    // MARK: - Other sources

    /// Returns the trouble for which no waiting transfer may use a host; nil if they may.
    func trouble(at host: String) -> HostOutage? {
        guard !hosts.isEmpty, let availability = hosts.availability(of: host), !availability.admits else { return nil }
        return availability.trouble
    }

    /// Moves downloads that wait for a server in trouble to another of their sources.
    func failOverFromBackoffs() {
        for id in detours {
            guard let transfer = transfer(id), isWaiting(transfer) else {
                detours.remove(id)
                continue
            }
            guard trouble(at: transfer.host) != nil else { continue }
            // `joinQueue` chooses the other source.
            leaveQueue(transfer)
            transfer.joinQueue()
        }
    }
}

/// This machine's network routes.
struct NetworkView: Sendable {
    /// Whether a route to an address exists, or to the internet if nil.
    ///
    /// Returns at once.
    var hasRoute: @Sendable (_ address: String?) -> Bool
    /// Begins to call back, from any thread, when that may have changed; nil where the system does not report it.
    var watch: @Sendable (_ mayHaveChanged: @escaping @Sendable () -> Void) -> (any Sendable)?

    /// The system's routes.
    static let system = NetworkView(
        hasRoute: { address in
            guard let address else { return SystemReachabilitySource().currentLink() != .none }
            // A text that is no address may be reachable, as far as can be known.
            guard let source = try? SystemReachabilitySource(address: address) else { return true }
            return source.currentLink() != .none
        }, watch: { SystemReachabilitySource().watch($0) })
}
