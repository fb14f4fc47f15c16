import Glibc

/// Collects lines and hands them to a descriptor in few writes.
///
/// Ten thousand transfers make forty thousand lines; one write for each would cost more than the transfers. Whoever
/// owns the writer calls ``flushIfDue(at:)`` once per turn of its loop and ``flush()`` at the end. After a write that
/// failed, as when the reader of a pipe has gone, the writer falls silent and says why in ``failure``.
struct LineWriter: Sendable {
    /// The milliseconds that a line may wait.
    static let delay: Int64 = 100
    private static let capacity = 64 << 10

    private let descriptor: Int32
    private var buffer: [UInt8] = []
    private var oldest: Int64?
    /// The error number of the write that failed; nil as long as all went well.
    private(set) var failure: Int32?

    init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// The moment, in milliseconds of the monotonic clock, by which the collected lines must be written.
    var deadline: Int64? { oldest.map { $0 + Self.delay } }

    /// Adds a line that carries its own line break.
    mutating func append(_ line: [UInt8], at time: Int64) {
        guard failure == nil else { return }
        buffer += line
        if oldest == nil { oldest = time }
        if buffer.count >= Self.capacity { flush() }
    }

    /// Writes when the oldest line has waited long enough.
    mutating func flushIfDue(at time: Int64) {
        if let deadline, time >= deadline { flush() }
    }

    /// Writes everything now, waiting for a slow reader.
    mutating func flush() {
        defer {
            buffer.removeAll(keepingCapacity: true)
            oldest = nil
        }
        guard failure == nil, !buffer.isEmpty, !Descriptor.writeAll(buffer, to: descriptor) else { return }
        failure = errno
    }
}
