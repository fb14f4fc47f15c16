/// The hosts in trouble and the transfers that wait for each; empty nearly always.
///
/// A value: it returns what a change means for other transfers, and the loop carries it out.
struct HostBoard {
    private struct Entry {
        var availability = HostAvailability()
        /// Transfers that failed there, in the order in which they did; each becomes the probe in turn.
        var waiting: [TransferID] = []
        /// Transfers that failed there since the host got into trouble.
        var failed: Set<TransferID> = []
        /// The transfer that was woken to be the probe, until a transfer is.
        var next: TransferID?

        /// Wakes the transfer that waits longest to be the probe.
        mutating func wakeNext() -> TransferID? {
            next = waiting.isEmpty ? nil : waiting.removeFirst()
            return next
        }
    }

    /// The consequences of a host's change for the transfers that wait for it.
    struct Change {
        var access: SlotQueue.Access
        /// Transfers that join the queue again.
        var woken: [TransferID] = []
        /// Transfers that have failed there and get their own rank again.
        var restored: Set<TransferID> = []
        /// Transfers whose wait has changed.
        var waiting: [TransferID] = []
        /// The time of the next attempt, in milliseconds; nil while one is in progress.
        var until: Int64?
    }

    /// The time of the latest served request, and which transfer was refused since.
    private struct Service {
        var time: Int64
        var refused: TransferID?
    }

    /// Milliseconds for which a served request counts.
    private static let serviceMemory: Int64 = 30_000
    /// Above this many hosts, the ones that served nothing recently are removed.
    private static let serviceCapacity = 256

    /// The most hosts remembered as reached; one more clears the list.
    private static let reachedCapacity = 4_096

    /// Milliseconds between two checks of a probe that is not answered yet.
    private static let probeInterval: Int64 = 1_000

    /// Milliseconds for which downloads with other sources avoid a host that was slow to respond.
    private static let slownessMemory: Int64 = 30_000

    private var entries: [String: Entry] = [:]
    /// Hosts that were slow to respond to a download with other sources, and until when that counts.
    private var slow: [String: Int64] = [:]
    /// The requests that hosts have served recently; tells the refusal of one file from the refusal of all.
    private var served: [String: Service] = [:]
    /// The latest entry of these, so that a list of one host's files looks for it once a second; nil after a refusal.
    private var latestServed: (host: String, time: Int64)?
    /// Milliseconds by which the time of a served request may be too early.
    private static let serviceResolution: Int64 = 1_000
    private var reached: Set<String> = []
    /// Whether the client has to be told again which hosts transfers wait for.
    var hasChanged = false

    var isEmpty: Bool { entries.isEmpty }

    /// Changes the state of a host, and removes an entry that says nothing.
    mutating func change<Result>(
        _ host: String, _ body: (inout HostAvailability) -> Result
    ) -> (result: Result, change: Change) {
        var entry = entries[host] ?? Entry()
        let before = entry.availability
        let result = body(&entry.availability)
        let now = entry.availability
        var change = Change(access: !now.admits ? .none : now.isBackingOff ? .one : .all)
        switch now.state {
        case .backingOff(let until), .ajar(let until): change.until = until
        case .open, .due, .probing, .givenUp: break
        }
        if !now.isBackingOff {
            change.woken = entry.waiting
            change.restored = entry.failed
            (entry.waiting, entry.failed) = ([], [])
        } else if now.state == .due, before.state != .due {
            change.woken = entry.wakeNext().map { [$0] } ?? []
        }
        if now.state != .due { entry.next = nil }
        if now.state != before.state { change.waiting = entry.waiting }
        entries[host] = now.state == .open ? nil : entry
        if now != before { hasChanged = true }
        return (result, change)
    }

    /// Makes a transfer wait for a host; returns false when it need not wait.
    mutating func wait(_ id: TransferID, for host: String) -> Bool {
        guard entries[host]?.availability.isBackingOff == true else { return false }
        entries[host]?.waiting.append(id)
        entries[host]?.failed.insert(id)
        return true
    }

    /// Whether a transfer leaves the probe of a silent host to transfers that have not failed there.
    ///
    /// Its own request may be the one that the host does not answer.
    func yieldsProbe(_ id: TransferID, _ host: String) -> Bool {
        guard let entry = entries[host], entry.availability.isBackingOff,
            entry.availability.trouble?.reason == .silent
        else { return false }
        return entry.failed.contains(id)
    }

