import Synchronization

/// A number that names one transfer for as long as the process lives, and in a persistent session for as long as the
/// transfer is stored.
///
/// Opening a persistent session moves the counter past every number stored there, so open it before tasks are created
/// elsewhere: a stored number that is drawn earlier would name two transfers of two sessions.
///
/// Unlike `NSURLSessionTask.taskIdentifier` it is unique across sessions, so that replacing a session can never make
/// two tasks share an identifier.
public struct TransferID: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The number itself; it starts at 1 and grows by one with every transfer.
    public let rawValue: UInt64

    private static let counter = Atomic<UInt64>(0)

    /// Names a known transfer, for example one read back from a log.
    public init(rawValue: UInt64) {
        self.rawValue = rawValue
    }

    /// Draws the next number.
    ///
    /// Safe from any thread.
    public static func next() -> TransferID {
        TransferID(rawValue: counter.wrappingAdd(1, ordering: .relaxed).newValue)
    }

    /// Makes sure that no number up to this one is drawn any more.
    static func skip(to number: UInt64) {
        var current = counter.load(ordering: .relaxed)
        while current < number {
            let (exchanged, original) = counter.compareExchange(
                expected: current, desired: number, ordering: .relaxed)
            if exchanged { return }
            current = original
        }
    }

    /// Multiplies the number by an odd one.
    ///
    /// That is enough: numbers are drawn in order, so nobody can choose them to collide, and a session looks one up at
    /// every event. Those that follow each other get places that lie apart, so that taking one out of a table does not
    /// move a long row of others.
    public func _rawHashValue(seed: Int) -> Int {
        seed ^ Int(truncatingIfNeeded: (rawValue ^ rawValue >> 16) &* 0x9E37_79B9_7F4A_7C15)
    }

    /// The number in decimal.
    public var description: String { String(rawValue) }

    /// Whether the left one was made earlier.
    public static func < (left: TransferID, right: TransferID) -> Bool { left.rawValue < right.rawValue }
}
