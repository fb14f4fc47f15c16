import Glibc
import TransferService

/// Collects lines and writes them to a descriptor in few calls.
///
/// Ten thousand transfers make forty thousand lines; one write for each would cost more than the transfers. The owner
/// calls ``flushIfDue(at:)`` once per turn of its loop and ``flush()`` at the end. After a failed write, as when the
/// reader of a pipe is gone, the writer drops further lines and keeps the errno in ``failure``.
struct LineWriter: Sendable {
    /// The milliseconds that a line may wait.
    static let delay: Int64 = 100
    private static let capacity = 64 << 10

    private let descriptor: Int32
    private var buffer: [UInt8] = []
    private var oldest: Int64?
    /// The lines after each hold, in order.
    private var buffered: [BufferedLines] = []
    /// The errno of the failed write; nil without one.
    private(set) var failure: Int32?

    init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// The moment, in milliseconds of the monotonic clock, by which the collected lines must be written.
    var deadline: Int64? { oldest.map { $0 + Self.delay } }

    /// Adds a line with its line break.
    mutating func append(_ line: [UInt8], at time: Int64) {
        guard failure == nil else { return }
        if !buffered.isEmpty { return buffered[buffered.count - 1].append(line, at: time) }
        buffer += line
        if oldest == nil { oldest = time }
        if buffer.count >= Self.capacity { write() }
    }

    /// Holds back later lines until this number is released.
    mutating func hold(_ number: Int) { buffered.append(BufferedLines(number: number)) }

    /// Ends a hold; lines without another hold are written in their time, or at once if a flush was requested.
    mutating func release(_ number: Int) {
        guard let index = buffered.firstIndex(where: { $0.number == number }) else { return }
        buffered[index].isReleased = true
        var isUrgent = false
        while let first = buffered.first, first.isReleased {
            buffered.removeFirst()
            buffer += first.lines
            oldest = oldest ?? first.oldest
            isUrgent = isUrgent || first.isUrgent
        }
        if isUrgent || buffer.count >= Self.capacity { write() }
    }

    /// Writes when the oldest line has waited long enough.
    mutating func flushIfDue(at time: Int64) {
        if let deadline, time >= deadline { write() }
    }

    /// Writes everything now, waiting for a slow reader; lines after a hold follow at its release.
    mutating func flush() {
        for index in buffered.indices { buffered[index].isUrgent = true }
        write()
    }

    /// Writes everything now, including lines after a hold.
    mutating func close() {
        for lines in buffered { release(lines.number) }
        write()
    }

    private mutating func write() {
        defer {
            buffer.removeAll(keepingCapacity: true)
            oldest = nil
        }
        guard failure == nil, !buffer.isEmpty, !Descriptor.writeAll(buffer, to: descriptor) else { return }
        failure = errno
    }
}

/// The lines after a hold.
private struct BufferedLines: Sendable {
    let number: Int
    private(set) var lines: [UInt8] = []
    private(set) var oldest: Int64?
    var isReleased = false
    /// Whether a flush was requested.
    var isUrgent = false

    init(number: Int) {
        self.number = number
    }

    mutating func append(_ line: [UInt8], at time: Int64) {
        lines += line
        if oldest == nil { oldest = time }
    }
}
