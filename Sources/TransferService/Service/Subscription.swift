/// Delivers notices to one subscriber, which reads them at its own pace.
///
/// Safe from any thread.
package protocol Subscription: AnyObject, Sendable {
    /// Sets the visible rows: their numbers are delivered for each frame, other rows' twice a second.
    func show(_ ids: Set<UInt64>)
    /// Removes and returns what waits; may request rows from the service, so not for the keyboard's thread.
    func take() -> TransferUpdate
    /// Lets a service in another process make its next update.
    ///
    /// It makes none after the one that was taken last until this is called: answers to questions in between are newer
    /// than every update so far, and older than the next one.
    func askForNext()
    /// Ends the subscription.
    func cancel()
}

extension Subscription {
    /// In this process an update is made when it is taken.
    package func askForNext() {}
}
