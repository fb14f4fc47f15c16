import Synchronization

/// A number that is unique to one transfer for the lifetime of the process, and in a persistent session for as long as
/// the transfer is stored.
///
/// Opening a persistent session moves the counter past every stored number, so open it before tasks are created
/// elsewhere: a stored number that is drawn earlier would name two transfers of two sessions.
///
/// Unlike `NSURLSessionTask.taskIdentifier` it is unique across sessions, so that replacing a session can never make
/// two tasks share an identifier.
///
/// ```swift
/// let id = task.id
/// print(manager.task(for: id)?.kind ?? .data)
/// ```
public struct TransferID: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The number itself; it starts at 1 and grows by one with every transfer.
    public let rawValue: UInt64

    private static let counter = Atomic<UInt64>(0)

    /// A known transfer, for example one read back from a log.
    package init(rawValue: UInt64) {
        self.rawValue = rawValue
    }

    /// Spreads the numbers over a hash table.
    ///
    /// An attacker cannot choose them to collide; the standard hash, which guards against that, costs more than the
    /// rest of a look-up. Unhashed neighbours would form one long run, which a table walks through for each removal.
    public func _rawHashValue(seed: Int) -> Int {
        let product = rawValue &* 0x9E37_79B9_7F4A_7C15
        return Int(truncatingIfNeeded: product ^ (product >> 32)) ^ seed
    }

    /// Draws the next number; safe from any thread.
    package static func next() -> TransferID {
        TransferID(rawValue: counter.wrappingAdd(1, ordering: .relaxed).newValue)
    }

    /// Ensures that no number up to this one is drawn any more.
    package static func skip(to number: UInt64) {
        var current = counter.load(ordering: .relaxed)
        while current < number {
            let (exchanged, original) = counter.compareExchange(
                expected: current, desired: number, ordering: .relaxed)
            if exchanged { return }
            current = original
        }
    }

    /// The number in decimal.
    public var description: String { String(rawValue) }

    /// Returns whether the left transfer was made earlier.
    public static func < (left: TransferID, right: TransferID) -> Bool { left.rawValue < right.rawValue }
}

/// The three kinds of task.
///
/// ```swift
/// print(manager.tasks.filter { $0.kind == .download }.count)
/// ```
public enum TransferKind: String, Sendable, CaseIterable, Codable {
    /// A request whose response body stays in memory or is streamed to the caller.
    case data
    /// A request with a body, whose response stays in memory.
    case upload
    /// A request whose response body becomes a file.
    case download
}
