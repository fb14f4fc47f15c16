/// The availability of a host: whether transfers may ask it now, and which one; a value without a clock.
///
/// A host in trouble gets no requests for a while, then one transfer probes it, and the result decides for all
/// transfers. Times are milliseconds of the monotonic clock.
struct HostAvailability: Sendable, Equatable {
    /// Each case names the states that may follow it.
    enum State: Sendable, Equatable {
        /// All transfers may ask. Next: held.
        case open
        /// No transfer asks before a time. Next: ajar, due, probing, open.
        case backingOff(until: Int64)
        /// A transfer that has not been refused may ask before that time, if one exists. Next: probing, due, open.
        case ajar(until: Int64)
        /// The next transfer that gets a slot asks. Next: probing, held, open.
        case due
        /// One transfer asks, and the others wait for its result. Next: held, due, open, givenUp.
        case probing(TransferID, since: Int64)
        /// The patience is used up: all transfers may ask, and none waits any more. Next: open, held.
        case givenUp
    }

    /// An attempt's evidence that its host works; a larger value is stronger.
    enum Evidence: Int, Sendable, Comparable {
        /// A connection is established.
        case connected
        /// The host accepts bytes, or has begun its response.
        case moving
        /// The host has responded.
        case answered
        /// The host has delivered the requested resource.
        case served

        static func < (left: Evidence, right: Evidence) -> Bool { left.rawValue < right.rawValue }
    }

    /// The cost of a failure for its transfer.
    struct Charge: Sendable, Equatable {
        /// True if it counts as a try: not for trouble that was known already, and not without a network.
        var isCounted: Bool
        /// Consecutive failures of the host that counted.
        var failures: Int
        /// Milliseconds since the first of them, minus the waits that the host asked for.
        var age: Int64
        /// Milliseconds without a network route to the host; nil for other trouble.
        var offline: Int64?
    }

    /// The longest wait before a probe, in milliseconds: one request of one transfer burdens no host.
    static let longestWait: Double = 30_000
    /// Milliseconds after which a long wait that the host asked for is tested by a transfer that was not refused: the
    /// response about one file may not apply to all.
    private static let testInterval: Int64 = 60_000
    /// Milliseconds after the last failure until a host that was given up gets new patience.
    private static let memory: Int64 = 120_000

    private(set) var state: State = .open
    /// The latest trouble; nil while open.
    private(set) var trouble: HostOutage?
    private var failures = 0
    /// Consecutive holds; each makes the next one longer.
    private var holds = 0
    private var since: Int64 = 0
    private var latestFailure: Int64 = 0
    /// The end of the wait that the host asked for; `testAt` is the time of the next test before it.
    private var askedUntil: Int64 = 0
    private var testAt: Int64 = .max
    /// The time when the network route to the host was lost; nil for other trouble.
    private var offlineSince: Int64?

    /// True if a queued transfer may start.
    var admits: Bool {
        switch state {
        case .open, .ajar, .due, .givenUp: true
        case .backingOff, .probing: false
        }
    }

    /// True if transfers that have failed wait for the host.
    var isBackingOff: Bool {
        switch state {
        case .backingOff, .ajar, .due, .probing: true
        case .open, .givenUp: false
        }
    }

    /// The time at which the state changes by itself; nil for never.
    var nextChange: Int64? {
        switch state {
        case .backingOff(let until): min(until, testAt)
        case .ajar(let until): until
        case .open, .due, .probing, .givenUp: nil
        }
    }

    // MARK: - Inputs

    /// Records an attempt's failure that is the host's fault.
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
            // That attempt ran already; its result is no newer than the known trouble.
            hold(until: now + wait(trouble, random: random), trouble, now: now)
            return charge(false, now)
        case .backingOff(let until), .ajar(let until):
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

    /// Records evidence of a working host; true if that opened it.
    ///
    /// A host that asked for a wait stays closed until the wait is over and a probe was answered, or until it delivers
    /// another transfer's resource.
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

    /// Records that a transfer got a slot; while the host is held it becomes the probe, even if a user hastened it.
    mutating func granted(_ id: TransferID, now: Int64) {
        switch state {
        case .backingOff, .ajar, .due: state = .probing(id, since: now)
        case .open, .probing, .givenUp: break
        }
    }

    /// Records that a transfer gave its slot back; if it was the probe and learned nothing, another one replaces it.
    mutating func left(_ id: TransferID, now: Int64) {
        guard isProbe(id) else { return }
        state = askedUntil > now ? .ajar(until: askedUntil) : .due
    }

    mutating func timePassed(_ now: Int64) {
        switch state {
        case .backingOff(let until) where until <= now, .ajar(let until) where until <= now: state = .due
        case .backingOff(let until) where testAt <= now: state = .ajar(until: until)
        case .open, .backingOff, .ajar, .due, .probing, .givenUp: break
        }
    }

    /// Allows a probe at once after a network change, except for a host that asked for a wait.
    mutating func networkChanged() {
        guard let trouble, trouble.reason != .busy else { return }
        holds = 0
        if case .backingOff = state { state = .due }
    }

    /// Ends the patience of all transfers.
    mutating func giveUp() {
        if isBackingOff { state = .givenUp }
    }

    // MARK: - Decisions

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
        state = .backingOff(until: time)
        askedUntil = trouble.askedWait == nil ? 0 : time
        testAt = askedUntil - now > Self.testInterval ? now + Self.testInterval : .max
    }

    private func charge(_ isCounted: Bool, _ now: Int64) -> Charge {
        Charge(
            isCounted: isCounted, failures: failures, age: max(now - since, 0), offline: offlineSince.map { now - $0 })
    }

    /// Returns the wait that the host asked for plus a wait that doubles with each hold, half of it random.
    private func wait(_ trouble: HostOutage, random: Double) -> Int64 {
        var ceiling = RetryPolicy.firstDelay
        for _ in 1..<max(holds, 1) where ceiling < Self.longestWait { ceiling *= 2 }
        let jitter = min(max(random, 0), 1)
        return Int64(min(ceiling, Self.longestWait) * (0.5 + jitter / 2)) + (trouble.askedWait ?? 0)
    }
}
