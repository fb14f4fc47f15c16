/// Counts the attempts of one transfer and their progress, and decides what follows a failed one.
///
/// A value: the transfer carries out its decisions.
struct RetryControl: Sendable {
    /// The facts about a failed attempt.
    struct Failure: Sendable {
        /// The facts for ``RetryPolicy``; the attempts and the host's charge are filled in here.
        var policy: RetryPolicy.Failure
        /// Whether the attempt received new bytes that are kept.
        var keepsProgress = false
        /// Whether the server may have stored the body, so that nothing is sent again.
        var mayBeStored = false
        /// Whether the handler can take another response.
        var canRestart = true
        /// The charge on the host; nil if the failure says nothing about it.
        var charge: HostAvailability.Charge?
        /// Whether this machine has no network, so that another source does not help.
        var lacksNetwork = false
        /// Milliseconds for which failed transfers wait for the host; nil if they do not.
        var hostWait: Int64?
        /// Whether another source of the file can be used without waiting for this host.
        var hasOpenSource = false
    }

    /// The consequence of a failed attempt.
    struct Step: Sendable, Equatable {
        enum Next: Sendable, Equatable {
            /// Another attempt after a delay.
            case wait(milliseconds: Int64)
            /// Another attempt when the host is available again.
            case waitForHost
            /// Failure, unless a single connection may still fetch the file.
            case fail
        }

        var next: Next
        /// Whether the patience with the host is over: from then on each transfer retries on its own.
        var givesUpHost = false
    }

    /// Consecutive attempts that ended without a new byte.
    private(set) var withoutProgress = 0
    /// Milliseconds until the next attempt.
    private(set) var delay: Int64 = 0
    /// Whether the transfer waits for its host instead, see ``HostAvailability``.
    private(set) var waitsForHost = false
    /// The end of the wait its server has asked for, in milliseconds of the monotonic clock.
    private(set) var askedUntil: Int64 = 0
    /// When the first of the consecutive failures happened, in milliseconds of the monotonic clock.
    private var failingSince: Int64?
    /// The latest failure's message and code; nil after a success.
    private(set) var latestReason: String?
    private(set) var latestCode: SessionError.Code?
    private var reach = TransferReach()
    private var hastenings: UInt32 = 0

    /// Records that an attempt starts with this many bytes received.
    mutating func begin(at received: Int64) { reach.extend(to: received) }

    /// Records that the body being received follows this many bytes: fewer than before if the file is another one.
    mutating func bodyBegins(at received: Int64) { reach.begin(at: received) }

    /// Whether an attempt that ends with this many bytes has received new ones.
    func madeProgress(to received: Int64) -> Bool { reach.isExceeded(by: received) }

    /// Records a failed attempt and decides what follows.
    ///
    /// Only the transfer's own attempts count, because the number of retries is promised to each transfer. Without a
    /// network none counts.
    ///
    /// - Parameter random: drawn by the caller, from 0 up to but not including 1.
    mutating func failed(_ failure: Failure, _ policy: RetryPolicy, now: Int64, random: Double) -> Step {
        record(failure, now: now)
        let charge = failure.charge
        let isHostOver = charge.map { isOver($0, failure, policy) } ?? false
        guard failure.canRestart, !failure.mayBeStored,
            case .retry(let wait) = policy.decide(asked(failure, attempts: withoutProgress, now), random: random)
        else {
            return Step(next: .fail, givesUpHost: isHostOver || charge.map { isOutOfTime($0, policy, now) } ?? false)
        }
        let hostWait = charge != nil && !isHostOver ? failure.hostWait : nil
        let waitsForHost = hostWait != nil && (failure.lacksNetwork || !failure.hasOpenSource)
        if waitsForHost, let hostWait, let rest = policy.timeLeft(at: age(now: now)), hostWait > rest {
            // The last attempt is made when the time is over, even if the host would be tried later.
            return Step(next: .wait(milliseconds: rest), givesUpHost: true)
        }
        return Step(next: waitsForHost ? .waitForHost : .wait(milliseconds: wait), givesUpHost: isHostOver)
    }

