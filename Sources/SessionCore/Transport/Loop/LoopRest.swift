import SessionSupport

/// Decides when the loop has been idle long enough to give memory back.
///
/// An allocator may keep memory that one thread allocated and another freed until the first one allocates more: a busy
/// loop allocates a buffer for each download, which a storage thread frees. After 200 downloads of 3 MB that is 37 to
/// 63 MiB.
struct LoopRest: Sendable {
    /// The milliseconds without a running transfer after which the loop is idle; a caller that makes one request after
    /// another does not pay for each.
    static let delay: Int64 = 1_000

    /// Whether a transfer has run since the last time memory was given back.
    private var hasWorked = false
    /// The moment at which the loop counts as idle; nil while a transfer runs, and afterwards.
    private(set) var deadline: Int64?

    /// Returns whether memory has to be given back now.
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

/// The hook by which a program with its own allocator gives memory back; one per process.
package enum ThreadMemory {
    private static let returning = Locked<(@Sendable () -> Void)?>(nil)

    /// Sets a function that each transfer loop's thread calls when it has been idle for a second.
    package static func onRest(_ giveBack: @escaping @Sendable () -> Void) { returning.withLock { $0 = giveBack } }

    /// Gives back the memory that the allocator keeps for the calling thread.
    static func giveBack() { returning.withLock { $0 }?() }
}
