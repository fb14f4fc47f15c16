import SessionSupport

/// When the loop has had nothing to do for a while, and what it gives back then.
///
/// An allocator may keep what one thread has made and another one freed until the first one asks for more: at work the
/// loop makes a buffer for each download, which a storage thread frees.
struct LoopRest: Sendable {
    /// The milliseconds without a running transfer after which the loop rests.
    ///
    /// Whoever asks one thing after another does not pay for it each time.
    static let delay: Int64 = 1_000

    /// Whether something has run since the last rest.
    private var hasWorked = false
    /// The moment at which the loop rests; nil while something runs, and afterwards.
    private(set) var deadline: Int64?

    /// Returns whether it is time to rest.
    mutating func isDue(running: Int, now: Int64) -> Bool {
        guard running == 0 else {
            (hasWorked, deadline) = (true, nil)
            return false
        }
        guard hasWorked else { return false }
        guard let due = deadline else {
            deadline = now + Self.delay
            return false
        }
        guard due <= now else { return false }
        (hasWorked, deadline) = (false, nil)
        return true
    }
}

/// What a program that brings its own allocator tells the library; a process has one.
package enum ThreadMemory {
    private static let returning = Locked<(@Sendable () -> Void)?>(nil)

    /// Has something called on each transfer loop's thread when it has had nothing to do for a second.
    package static func onRest(_ giveBack: @escaping @Sendable () -> Void) { returning.withLock { $0 = giveBack } }

    /// Gives back what the allocator keeps for the calling thread.
    static func giveBack() { returning.withLock { $0 }?() }
}
