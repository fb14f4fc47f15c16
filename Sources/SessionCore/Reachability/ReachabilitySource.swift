/// Where a reachability manager learns what the network is like.
public protocol ReachabilitySource: Sendable {
    /// What leads to the network now. Must not wait for an answer from the network.
    func currentLink() -> NetworkLink
    /// Begins to call back, from any thread, whenever ``currentLink()`` may have changed; one call too many does no
    /// harm. The watch ends when what is returned is let go. Nil when the system does not tell.
    func watch(_ mayHaveChanged: @escaping @Sendable () -> Void) -> (any Sendable)?
}
