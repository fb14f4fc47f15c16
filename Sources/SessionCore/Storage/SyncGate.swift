/// Decides whether the next group may sync a whole file system, from how long the last one took.
///
/// A value without a clock. Such a sync waits for everything that other programs have written as well; where that is much,
/// file by file may be faster. The gate then stays shut for as long as the slow group took, so that at worst half of the
/// time goes into waiting for others, and a single slow sync does not end the grouping.
struct SyncGate: Sendable {
    /// A group that takes longer, in milliseconds, waited for others.
    static let patience: Int64 = 250

    private var shutUntil: [UInt64: Int64] = [:]

    /// Whether a group of a device may be synced as a whole; times are milliseconds of the monotonic clock.
    func isOpen(for device: UInt64, at now: Int64) -> Bool { (shutUntil[device] ?? now) <= now }

    /// Takes note of how long finishing a group took.
    mutating func note(device: UInt64, began: Int64, ended: Int64) {
        let duration = ended - began
        shutUntil[device] = duration > Self.patience ? ended + duration : nil
    }
}
