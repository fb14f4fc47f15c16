import SessionSupport

extension Locked {
    /// Sets a part of the value and releases the earlier one after the lock: it may be the last reference to an object
    /// whose deinitializer runs other people's code.
    package func replace<Part>(_ part: WritableKeyPath<Value, Part>, with new: Part) {
        var earlier = new
        withLock { swap(&$0[keyPath: part], &earlier) }
        withExtendedLifetime(earlier) {}
    }
}
