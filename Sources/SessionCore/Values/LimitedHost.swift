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
