/// Whether a host is asked now, and by whom: a value without a clock.
///
/// A host in trouble is held: nobody asks it for a while, then one transfer does, the probe, and what becomes of that
/// decides for all. Times are milliseconds of the monotonic clock.
struct HostAvailability: Sendable, Equatable {
    /// Each case names the states that may follow it.
    enum State: Sendable, Equatable {
        /// Everybody may ask. Next: held.
        case open
        /// Nothing is asked before a time. Next: ajar, due, probing, open.
        case held(until: Int64)
        /// A transfer that was not refused yet asks before that time, if there is one. Next: probing, due, open.
        case ajar(until: Int64)
        /// The next transfer that gets a slot asks. Next: probing, held, open.
        case due
        /// One asks, and the others wait for what becomes of that. Next: held, due, open, givenUp.
        case probing(TransferID, since: Int64)
        /// Patience is over: everybody may ask, and nobody waits any more. Next: open, held.
        case givenUp
    }

    /// What an attempt showed of its host, the more the larger.
    enum Evidence: Int, Sendable, Comparable {
        /// A connection stands.
        case connected
        /// It takes bytes, or has begun to answer.
        case moving
        /// It has answered.
        case answered
        /// It has given what was asked for.
        case served

        static func < (left: Evidence, right: Evidence) -> Bool { left.rawValue < right.rawValue }
    }

    /// What a failure costs the transfer.
    struct Charge: Sendable, Equatable {
        /// Whether it counts as a try: not where the trouble was known already, and not without a network.
        var isCounted: Bool
        /// Failures of the host in a row that counted.
        var failures: Int
        /// Milliseconds since the first of them, without those that the host asked for.
        var age: Int64
        /// Milliseconds for which there has been no way to the host; nil where that is not the trouble.
        var offline: Int64?
    }

    /// The longest wait before a probe, in milliseconds: one request of one transfer harms nobody.
    static let longestWait: Double = 30_000
    /// Milliseconds after which a hold for which the host has asked is tested by a transfer that was not refused: what it said
    /// of one file need not be so of all.
    private static let testInterval: Int64 = 60_000
    /// Milliseconds after the last failure from which on a host that was given up gets new patience.
    private static let memory: Int64 = 120_000

    private(set) var state: State = .open
    /// What was found last; nil while open.
    private(set) var trouble: HostOutage?
    private var failures = 0
    /// Holds in a row, which make the next one longer.
    private var holds = 0
    private var since: Int64 = 0
    private var latestFailure: Int64 = 0
    /// Until when the host has asked to be left alone, and when that is tested next.
    private var askedUntil: Int64 = 0
    private var testAt: Int64 = .max
    /// Since when there has been no way to it; nil where that is not the trouble.
    private var offlineSince: Int64?

    /// Whether a transfer that waits in line may go.
    var admits: Bool {
        switch state {
        case .open, .ajar, .due, .givenUp: true
        case .held, .probing: false
        }
    }

    /// Whether transfers that have failed wait for the host.
    var isHeld: Bool {
        switch state {
        case .held, .ajar, .due, .probing: true
        case .open, .givenUp: false
        }
    }

    /// When the state changes by itself; nil where it does not.
    var nextChange: Int64? {
        switch state {
        case .held(let until): min(until, testAt)
        case .ajar(let until): until
        case .open, .due, .probing, .givenUp: nil
        }
    }

    // MARK: - Inputs

    /// An attempt failed for a reason that is the host's.
    ///
    /// - Parameter random: drawn by the caller, from 0 up to but not including 1.
    mutating func failed(_ trouble: HostOutage, of id: TransferID, now: Int64, random: Double) -> Charge {
        let isOffline = trouble.reason == .noNetwork
        if state == .givenUp, isOffline && offlineSince == nil || now - latestFailure > Self.memory {
            self = HostAvailability()
        }
        offlineSince = isOffline ? offlineSince ?? now : nil
        defer { latestFailure = now }
        switch state {
        case .open:
            since = now
            return hold(trouble, now: now, random: random)
        case .probing(id, _):
            return hold(trouble, now: now, random: random)
        case .due:
            // One that was under way; what it brings is no newer than what is known.
            hold(until: now + wait(trouble, random: random), trouble, now: now)
            return charge(false, now)
        case .held(let until), .ajar(let until):
            if let asked = trouble.askedWait { hold(until: max(until, now + asked), trouble, now: now) }
            return charge(false, now)
        case .probing:
            return charge(false, now)
        case .givenUp:
            self.trouble = trouble
            failures += 1
            return charge(true, now)
        }
    }

