/// A host that nobody asks at the moment, and why.
///
/// When a host refuses connections, is silent, asks to be left alone or cannot be reached, one transfer after the other
/// tries, and the rest wait until one of them was answered.
public struct HeldHost: Sendable, Equatable {
    /// What is wrong with a host, for everybody who wants something of it.
    public enum Reason: String, Sendable, CaseIterable {
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
    public var origin: String
    /// What is wrong with it.
    public var reason: Reason
    /// The kind of the failure that showed it.
    public var cause: SessionError.Code
    /// The status that it answered, where it is busy.
    public var statusCode: Int?
    /// Milliseconds of the monotonic clock at which one transfer asks it again; nil while one does.
    public var askedAgainAt: Int64?

    /// A host from its parts.
    public init(
        origin: String, reason: Reason, cause: SessionError.Code, statusCode: Int? = nil, askedAgainAt: Int64? = nil
    ) {
        self.origin = origin
        self.reason = reason
        self.cause = cause
        self.statusCode = statusCode
        self.askedAgainAt = askedAgainAt
    }
}

/// A host that gets fewer transfers at once than the limits allow, because it has refused more.
///
/// A refusal is an answer with status 429 or 503, or a connection that was cut before anything was answered. It halves the
/// number of transfers that run at once; each round of answers gives one more, and so do five seconds without a refusal.
public struct LimitedHost: Sendable, Equatable {
    /// Scheme, host and port.
    public var origin: String
    /// The transfers that it gets at once, data requests and files each for themselves where they have slots of their own.
    public var transfers: Int

    /// A host from its parts.
    public init(origin: String, transfers: Int) {
        self.origin = origin
        self.transfers = transfers
    }
}
