/// The moments at which a worker's loop acts, in seconds of a clock that never jumps.
package struct Timetable: Sendable {
    /// The wait for a notice that the worker has sent to itself.
    static let longestProbe = 2.0

    private let lease: Double
    private var nextBeat = 0.0
    private var nextLook = 0.0
    private var nextClaim = 0.0
    private var nextShares = 0.0
    private var nextMoves = 0.0
    private var idleWait = Timetable.shortestIdle
    private var probeEnds: Double?
    /// When finished jobs are reported without a claim; nil while there are none.
    private var completionsDue: Double?
    /// Whether notices arrive; without them the worker asks once a second.
    package private(set) var hearsNotices = false

    /// A host whose row another worker has locked for a moment gives no job.
    private static let shortestIdle = 0.003
    private static let longestIdle = 1.0
    /// The longest wait of a worker that ends with the queue: no notice tells it that another one's last job has ended.
    private static let longestIdleAtEnd = 0.2
    /// A statement for one finished job costs as much as for many, so they wait for each other or for the next claim.
    private static let longestGathering = 0.01

    package init(lease: Double) { self.lease = lease }

    /// Whether leases are due: three times per lease.
    package mutating func isBeatDue(at now: Double) -> Bool {
        guard now >= nextBeat else { return false }
        nextBeat = now + lease / 3
        // A beat also says what is wanted.
        nextLook = now + 1
        return true
    }

    /// Whether wishes are due: once a second without notices.
    package mutating func isLookDue(at now: Double) -> Bool {
        guard !hearsNotices, now >= nextLook else { return false }
        nextLook = now + 1
        return true
    }

    /// Whether the shares of hosts' rates are due: once a second.
    package mutating func areSharesDue(at now: Double) -> Bool {
        guard now >= nextShares else { return false }
        nextShares = now + 1
        return true
    }

    package func waitForShares(from now: Double) -> Double { max(0, nextShares - now) }

    /// Whether the counts of running jobs are due: once a second while there are such jobs.
    package mutating func areMovesDue(at now: Double, hasJobs: Bool) -> Bool {
        guard hasJobs, now >= nextMoves else { return false }
        nextMoves = now + 1
        return true
    }

    package func waitForMoves(from now: Double) -> Double { max(0, nextMoves - now) }

    /// Lets the next beat come at once: something is to be told with it.
    package mutating func expectBeat() { nextBeat = 0 }

    package func isClaimDue(at now: Double) -> Bool { now >= nextClaim }

    /// Notes what a claim has given: after none the next one waits longer, up to a second.
    package mutating func claimed(_ count: Int, of asked: Int, at now: Double, drains: Bool = false) {
        if count == asked {
            idleWait = Self.shortestIdle
            nextClaim = now
        } else {
            if count > 0 { idleWait = Self.shortestIdle }
            nextClaim = now + idleWait
            idleWait = min(drains ? Self.longestIdleAtEnd : Self.longestIdle, idleWait * 2)
        }
    }

    /// Notes new jobs, or a job of the worker's own that has ended: a claim may find something.
    package mutating func expectJobs() {
        idleWait = Self.shortestIdle
        nextClaim = 0
    }

    /// Notes a finished job of the worker's own, whose report waits for others.
    package mutating func completed(at now: Double) {
        expectJobs()
        if completionsDue == nil { completionsDue = now + Self.longestGathering }
    }

    package func areCompletionsDue(at now: Double) -> Bool { completionsDue.map { now >= $0 } ?? false }

    package mutating func sendsCompletions() { completionsDue = nil }

    /// Notes a new connection, on which a notice to itself is under way: leases come first.
    package mutating func connected(at now: Double) {
        hearsNotices = false
        nextBeat = now
        probeEnds = now + Self.longestProbe
    }

    package mutating func heardProbe() {
        hearsNotices = true
        probeEnds = nil
    }

    /// Whether the probe's time has just run out.
    package mutating func missesProbe(at now: Double) -> Bool {
        guard let end = probeEnds, now >= end else { return false }
        probeEnds = nil
        return true
    }

    /// The seconds until something is due; a claim only if the worker has room for one.
    package func wait(from now: Double, wantsJobs: Bool) -> Double {
        var next = nextBeat
        if !hearsNotices { next = min(next, nextLook) }
        if wantsJobs { next = min(next, nextClaim) }
        if let probeEnds { next = min(next, probeEnds) }
        if let completionsDue { next = min(next, completionsDue) }
        return max(0, next - now)
    }
}
