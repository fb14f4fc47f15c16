/// The number of concurrent transfers for a host that has refused some; callers supply the time.
///
/// The number grows by one and shrinks by half, like a TCP connection's congestion window (RFC 5681, 3.1), so that
/// clients who share a host find its capacity. Times are milliseconds of the monotonic clock.
struct HostAllowance: Sendable, Equatable {
    /// Milliseconds without a change after which a host that answers seldom, such as one with large files, gets one
    /// more.
    static let patience: Int64 = 5_000

    /// At least one.
    private(set) var count: Int
    private(set) var changedAt: Int64
    /// Responses since the last change.
    private var answers = 0

    /// The allowance of a host that refused a transfer while this many ran.
    init(refusing running: Int, now: Int64) {
        count = Self.half(of: running)
        changedAt = now
    }

    /// The time at which it grows even without responses.
    var growsAt: Int64 { changedAt + Self.patience }

    /// Halves the allowance after a refused attempt.
    ///
    /// An attempt that began before the last change says nothing about the new number: a burst of refusals counts once.
    mutating func refused(begunAt start: Int64, running: Int, now: Int64) {
        guard start > changedAt else { return }
        count = Self.half(of: min(running, count))
        changedAt = now
        answers = 0
    }

    /// Counts a response; a full round of responses raises the allowance by one at once.
    mutating func answered(now: Int64) {
        answers += 1
        if answers >= count { grow(now: now) }
    }

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

/// The hosts with fewer concurrent transfers than the limits allow because they refused more; nearly always none.
struct HostAllowances: Sendable, Equatable {
    private var entries: [String: HostAllowance] = [:]
    /// True if the list must be reported again.
    var hasChanged = false

    var isEmpty: Bool { entries.isEmpty }

    /// Returns a host's concurrent transfers; nil for the limits' number.
    func count(of host: String) -> Int? { entries[host]?.count }

    /// Changes the allowance of a host that has refused a transfer, now or before.
    ///
    /// Returns the new number, or nil for the limit per host; the number stays the same if nothing has changed.
    mutating func change(_ host: String, limit: Int, _ body: (inout HostAllowance?) -> Void) -> Int? {
        var entry = entries[host]
        let before = entry?.count
        body(&entry)
        if let count = entry?.count, count >= limit { entry = nil }
        entries[host] = entry
        if entry?.count != before { hasChanged = true }
        return entry?.count
    }

    /// The hosts whose allowance has grown by this time.
    func due(at now: Int64) -> [String] { entries.filter { $0.value.growsAt <= now }.map(\.key) }

    /// The time of the next growth; nil without hosts.
    var deadline: Int64? { entries.values.map(\.growsAt).min() }

    /// Sorted by origin and route.
    var limited: [LimitedHost] {
        entries.map { key, allowance in
            let route = RequestRoute(key: key)
            return LimitedHost(origin: route.origin, route: route.via, transfers: allowance.count)
        }.sorted { ($0.origin, $0.route ?? "") < ($1.origin, $1.route ?? "") }
    }
}
