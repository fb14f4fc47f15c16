/// The server whose slots a transfer takes: its own, or the one of another source.
struct QueueHome: Sendable, Equatable {
    /// The queue key of the server and route: the origin, unless the route is a special one.
    let host: String
    /// The server's scheme, host and port.
    let origin: String
    /// Whether the server belongs to another source of the file instead of its request's URL.
    let isAway: Bool

    /// The server of the transfer's own request.
    init(host: String, origin: String) { (self.host, self.origin, isAway) = (host, origin, false) }

    /// A server with a queue key.
    ///
    /// - Parameter original: the origin of the transfer's own request; nil for a URL that has none.
    init(host: String, original: String?) {
        self.host = host
        origin = RequestRoute(key: host).origin
        isAway = origin != original
    }
}

/// The counts of the queue in which a transfer takes part.
struct QueueAttendance: Sendable, Equatable {
    /// Whether it counts among the transfers that are to run.
    private(set) var isAtWork = false
    /// Whether it counts among the ones that wait for a host in trouble.
    private(set) var isAway = false

    /// Records whether it is to run; returns false if that is known.
    mutating func work(_ isAtWork: Bool) -> Bool {
        defer { self.isAtWork = isAtWork }
        return self.isAtWork != isAtWork
    }

    /// Records whether it waits for a host in trouble; returns false if that is known.
    mutating func goAway(_ isAway: Bool) -> Bool {
        defer { self.isAway = isAway }
        return self.isAway != isAway
    }
}