    /// An attempt showed that the host is there; true when that opened it.
    ///
    /// A host that asked to be left alone is believed until its time is over and a probe was answered, or until it gives
    /// another transfer what that wants.
    mutating func showed(_ evidence: Evidence, by id: TransferID) -> Bool {
        guard let trouble, state != .open else { return false }
        let isEnough =
            switch trouble.reason {
            case .noNetwork, .unreachable: true
            case .silent: evidence >= .moving
            case .busy: evidence == .served || evidence == .answered && (isProbe(id) || state == .givenUp)
            }
        guard isEnough else { return false }
        self = HostAvailability()
        return true
    }

    /// A transfer got a slot; while the host is held it is the probe, also one that a user sends ahead.
    mutating func granted(_ id: TransferID, now: Int64) {
        switch state {
        case .held, .ajar, .due: state = .probing(id, since: now)
        case .open, .probing, .givenUp: break
        }
    }

    /// A transfer has given its slot back; when it was the probe and nothing was learned, another takes its place.
    mutating func left(_ id: TransferID, now: Int64) {
        guard isProbe(id) else { return }
        state = askedUntil > now ? .ajar(until: askedUntil) : .due
    }

    /// The time is so late.
    mutating func timePassed(_ now: Int64) {
        switch state {
        case .held(let until) where until <= now, .ajar(let until) where until <= now: state = .due
        case .held(let until) where testAt <= now: state = .ajar(until: until)
        case .open, .held, .ajar, .due, .probing, .givenUp: break
        }
    }

    /// The network has changed, so that asking may be worth while at once; a host that asked to be left alone still is.
    mutating func networkChanged() {
        guard let trouble, trouble.reason != .busy else { return }
        holds = 0
        if case .held = state { state = .due }
    }

    /// Nobody has patience any more.
    mutating func giveUp() {
        if isHeld { state = .givenUp }
    }

    // MARK: - Decisions

    /// Whether a transfer is the probe.
    func isProbe(_ id: TransferID) -> Bool {
        if case .probing(id, _) = state { true } else { false }
    }

    private mutating func hold(_ trouble: HostOutage, now: Int64, random: Double) -> Charge {
        self.trouble = trouble
        holds += 1
        let isCounted = trouble.reason != .noNetwork
        if isCounted { failures += 1 } else { since = now }
        since += trouble.askedWait ?? 0
        hold(until: now + wait(trouble, random: random), trouble, now: now)
        return charge(isCounted, now)
    }

    private mutating func hold(until time: Int64, _ trouble: HostOutage, now: Int64) {
        state = .held(until: time)
        askedUntil = trouble.askedWait == nil ? 0 : time
        testAt = askedUntil - now > Self.testInterval ? now + Self.testInterval : .max
    }

    private func charge(_ isCounted: Bool, _ now: Int64) -> Charge {
        Charge(
            isCounted: isCounted, failures: failures, age: max(now - since, 0), offline: offlineSince.map { now - $0 })
    }

    /// What the host asked for, and a wait that doubles from hold to hold, of which a half is left to chance.
    private func wait(_ trouble: HostOutage, random: Double) -> Int64 {
        var ceiling = RetryPolicy.firstDelay
        for _ in 1..<max(holds, 1) where ceiling < Self.longestWait { ceiling *= 2 }
        let jitter = min(max(random, 0), 1)
        return Int64(min(ceiling, Self.longestWait) * (0.5 + jitter / 2)) + (trouble.askedWait ?? 0)
    }
}
