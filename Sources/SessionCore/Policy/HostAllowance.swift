/// How many transfers a host gets at once since it has refused some: a value without a clock.
///
/// The number grows by one and shrinks by half, as the window of a TCP connection does (RFC 5681, 3.1): that is how those
/// who share something find out what it takes. Times are milliseconds of the monotonic clock.
struct HostAllowance: Sendable, Equatable {
    /// Milliseconds without a change after which a host that answers seldom, as one of large files does, gets one more.
    static let patience: Int64 = 5_000

    /// The transfers that it gets at once; at least one.
    private(set) var count: Int
    private(set) var changedAt: Int64
    /// Answers since the last change.
    private var answers = 0

    /// The allowance of a host that has refused a transfer while so many ran.
    init(refusing running: Int, now: Int64) {
        count = Self.half(of: running)
        changedAt = now
    }

    /// The moment at which it grows although nothing was answered.
    var growsAt: Int64 { changedAt + Self.patience }

    /// An attempt was refused.
    ///
    /// What had begun before the last change says nothing about what followed from it: a burst of refusals counts once.
    mutating func refused(begunAt start: Int64, running: Int, now: Int64) {
        guard start > changedAt else { return }
        count = Self.half(of: min(running, count))
        changedAt = now
        answers = 0
    }

    /// A transfer was answered; a whole round of answers is worth one more at once.
    mutating func answered(now: Int64) {
        answers += 1
        if answers >= count { grow(now: now) }
    }

    /// The time is so late.
    mutating func timePassed(_ now: Int64) {
        if now >= growsAt { grow(now: now) }
    }

    private mutating func grow(now: Int64) {
        count += 1
        changedAt = now
        answers = 0
    }

    private static func half(of running: Int) -> Int { max(running / 2, 1) }
}

/// The hosts that get fewer transfers at once than the limits allow, because they have refused more: none, nearly always.
struct HostAllowances: Sendable, Equatable {
    private var entries: [String: HostAllowance] = [:]
    /// Whether somebody who was told of them has to be told again.
    var hasChanged = false

    /// Whether every host gets what the limits allow.
    var isEmpty: Bool { entries.isEmpty }

    /// The transfers that a host gets at once; nil for what the limits allow.
    func count(of host: String) -> Int? { entries[host]?.count }

    /// Changes what is known of a host, which has refused a transfer or is known to have; answers what it gets from now
    /// on, nil for as many as the limit for each host allows, and the same when nothing has changed.
    mutating func change(_ host: String, limit: Int, _ body: (inout HostAllowance?) -> Void) -> Int? {
        var entry = entries[host]
        let before = entry?.count
        body(&entry)
        if let count = entry?.count, count >= limit { entry = nil }
        entries[host] = entry
        if entry?.count != before { hasChanged = true }
        return entry?.count
    }

    /// The hosts that a look at the clock changes.
    func due(at now: Int64) -> [String] { entries.filter { $0.value.growsAt <= now }.map(\.key) }

    /// When the hosts have to be looked at; nil when there are none.
    var deadline: Int64? { entries.values.map(\.growsAt).min() }

    /// The hosts by name.
    var limited: [LimitedHost] {
        entries.map { key, allowance in
            let route = RequestRoute(key: key)
            return LimitedHost(origin: route.origin, route: route.via, transfers: allowance.count)
        }.sorted { ($0.origin, $0.route ?? "") < ($1.origin, $1.route ?? "") }
    }
}