    /// Records that a transfer no longer wants to ask a host, and returns the one that is woken in its place.
    ///
    /// Nil unless it was to be the probe, and if none waits.
    mutating func leave(_ id: TransferID, _ host: String) -> TransferID? {
        guard var entry = entries[host] else { return nil }
        entry.waiting.removeAll { $0 == id }
        defer { entries[host] = entry }
        return entry.next == id ? entry.wakeNext() : nil
    }

    /// Records that a host was slow to respond to a transfer that has turned to another source; for a transfer without
    /// one that is no trouble.
    mutating func keptWaiting(_ host: String, now: Int64) { slow[host] = now + Self.slownessMemory }

    /// Records that a host has responded.
    mutating func answered(_ host: String) {
        if !slow.isEmpty { slow[host] = nil }
        guard host != latestServed?.host, !reached.contains(host) else { return }
        if reached.count >= Self.reachedCapacity { (reached, latestServed) = ([], nil) }
        reached.insert(host)
    }

    /// Whether a host has responded since the session began.
    func wasReached(_ host: String) -> Bool { reached.contains(host) }

    /// Records that a host has served a transfer's request.
    mutating func hasServed(_ host: String, now: Int64) {
        if let latestServed, latestServed.host == host, now - latestServed.time < Self.serviceResolution { return }
        latestServed = (host, now)
        if served.count >= Self.serviceCapacity, served[host] == nil {
            served = served.filter { now - $0.value.time < Self.serviceMemory }
        }
        served[host] = Service(time: now)
    }

    /// Whether a refusal says nothing about other files, because the host has served one recently and refused only this
    /// transfer since.
    mutating func isOwnRefusal(_ host: String, of id: TransferID, now: Int64) -> Bool {
        guard let service = served[host], now - service.time < Self.serviceMemory, service.refused ?? id == id else {
            return false
        }
        served[host]?.refused = id
        latestServed = nil
        return true
    }

    /// Whether a host should be avoided by downloads with other sources.
    func isSlow(_ host: String, now: Int64) -> Bool { !slow.isEmpty && slow[host].map { $0 > now } == true }

    /// Returns the state of a host; nil when it is in no trouble.
    func availability(of host: String) -> HostAvailability? { entries[host]?.availability }

    /// Returns the hosts whose state changes by the time `now`.
    func due(at now: Int64) -> [String] {
        entries.filter { _, entry in entry.availability.nextChange.map { $0 <= now } ?? false }.map(\.key)
    }

    /// The running probes with their hosts and start times.
    var probes: [(host: String, id: TransferID, since: Int64)] {
        entries.compactMap { host, entry in
            if case .probing(let id, let since) = entry.availability.state { (host, id, since) } else { nil }
        }
    }

    /// Hosts without a network route, with the addresses that were tried.
    var disconnected: [(host: String, address: String?)] {
        entries.compactMap { host, entry in
            guard let trouble = entry.availability.trouble, entry.availability.isBackingOff,
                trouble.reason == .noNetwork
            else { return nil }
            return (host, trouble.address)
        }
    }

    /// Hosts that do not respond.
    var unanswered: [String] {
        entries.filter { $0.value.availability.isBackingOff && $0.value.availability.trouble?.reason != .busy }.map(
            \.key)
    }

    /// Returns when the board has to be checked; nil when nothing is due.
    func deadline(now: Int64) -> Int64? {
        entries.values.compactMap { entry -> Int64? in
            if case .probing = entry.availability.state { return now + Self.probeInterval }
            return entry.availability.nextChange
        }.min()
    }

    /// The hosts that transfers wait for, by name and route.
    var backoffs: [HostBackoff] {
        entries.compactMap { host, entry in
            guard entry.availability.isBackingOff, let trouble = entry.availability.trouble else { return nil }
            var until: Int64?
            switch entry.availability.state {
            case .backingOff(let time), .ajar(let time): until = time
            case .open, .due, .probing, .givenUp: break
            }
            let route = RequestRoute(key: host)
            return HostBackoff(
                origin: route.origin, route: route.via, unreached: trouble.unreached, reason: trouble.reason,
                cause: trouble.cause, statusCode: trouble.statusCode, askedAgainAt: until)
        }.sorted { ($0.origin, $0.route ?? "") < ($1.origin, $1.route ?? "") }
    }
}
