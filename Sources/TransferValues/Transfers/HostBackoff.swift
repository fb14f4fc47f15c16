/// A host in backoff, and why.
///
/// When a host refuses connections, is silent, is busy or unreachable, one transfer at a time tries it, and the others
/// wait until one gets a response.
package struct HostBackoff: Sendable, Equatable {
    /// The problem of a host, for all of its transfers.
    package enum Reason: String, Sendable, CaseIterable {
        /// This machine has no route to it; attempts cost no retries, and resume as soon as it has one.
        case noNetwork
        /// Connections to it fail.
        case unreachable
        /// It does not respond.
        case silent
        /// It asks for a later retry, with status 429, or 503 and a time.
        case busy
    }

    /// Scheme, host and port.
    package var origin: String
    /// The route to it, unless it is the direct route; see ``RequestOptions/route(to:in:)``.
    ///
    /// Transfers by another route do not wait. It begins with the proxy, the address or the socket that replaces the
    /// host, if any.
    package var route: String?
    /// The unreachable proxy or address that replaces the host; nil where the host itself has the problem.
    package var unreached: String?
    package var reason: Reason
    /// The kind of the failure that showed the problem.
    package var cause: SessionError.Code
    /// The status of its response, where it is busy.
    package var statusCode: Int?
    /// Milliseconds of the monotonic clock at which one transfer retries; nil while one does.
    package var askedAgainAt: Int64?

    package init(
        origin: String, route: String? = nil, unreached: String? = nil, reason: Reason, cause: SessionError.Code,
        statusCode: Int? = nil, askedAgainAt: Int64? = nil
    ) {
        self.origin = origin
        (self.route, self.unreached) = (route, unreached)
        self.reason = reason
        self.cause = cause
        self.statusCode = statusCode
        self.askedAgainAt = askedAgainAt
    }
}

/// A host that gets fewer concurrent transfers than the limits allow, because more have failed.
///
/// A refusal is a response with status 429 or 503, or a connection that was cut before any response. It halves the
/// number of concurrent transfers; each round of responses adds one, and so do five seconds without a refusal.
package struct LimitedHost: Sendable, Equatable {
    /// Scheme, host and port.
    package var origin: String
    /// The route to it, unless it is the direct route; see ``RequestOptions/route(to:in:)``.
    package var route: String?
    /// The concurrent transfers that it gets, counted separately for data requests and files where they have separate
    /// slots.
    package var transfers: Int

    package init(origin: String, route: String? = nil, transfers: Int) {
        (self.origin, self.route) = (origin, route)
        self.transfers = transfers
    }
}