    /// Whether another attempt may follow a failure that is not recorded yet.
    func mayTryAgain(after failure: Failure, _ policy: RetryPolicy, now: Int64) -> Bool {
        failure.canRestart && !failure.mayBeStored
            && policy.decide(asked(failure, attempts: withoutProgress + 1, now), random: 0) != .giveUp
    }

    private mutating func record(_ failure: Failure, now: Int64) {
        let error = failure.policy.error
        (latestReason, latestCode) = (error.message, error.code)
        if let wait = failure.policy.retryAfterMilliseconds { askedUntil = now + wait }
        if failure.keepsProgress {
            (withoutProgress, failingSince) = (0, nil)
        } else if failure.charge?.offline == nil {
            withoutProgress += 1
        }
        failingSince = failingSince ?? now
    }

    private func asked(_ failure: Failure, attempts: Int, _ now: Int64) -> RetryPolicy.Failure {
        var asked = failure.policy
        asked.attemptsWithoutProgress = attempts
        (asked.outage, asked.offline) = (failure.charge?.age, failure.charge?.offline)
        asked.age = age(now: now)
        return asked
    }

    /// Whether the patience with the host is over, by its own count of failures.
    private func isOver(_ charge: HostAvailability.Charge, _ failure: Failure, _ policy: RetryPolicy) -> Bool {
        var asked = failure.policy
        (asked.outage, asked.offline) = (charge.age, charge.offline)
        return charge.isCounted && !policy.hasPatience(with: asked, failures: charge.failures)
    }

    /// Whether this transfer's time is over, which also ends the wait of the others.
    private func isOutOfTime(_ charge: HostAvailability.Charge, _ policy: RetryPolicy, _ now: Int64) -> Bool {
        policy.timeLeft(at: age(now: now)).map { $0 <= 0 } == true || !policy.hasPatience(offline: charge.offline)
    }

    /// Milliseconds since the first of the consecutive failures.
    private func age(now: Int64) -> Int64 { now - (failingSince ?? now) }

    /// Returns whether a user has hastened the transfer since the last call: a pause that is taken back at once leaves
    /// no trace.
    mutating func takeHastening(_ count: UInt32) -> Bool {
        defer { hastenings = count }
        return hastenings != count
    }

    /// Records an attempt that served its purpose before another one follows.
    mutating func succeeded() { (withoutProgress, failingSince, latestReason, latestCode) = (0, nil, nil, nil) }

    /// Records an attempt that broke off with new bytes, where another one follows at once: it counts like a failed one
    /// that has made progress.
    mutating func brokeOff() { (withoutProgress, failingSince) = (0, nil) }

    mutating func wait(milliseconds: Int64, forHost: Bool) { (delay, waitsForHost) = (milliseconds, forHost) }
}

/// The most bytes a transfer ever had: only more than that is progress.
///
/// An error's body, bytes that repeat the partial file, and a restarted file add nothing new, however many bytes they
/// have; a server that sends them forever must not keep a transfer running forever.
private struct TransferReach: Sendable {
    /// How often a transfer may start over with all its bytes counting as new.
    private static let beginningLimit = 3

    private var furthest: Int64 = 0
    private var beginnings = 0

    /// Records that an attempt starts with this many bytes received.
    mutating func extend(to received: Int64) { furthest = max(furthest, received) }

    /// Records that the body being received follows this many bytes: fewer than before if the file is another one.
    mutating func begin(at received: Int64) {
        guard received < furthest, beginnings < Self.beginningLimit else { return }
        beginnings += 1
        furthest = received
    }

    /// Whether an attempt that ends with this many bytes has received new ones.
    func isExceeded(by received: Int64) -> Bool { received > furthest }
}
