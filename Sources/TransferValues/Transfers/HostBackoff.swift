/// A host that nobody asks at the moment, and why.
///
/// When a host refuses connections, is silent, asks to be left alone or cannot be reached, one transfer after the other
/// tries, and the rest wait until one of them was answered.
package struct HostBackoff: Sendable, Equatable {
    /// What is wrong with a host, for everybody who wants something of it.
    package enum Reason: String, Sendable, CaseIterable {
        /// This machine has no way to it; trying costs no retries, and goes on as soon as there is a route.
        case noNetwork
        /// No connection to it can be made.
        case unreachable
        /// Nothing is answered.
        case silent
        /// It asks to come back later, with status 429, or 503 and a time.
        case busy
    }

    /// Scheme, host and port.
    package var origin: String
    /// The way by which it is asked, where that is not the ordinary one; see ``RequestOptions/route(to:in:)``.
    ///
    /// Transfers that go another way are not held. It begins with the proxy, the place or the socket that is connected to
    /// in the host's stead, where there is one.
    package var route: String?
    /// The proxy or the place that was to be connected to in the host's stead and could not be; nil where the host itself is in
    /// trouble.
    package var unreached: String?
    /// What is wrong with it.
    package var reason: Reason
    /// The kind of the failure that showed it.
    package var cause: SessionError.Code
    /// The status that it answered, where it is busy.
    package var statusCode: Int?
    /// Milliseconds of the monotonic clock at which one transfer asks it again; nil while one does.
    package var askedAgainAt: Int64?

    /// A host from its parts.
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

/// A host that gets fewer transfers at once than the limits allow, because more have failed.
///
/// A refusal is an answer with status 429 or 503, or a connection that was cut before anything was answered. It halves the
/// number of transfers that run at once; each round of answers gives one more, and so do five seconds without a refusal.
package struct LimitedHost: Sendable, Equatable {
    /// Scheme, host and port.
    package var origin: String
    /// The way by which it is asked, where that is not the ordinary one; see ``RequestOptions/route(to:in:)``.
    package var route: String?
    /// The transfers that it gets at once, data requests and files each for themselves where they have slots of their own.
    package var transfers: Int

    /// A host from its parts.
    package init(origin: String, route: String? = nil, transfers: Int) {
        (self.origin, self.route) = (origin, route)
        self.transfers = transfers
    }
}
