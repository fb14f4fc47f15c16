/// Where a session manager stores the bodies of data tasks.
///
/// Storing affects nothing that is delivered.
public protocol ResponseCache: Sendable {
    /// Called on the delegate queue.
    func store(_ response: CachedResponse)
}
