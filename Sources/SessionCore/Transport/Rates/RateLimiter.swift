import SessionSupport

/// Decides which transfer may move bytes in one direction under limits.
///
/// A transfer has to be granted a portion before it moves one, and asks for the next when that is used up. It passes
/// its own limit, its server's and the session's, one after the other, and queues at each, so that all transfers under
/// a limit get the same; data requests queue separately and get every second turn. A transfer that moves more than it
/// was granted, because libcurl delivers what it has read, leaves the limits in debt.
struct RateLimiter: Sendable {
    /// The limits, in bytes per second.
    struct Rates: Sendable, Equatable {
        var all: Int64?
        var perHost: Int64?
        var perTask: Int64?
    }

    /// The state of a transfer.
    private struct Member: Sendable {
        let host: String
        let lane: TransferLane
        /// Its own limit, otherwise the limit per task.
        var own: TokenBucket?
        var stage = Stage.idle
        /// Granted bytes that it has not moved.
        var allowance: Int64 = 0
        /// Counts its waits, so that an earlier queue entry is recognised as stale.
        var ticket: UInt32 = 0
    }

    /// The limit that a transfer waits for.
    private enum Stage: Sendable {
        /// It has not asked.
        case idle
        case own, host, all
    }

    /// An entry of a queue.
    private struct Waiting: Sendable {
        var id: TransferID
        var ticket: UInt32
    }

    /// The limit of one server, with its queue.
    private struct HostGate: Sendable {
        var bucket: TokenBucket
        var line = FIFO<Waiting>()
        var isAsleep = false
    }

    /// A subject of a timed wait.
    private enum Sleeper: Sendable {
        case member(Waiting)
        case host(String)
    }

    /// The smallest and the largest portion in bytes.
    private static let portions: ClosedRange<Int64> = 1_024...131_072
    /// Portions per second of the lowest limit that applies to a transfer.
    private static let portionsPerSecond: Int64 = 400

    private(set) var rates = Rates() { didSet { updateActivity() } }
    private var members: [TransferID: Member] = [:]
    private var all: TokenBucket?
    private var hosts: [String: HostGate] = [:]
    private var requests = FIFO<Waiting>()
    private var files = FIFO<Waiting>()
    private var isRequestsTurn = true
    /// Timed waits, the earliest at the end.
    private var sleepers: [(due: Int64, sleeper: Sleeper)] = []
    /// The own limits of transfers.
    private var ownRates: [TransferID: Int64] = [:] { didSet { updateActivity() } }
    /// Whether any limit applies.
    private(set) var isActive = false

    private mutating func updateActivity() { isActive = rates != Rates() || !ownRates.isEmpty }

    // MARK: - Limits

    /// Sets the limits; waiting transfers queue again under the new ones.
    mutating func set(_ rates: Rates, at now: Int64) {
        self.rates = rates
        all = Self.bucket(rates.all, all, at: now)
        hosts = hosts.compactMapValues { gate in
            Self.bucket(rates.perHost, gate.bucket, at: now).map { HostGate(bucket: $0) }
        }
        reorder(at: now)
    }

    /// Sets or removes a transfer's own limit.
    mutating func setOwn(_ rate: Int64?, of id: TransferID, at now: Int64) {
        guard ownRates[id] != rate else { return }
        ownRates[id] = rate
        reorder(at: now)
    }

    private static func bucket(_ rate: Int64?, _ old: TokenBucket?, at now: Int64) -> TokenBucket? {
        rate.map { old?.changed(to: $0, at: now) ?? TokenBucket(rate: $0, at: now) }
    }

    /// Lets all waiting transfers start again at the first limit.
    private mutating func reorder(at now: Int64) {
        (requests, files, sleepers) = (FIFO(), FIFO(), [])
        guard isActive else { return (members, hosts) = ([:], [:]) }
        hosts = hosts.mapValues { HostGate(bucket: $0.bucket) }
        for (id, old) in members.sorted(by: { $0.key < $1.key }) {
            var member = old
            member.own = Self.bucket(ownRates[id] ?? rates.perTask, old.own, at: now)
            // A portion granted under a higher limit is cut under a lower one.
            member.allowance = min(old.allowance, portion(own: member.own?.rate))
            members[id] = member
            if member.stage != .idle { enter(id, at: now) }
        }
    }

    // MARK: - Transfers

    /// Whether a transfer may move bytes now; a refused one has asked for its next portion.
    mutating func mayMove(_ id: TransferID, host: String, lane: TransferLane, at now: Int64) -> Bool {
        guard isActive else { return true }
        if members[id] == nil {
            var member = Member(host: host, lane: lane)
            member.own = Self.bucket(ownRates[id] ?? rates.perTask, nil, at: now)
            members[id] = member
        }
        guard let member = members[id], member.allowance <= 0 else { return true }
        if member.stage == .idle { enter(id, at: now) }
        return false
    }

    /// Counts bytes that a transfer has moved; returns true when its portion is used up.
    mutating func moved(_ id: TransferID, _ bytes: Int64) -> Bool {
        guard var member = members[id] else { return false }
        member.allowance -= bytes
        let debt = -member.allowance
        if debt > 0 {
            member.own?.take(debt)
            hosts[member.host]?.bucket.take(debt)
            all?.take(debt)
            member.allowance = 0
        }
        members[id] = member
        return debt >= 0
    }

