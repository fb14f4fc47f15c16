/// Delivers notices to one subscriber, which reads them at its own pace.
///
/// Safe from any thread.
package protocol Subscription: AnyObject, Sendable {
    /// Sets the visible rows: their numbers are delivered for each frame, other rows' twice a second.
    func show(_ ids: Set<UInt64>)
    /// Removes and returns what waits; may request rows from the service, so not for the keyboard's thread.
    func take() -> TransferUpdate
    /// Ends the subscription.
    func cancel()
}
