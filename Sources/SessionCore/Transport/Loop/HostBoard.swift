/// The hosts that are in trouble, and the transfers that wait for each: none, nearly always.
///
/// A value of the loop's; what a change means for others is returned, and the loop does it.
struct HostBoard {
    private struct Entry {
        var availability = HostAvailability()
        /// Transfers that failed there, in the order in which they did; each is a probe in its turn.
        var waiting: [TransferID] = []
    }

    /// What a change of a host means for those who wait.
    struct Change {
        var access: SlotQueue.Access
        /// Transfers that queue again.
        var woken: [TransferID] = []
        /// Transfers whose wait is another one now.
        var waiting: [TransferID] = []
        /// When the host is asked again; nil while it is asked.
        var until: Int64?
    }

    /// What a host has served last, and who was refused since.
    private struct Service {
        var time: Int64
        var refused: TransferID?
    }

    /// Milliseconds for which what a host has served counts.
    private static let serviceMemory: Int64 = 30_000
    /// Hosts beyond so many are looked through for those that have served nothing of late.
    private static let serviceCapacity = 256

    /// The most hosts that are remembered as having answered; one more begins the list again.
    private static let reachedCapacity = 4_096

    /// Milliseconds between two looks at a probe that takes its time.
    private static let probeInterval: Int64 = 1_000

    /// Milliseconds for which downloads that have other sources do without a host that has kept one of them waiting.
    private static let slownessMemory: Int64 = 30_000

    private var entries: [String: Entry] = [:]
    /// Hosts that have kept somebody waiting who could ask another one, and until when that counts.
    private var slow: [String: Int64] = [:]
    /// What hosts have served of late, by which a refusal of one file is told from that of all.
    private var served: [String: Service] = [:]
    /// Hosts that have answered since the session began.
    private var reached: Set<String> = []
    /// Whether somebody who was told of the hosts that are held has to be told again.
    var hasChanged = false

    /// Whether no host is in trouble.
    var isEmpty: Bool { entries.isEmpty }

    /// Changes what is known of a host, and drops it when nothing is.
    mutating func change<Result>(
        _ host: String, _ body: (inout HostAvailability) -> Result
    ) -> (result: Result, change: Change) {
        var entry = entries[host] ?? Entry()
        let before = entry.availability
        let result = body(&entry.availability)
        let now = entry.availability
        var change = Change(access: !now.admits ? .none : now.isHeld ? .one : .all)
        switch now.state {
        case .held(let until), .ajar(let until): change.until = until
        case .open, .due, .probing, .givenUp: break
        }
        if !now.isHeld {
            change.woken = entry.waiting
            entry.waiting = []
        } else if now.state == .due, before.state != .due, !entry.waiting.isEmpty {
            change.woken = [entry.waiting.removeFirst()]
        }
        if now.state != before.state { change.waiting = entry.waiting }
        entries[host] = now.state == .open ? nil : entry
        if now != before { hasChanged = true }
        return (result, change)
    }

    /// Has a transfer wait for a host; false when the host is not held.
    mutating func wait(_ id: TransferID, for host: String) -> Bool {
        guard entries[host]?.availability.isHeld == true else { return false }
        entries[host]?.waiting.append(id)
        return true
    }

    /// Has a transfer wait no more.
    mutating func leave(_ id: TransferID, _ host: String) {
        entries[host]?.waiting.removeAll { $0 == id }
    }

    /// A host has kept somebody waiting who asks another one now: no trouble for those who have no other.
    mutating func keptWaiting(_ host: String, now: Int64) { slow[host] = now + Self.slownessMemory }

    /// A host has answered somebody.
    mutating func answered(_ host: String) {
        if !slow.isEmpty { slow[host] = nil }
        guard !reached.contains(host) else { return }
        if reached.count >= Self.reachedCapacity { reached = [] }
        reached.insert(host)
    }

    /// Whether a host has answered since the session began.
    func wasReached(_ host: String) -> Bool { reached.contains(host) }

    /// A host has given a transfer what that wanted.
    mutating func hasServed(_ host: String, now: Int64) {
        if served.count >= Self.serviceCapacity, served[host] == nil {
            served = served.filter { now - $0.value.time < Self.serviceMemory }
        }
        served[host] = Service(time: now)
    }

    /// Whether a refusal says nothing of others, because the host has served one of late and has refused none but this since.
    mutating func isOwnRefusal(_ host: String, of id: TransferID, now: Int64) -> Bool {
        guard let service = served[host], now - service.time < Self.serviceMemory, service.refused ?? id == id else {
            return false
        }
        served[host]?.refused = id
        return true
    }

    /// Whether a host is best done without where that is possible.
    func isSlow(_ host: String, now: Int64) -> Bool { !slow.isEmpty && slow[host].map { $0 > now } == true }

    /// What is known of a host; nil when it is in no trouble.
    func availability(of host: String) -> HostAvailability? { entries[host]?.availability }

    /// Hosts that a look at the clock changes.
    func due(at now: Int64) -> [String] {
        entries.filter { _, entry in entry.availability.nextChange.map { $0 <= now } ?? false }.map(\.key)
    }

    /// The probes that are under way, since when, with their hosts.
    var probes: [(host: String, id: TransferID, since: Int64)] {
        entries.compactMap { host, entry in
            if case .probing(let id, let since) = entry.availability.state { (host, id, since) } else { nil }
        }
    }

    /// Hosts that there is no way to, with the addresses that were tried.
    var disconnected: [(host: String, address: String?)] {
        entries.compactMap { host, entry in
            guard let trouble = entry.availability.trouble, entry.availability.isHeld, trouble.reason == .noNetwork
            else { return nil }
            return (host, trouble.address)
        }
    }

    /// Hosts that do not answer.
    var unanswered: [String] {
        entries.filter { $0.value.availability.isHeld && $0.value.availability.trouble?.reason != .busy }.map(\.key)
    }

    /// When the board has to be looked at; nil when nothing is held.
    func deadline(now: Int64) -> Int64? {
        entries.values.compactMap { entry -> Int64? in
            if case .probing = entry.availability.state { return now + Self.probeInterval }
            return entry.availability.nextChange
        }.min()
    }

    /// The hosts that are held, by name and way.
    var held: [HostBackoff] {
        entries.compactMap { host, entry in
            guard entry.availability.isHeld, let trouble = entry.availability.trouble else { return nil }
            var until: Int64?
            switch entry.availability.state {
            case .held(let time), .ajar(let time): until = time
            case .open, .due, .probing, .givenUp: break
            }
            let route = RequestRoute(key: host)
            return HostBackoff(
                origin: route.origin, route: route.via, unreached: trouble.unreached, reason: trouble.reason,
                cause: trouble.cause, statusCode: trouble.statusCode, askedAgainAt: until)
        }.sorted { ($0.origin, $0.route ?? "") < ($1.origin, $1.route ?? "") }
    }
}
