/// A limit on body bytes per second.
///
/// Nil limits nothing; in a task's own limit it leaves the direction to the session. A rate is at least one byte per
/// second. Protocol overhead, such as headers and encryption, does not count.
///
/// ```swift
/// task.rateLimit = RateLimit(download: 500_000)
/// ```
public struct RateLimit: Sendable, Hashable, Codable {
    /// A limit that frees a task from its session's limits.
    package static let unlimited = RateLimit(download: .max, upload: .max)

    /// Bytes of responses per second.
    public var download: Int64?
    /// Bytes of request bodies per second.
    public var upload: Int64?

    /// Creates a limit for each direction in bytes per second; nil limits nothing.
    public init(download: Int64? = nil, upload: Int64? = nil) {
        self.download = download
        self.upload = upload
    }

    package var isUnlimited: Bool { (download ?? .max) == .max && (upload ?? .max) == .max }
}

/// The limits of a session: on all of its transfers together, on one server's transfers together, and on each transfer.
///
/// All three apply at once. Transfers that share a limit get equal shares, and data tasks get as much as uploads and
/// downloads together as long as they need it.
///
/// ```swift
/// manager.setRateLimits(RateLimits(all: RateLimit(download: 2_000_000), perTask: RateLimit(upload: 100_000)))
/// ```
public struct RateLimits: Sendable, Hashable, Codable {
    /// The limit of all transfers of the session together.
    public var all: RateLimit
    /// The limit of the transfers of each origin: scheme, host and port.
    public var perHost: RateLimit
    /// The limit of each transfer without its own limit in that direction.
    public var perTask: RateLimit

    /// Creates limits; none by default.
    public init(all: RateLimit = RateLimit(), perHost: RateLimit = RateLimit(), perTask: RateLimit = RateLimit()) {
        self.all = all
        self.perHost = perHost
        self.perTask = perTask
    }

    package var isUnlimited: Bool { all.isUnlimited && perHost.isUnlimited && perTask.isUnlimited }
}
