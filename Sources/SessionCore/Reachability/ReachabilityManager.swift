/// Knows whether the network can be reached.
///
/// A session manager only holds one: it never starts it and never asks it before a request. A class because it is shared
/// and watches a socket of its own.
public final class ReachabilityManager: Sendable {
    /// The process's own.
    public static let shared = ReachabilityManager()

    /// A manager of its own, not monitoring.
    public init() {}
}
