/// The tries of one transfer: how many there were, whether they brought new bytes, and what follows one that failed.
///
/// A value: what it decides is carried out by the transfer.
struct RetryControl: Sendable {
    /// A failed attempt, as far as the decision depends on it.
    struct Failure: Sendable {
        /// What ``RetryPolicy`` looks at; the tries, and what the host's trouble costs, are filled in here.
        var policy: RetryPolicy.Failure
        /// Whether the attempt brought new bytes that are kept.
        var keepsProgress = false
        /// Whether the server may have stored what it was sent, so that nothing is sent again.
        var mayBeStored = false
        /// Whether the handler can take another answer.
        var canRestart = true
        /// What the failure costs the host; nil where it says nothing about it.
        var charge: HostAvailability.Charge?
        /// Whether there is no network, which another source does not help against.
        var lacksNetwork = false
        /// Milliseconds for which transfers that have failed wait for the host; nil where none does.
        var hostWait: Int64?
        /// Whether another source of the file can be asked, which no wait for this host delays.
        var hasOpenSource = false
    }

    /// What follows a failed attempt.
    struct Step: Sendable, Equatable {
        enum Next: Sendable, Equatable {
            /// Another attempt after so many milliseconds.
            case wait(milliseconds: Int64)
            /// Another attempt when the host is there again.
            case waitForHost
            /// The transfer fails, unless one connection alone may still bring the file.
            case fail
        }

        var next: Next
        /// Whether the patience with the host is over: from then on each transfer tries for itself.
        var givesUpHost = false
    }

    /// Attempts in a row that ended without a new byte.
    private(set) var withoutProgress = 0
    /// Milliseconds that the next attempt has to wait.
    private(set) var delay: Int64 = 0
    /// Whether it waits for its host instead, see ``HostAvailability``.
    private(set) var waitsForHost = false
    /// Until when its server has asked it to wait, in milliseconds of the monotonic clock.
    private(set) var askedUntil: Int64 = 0
    /// When the first of the attempts that failed in a row did, in milliseconds of the monotonic clock.
    private var failingSince: Int64?
    /// What the latest of those has said, and its code; nil once one has succeeded.
    private(set) var latestReason: String?
    private(set) var latestCode: SessionError.Code?
    private var reach = TransferReach()

    /// Records that an attempt starts with this many bytes at hand.
    mutating func begin(at received: Int64) { reach.extend(to: received) }

    /// The body that is received now follows so many bytes: fewer than there were when the file is another one.
    mutating func bodyBegins(at received: Int64) { reach.begin(at: received) }

    /// Whether an attempt that ends with so many bytes at hand brought new ones.
    func madeProgress(to received: Int64) -> Bool { reach.isExceeded(by: received) }

    /// Records a failed attempt and decides what follows.
    ///
    /// Each try of its own counts, and none of another's: how often it is tried was promised to each transfer. Without a network
    /// none counts.
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
            // The last try comes when the time is over, also where the host would be asked later.
            return Step(next: .wait(milliseconds: rest), givesUpHost: true)
        }
        return Step(next: waitsForHost ? .waitForHost : .wait(milliseconds: wait), givesUpHost: isHostOver)
    }

    /// Whether another try may follow a failure that is not recorded yet.
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

    /// Whether the time of this transfer is over, and with it the waiting of the others.
    private func isOutOfTime(_ charge: HostAvailability.Charge, _ policy: RetryPolicy, _ now: Int64) -> Bool {
        policy.timeLeft(at: age(now: now)).map { $0 <= 0 } == true || !policy.hasPatience(offline: charge.offline)
    }

    /// Milliseconds since the first of the attempts that failed in a row.
    private func age(now: Int64) -> Int64 { now - (failingSince ?? now) }

    /// An attempt did what it was there for, and another follows.
    mutating func succeeded() { (withoutProgress, failingSince, latestReason, latestCode) = (0, nil, nil, nil) }

    mutating func wait(milliseconds: Int64, forHost: Bool) { (delay, waitsForHost) = (milliseconds, forHost) }
}

/// How far a transfer has ever come: only what goes beyond it is progress.
///
/// An error's page, bytes that repeat those of the part, and a file that begins again bring nothing new, however many
/// they are; a server that sends them for ever must not keep a transfer going for ever.
private struct TransferReach: Sendable {
    /// The most times that a transfer may begin again and have all it receives then count as new.
    private static let beginningLimit = 3

    private var furthest: Int64 = 0
    private var beginnings = 0

    /// Records that an attempt starts with this many bytes at hand.
    mutating func extend(to received: Int64) { furthest = max(furthest, received) }

    /// The body that is received now follows so many bytes: fewer than there were when the file is another one.
    mutating func begin(at received: Int64) {
        guard received < furthest, beginnings < Self.beginningLimit else { return }
        beginnings += 1
        furthest = received
    }

    /// Whether an attempt that ends with so many bytes at hand brought new ones.
    func isExceeded(by received: Int64) -> Bool { received > furthest }
}