    /// Returns the most bytes that one step of a transfer should move.
    func portion(of id: TransferID) -> Int64 { portion(own: members[id]?.own?.rate ?? ownRates[id] ?? rates.perTask) }

    private func portion(own: Int64?) -> Int64 {
        let lowest = [own, rates.perHost, rates.all].compactMap { $0 }.min() ?? .max
        return min(max(lowest / Self.portionsPerSecond, Self.portions.lowerBound), Self.portions.upperBound)
    }

    /// Forgets a transfer that is paused or has ended; its unused portion goes to others.
    mutating func leave(_ id: TransferID) {
        guard let member = members.removeValue(forKey: id) else { return }
        let taken = member.stage == .all ? portion(own: member.own?.rate) : 0
        hosts[member.host]?.bucket.take(-member.allowance - taken)
        all?.take(-member.allowance)
        // Servers' debts are forgotten only with more than 64 servers.
        if members.isEmpty, hosts.count > 64 { hosts = [:] }
    }

    /// Forgets a transfer that is over, with its own limit.
    mutating func forget(_ id: TransferID, at now: Int64) {
        leave(id)
        guard ownRates.removeValue(forKey: id) != nil, !isActive else { return }
        reorder(at: now)
    }

    // MARK: - Waiting

    private mutating func enter(_ id: TransferID, at now: Int64) {
        members[id]?.ticket &+= 1
        passOwn(id, at: now)
    }

    private mutating func passOwn(_ id: TransferID, at now: Int64) {
        guard var member = members[id] else { return }
        member.stage = .own
        let waiting = Waiting(id: id, ticket: member.ticket)
        if member.own?.hasSome(at: now) == false {
            members[id] = member
            return sleep(.member(waiting), until: member.own?.readiness ?? now)
        }
        let portion = portion(own: member.own?.rate)
        member.own?.take(portion)
        member.stage = .host
        members[id] = member
        joinHost(waiting, member.host, at: now)
    }

    private mutating func joinHost(_ waiting: Waiting, _ host: String, at now: Int64) {
        guard let rate = rates.perHost else { return joinAll(waiting) }
        hosts[host, default: HostGate(bucket: TokenBucket(rate: rate, at: now))].line.append(waiting)
        serve(host, at: now)
    }

    /// Lets a server's queue pass as far as its limit permits.
    private mutating func serve(_ host: String, at now: Int64) {
        guard var gate = hosts[host], !gate.isAsleep else { return }
        var passed: [Waiting] = []
        while !gate.line.isEmpty {
            guard gate.bucket.hasSome(at: now) else {
                gate.isAsleep = true
                sleep(.host(host), until: gate.bucket.readiness)
                break
            }
            guard let next = gate.line.popFirst(), let member = members[next.id], member.ticket == next.ticket else {
                continue
            }
            gate.bucket.take(portion(own: member.own?.rate))
            passed.append(next)
        }
        hosts[host] = gate
        for next in passed { joinAll(next) }
    }

    private mutating func joinAll(_ waiting: Waiting) {
        guard let member = members[waiting.id] else { return }
        members[waiting.id]?.stage = .all
        if member.lane == .requests { requests.append(waiting) } else { files.append(waiting) }
    }

    private mutating func sleep(_ sleeper: Sleeper, until due: Int64) {
        var low = 0
        var high = sleepers.count
        while low < high {
            let middle = (low + high) / 2
            if sleepers[middle].due > due { low = middle + 1 } else { high = middle }
        }
        sleepers.insert((due, sleeper), at: low)
    }

    private mutating func wake(at now: Int64) {
        while let last = sleepers.last, last.due <= now {
            sleepers.removeLast()
            switch last.sleeper {
            case .member(let waiting):
                if members[waiting.id]?.ticket == waiting.ticket { passOwn(waiting.id, at: now) }
            case .host(let name):
                hosts[name]?.isAsleep = false
                serve(name, at: now)
            }
        }
    }

    // MARK: - Granting

    /// Returns the next transfer that was granted a portion; nil for none at the moment.
    mutating func next(at now: Int64) -> TransferID? {
        wake(at: now)
        while !requests.isEmpty || !files.isEmpty {
            if all?.hasSome(at: now) == false { return nil }
            guard let next = popNext(), var member = members[next.id], member.ticket == next.ticket else { continue }
            let portion = portion(own: member.own?.rate)
            all?.take(portion)
            member.allowance += portion
            member.stage = .idle
            members[next.id] = member
            return next.id
        }
        return nil
    }

    private mutating func popNext() -> Waiting? {
        defer { isRequestsTurn.toggle() }
        let first = isRequestsTurn ? requests.popFirst() : files.popFirst()
        return first ?? (isRequestsTurn ? files.popFirst() : requests.popFirst())
    }

    /// When a portion can be granted at the earliest; nil when no transfer waits.
    ///
    /// Valid after ``next(at:)`` has returned nil.
    var nextMoment: Int64? {
        let common = requests.isEmpty && files.isEmpty ? nil : all?.readiness
        guard let asleep = sleepers.last?.due else { return common }
        return common.map { min($0, asleep) } ?? asleep
    }
}

/// The lane of a transfer.
enum TransferLane: Sendable {
    case requests, files

    static func lane(of kind: TransferKind) -> TransferLane { kind == .data ? .requests : .files }
}
