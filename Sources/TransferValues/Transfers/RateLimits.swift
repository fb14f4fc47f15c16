/// The bytes of bodies that may move in a second.
///
/// Nil bounds nothing, or leaves it to the session where it is a task's own limit; a rate is at least one byte a second.
/// What protocols add, heads and encryption, is not counted.
///
/// ```swift
/// task.rateLimit = RateLimit(download: 500_000)
/// ```
public struct RateLimit: Sendable, Hashable, Codable {
    /// A limit that bounds nothing, which a task may have where its session's tasks are bounded.
    package static let unlimited = RateLimit(download: .max, upload: .max)

    /// Bytes of responses per second.
    public var download: Int64?
    /// Bytes of request bodies per second.
    public var upload: Int64?

    /// A limit of each direction in bytes per second; nil bounds nothing.
    public init(download: Int64? = nil, upload: Int64? = nil) {
        self.download = download
        self.upload = upload
    }

    /// Whether it bounds nothing.
    package var isUnlimited: Bool { (download ?? .max) == .max && (upload ?? .max) == .max }
}

/// The rates of a session: what its transfers may move together, those of one server together, and each of them.
///
/// All three hold at once. Transfers that share a limit get equal shares of what is there, and data tasks get as much as
/// uploads and downloads together as long as they want it.
///
/// ```swift
/// manager.setRateLimits(RateLimits(all: RateLimit(download: 2_000_000), perTask: RateLimit(upload: 100_000)))
/// ```
public struct RateLimits: Sendable, Hashable, Codable {
    /// For all transfers of the session.
    public var all: RateLimit
    /// For the transfers of each origin: scheme, host and port.
    public var perHost: RateLimit
    /// For each transfer that has none of its own in that direction.
    public var perTask: RateLimit

    /// Limits; none by default.
    public init(all: RateLimit = RateLimit(), perHost: RateLimit = RateLimit(), perTask: RateLimit = RateLimit()) {
        self.all = all
        self.perHost = perHost
        self.perTask = perTask
    }

    /// Whether they bound nothing.
    package var isUnlimited: Bool { all.isUnlimited && perHost.isUnlimited && perTask.isUnlimited }
}
