/// How often a transfer has tried, and whether that brought anything: a value.
struct TransferTries: Sendable {
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

    /// An attempt failed; progress counts when its bytes are kept, and a failure that costs no try does not.
    mutating func failed(_ error: SessionError, keepingProgress: Bool, isCounted: Bool, now: Int64) {
        (latestReason, latestCode) = (error.message, error.code)
        if keepingProgress { (withoutProgress, failingSince) = (0, nil) } else if isCounted { withoutProgress += 1 }
        failingSince = failingSince ?? now
    }

    /// Milliseconds since the first of the attempts that failed in a row.
    func age(now: Int64) -> Int64 { now - (failingSince ?? now) }

    /// An attempt did what it was there for, and another follows.
    mutating func succeeded() { (withoutProgress, failingSince, latestReason, latestCode) = (0, nil, nil, nil) }

    mutating func wait(milliseconds: Int64, forHost: Bool) { (delay, waitsForHost) = (milliseconds, forHost) }

    /// A server has asked to come back at a time.
    mutating func asked(until time: Int64) { askedUntil = time }
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
