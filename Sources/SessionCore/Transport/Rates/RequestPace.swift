import SessionSupport

/// Spaces the requests of a session evenly, in all and to each origin, on a clock in milliseconds.
///
/// A transfer that waits for a slot begins when both intervals have passed. Requests without a slot of their own, such
/// as the next hop of a redirect, begin at once and are counted, so that later ones wait for them.
struct RequestPace: Sendable {
    /// When the next request of one limit may begin.
    private struct Gate: Sendable {
        /// Microseconds from one request to the next.
        let spacing: Int64
        /// Microseconds by which requests may come early: a loop that counts milliseconds would miss a high rate.
        private let leeway: Int64
        /// In microseconds.
        var free: Int64 = 0

        init(_ rate: RequestRate) {
            let isShort = rate.interval < RequestPace.shortInterval
            leeway = isShort ? RequestPace.shortInterval : 0
            spacing = rate.interval + (isShort ? 0 : RequestPace.jitter)
        }

        /// In milliseconds.
        var readiness: Int64 { (free - leeway + 999) / 1_000 }

        mutating func take(at now: Int64) { free = max(free, now * 1_000) + spacing }
    }

    private static let shortInterval: Int64 = 20_000
    /// Microseconds by which requests travel at different speeds: without them a server that counts each second exactly
    /// refuses one in ten.
    private static let jitter: Int64 = 5_000
    /// With this many origins, the ones that are free again are removed.
    private static let capacity = 64

    private let rates: RequestRates
    let isActive: Bool
    private var all: Gate?
    private var origins: [String: Gate] = [:]
    /// Origins whose waiting transfers may not begin, the earliest first: all have the same interval.
    private var resting = FIFO<(origin: String, due: Int64)>()
    private var nextDue: Int64?
    /// Transfers whose next request was counted with their slot.
    private var granted: Set<TransferID> = []

    init(_ rates: RequestRates) {
        self.rates = rates
        isActive = rates != RequestRates()
        all = rates.all.map { Gate($0) }
    }

    /// Whether a request to any origin may begin.
    func mayBegin(at now: Int64) -> Bool { all.map { $0.readiness <= now } ?? true }

    /// Whether a request to an origin may begin.
    func mayBegin(to origin: String, at now: Int64) -> Bool {
        mayBegin(at: now) && origins[origin].map { $0.readiness <= now } ?? true
    }

    /// Counts the request of a transfer that was given a slot; returns whether its origin has to rest now.
    mutating func grant(_ id: TransferID, to origin: String, at now: Int64) -> Bool {
        granted.insert(id)
        return count(origin, at: now)
    }

    /// Counts a request that begins, unless its slot was counted; returns whether its origin has to rest now.
    mutating func begin(_ id: TransferID, to origin: String, at now: Int64) -> Bool {
        granted.remove(id) == nil && count(origin, at: now)
    }

    mutating func forget(_ id: TransferID) { granted.remove(id) }

    private mutating func count(_ origin: String, at now: Int64) -> Bool {
        all?.take(at: now)
        guard let rate = rates.perHost else { return false }
        if origins.count >= Self.capacity { origins = origins.filter { $0.value.free > now * 1_000 } }
        var gate = origins[origin] ?? Gate(rate)
        let wasFree = gate.readiness <= now
        gate.take(at: now)
        origins[origin] = gate
        guard wasFree, gate.readiness > now else { return false }
        rest(origin, gate, from: now)
        return true
    }

    private mutating func rest(_ origin: String, _ gate: Gate, from now: Int64) {
        let due = now + (gate.spacing + 999) / 1_000
        resting.append((origin, due))
        nextDue = nextDue ?? due
    }

    /// Removes and returns the next origin whose waiting transfers may begin again; nil without one.
    mutating func nextRested(at now: Int64) -> String? {
        while let due = nextDue, due <= now, let (origin, _) = resting.popFirst() {
            nextDue = resting.first?.due
            guard let gate = origins[origin], gate.readiness > now else { return origin }
            rest(origin, gate, from: now)
        }
        return nil
    }

    /// When a waiting transfer may begin at the earliest, unless one may begin now.
    func nextMoment(after now: Int64) -> Int64? {
        [all?.readiness, nextDue].compactMap(\.self).filter { $0 > now }.min()
    }
}
