import Foundation

/// A value that several threads reach, one at a time.
///
/// Decide inside ``withLock(_:)`` and act after it: no callback belongs inside.
final class Guarded<Value: ~Copyable>: Sendable {
    private let lock = NSLock()
    /// Guarded by `lock`.
    nonisolated(unsafe) private var value: Value

    init(_ value: consuming sending Value) {
        self.value = value
    }

    /// Runs `body` with the value while no other thread can reach it.
    func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
