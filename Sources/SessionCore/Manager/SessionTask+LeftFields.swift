import SessionSupport

extension SessionTask {
    /// The fields of the task's request that its current server does not get, because a redirect or a mirror made it
    /// another one; nil without such fields.
    package var leftFields: LeftFields? {
        let (current, hasLeftOrigin) = mutable.withLock { ($0.currentRequest, $0.hasLeftOrigin) }
        return current.flatMap { RedirectPolicy.leftFields(of: request, in: $0, hasLeftOrigin: hasLeftOrigin) }
    }
}
