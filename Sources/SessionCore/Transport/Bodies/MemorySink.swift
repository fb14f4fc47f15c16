/// Collects a body in memory up to a limit.
final class MemorySink: BodySink {
    private let limit: Int
    /// Whether bytes beyond the limit are dropped quietly instead of failing the transfer.
    private let truncates: Bool
    private var memory: BodyMemory

    init(limit: Int, truncates: Bool = false, expected: Int64? = nil) {
        self.limit = limit
        self.truncates = truncates
        memory = BodyMemory(expected: expected.map { Int(min($0, Int64(limit))) })
    }

    /// Hands over what was collected, after which there is nothing.
    func takeBody() -> CollectedBody { CollectedBody(&memory) }

    func receive(_ chunk: UnsafeRawBufferPointer) -> SinkResult {
        if memory.count + chunk.count <= limit { return add(chunk) ?? .received }
        guard truncates else {
            return .failed(SessionError(.bodyTooLarge, ResponseErrors.overDataLimit(limit)))
        }
        return add(UnsafeRawBufferPointer(rebasing: chunk[..<(limit - memory.count)])) ?? .enough
    }

    /// Adds bytes; returns why that is not possible.
    private func add(_ bytes: UnsafeRawBufferPointer) -> SinkResult? {
        guard !memory.append(bytes) else { return nil }
        return .failed(SessionError(.internal, ResponseErrors.outOfMemory))
    }
}

/// Passes a body on in pieces, one per loop tick, and waits while the receiver is behind.
final class StreamSink: BodySink {
    /// Bytes that may be on their way before the transfer waits.
    private static let window = 1 << 20

    /// Bytes from the body's beginning that are kept.
    static let openingLength = 1 << 10

    private var pending: [UInt8] = []
    private var unconsumed = 0
    /// The body's first bytes, by which an answer is told that begins with them in place of its range's.
    private(set) var opening: [UInt8] = []
    /// The last bytes that were taken, for the answer that goes on behind them.
    private var taken: [UInt8] = []
    /// Whether anything was ever received, so that the transfer can no longer start again unnoticed.
    private(set) var hasDelivered = false

    /// Bytes that the receiver is not done with.
    var unread: Int { unconsumed + pending.count }

    /// Adds bytes that are in memory anyway, whether there is room or not.
    func add(_ bytes: [UInt8]) {
        if pending.isEmpty { pending = bytes } else { pending += bytes }
        hasDelivered = true
    }

    /// Whether the next chunk is received.
    var hasRoom: Bool { unconsumed + pending.count < Self.window }

    func receive(_ chunk: UnsafeRawBufferPointer) -> SinkResult {
        guard hasRoom else { return .wait }
        if opening.count < Self.openingLength { opening += chunk.prefix(Self.openingLength - opening.count) }
        pending.append(contentsOf: chunk)
        hasDelivered = true
        return .received
    }

    /// Whether the body begins with some bytes, as far as its beginning is kept.
    func begins(with bytes: UnsafeRawBufferPointer) -> Bool {
        let count = min(bytes.count, opening.count)
        return count > 0 && bytes.prefix(count).elementsEqual(opening.prefix(count))
    }

    /// Whether bytes that came in place of a rest are the body's first ones; without a strong tag also those that a file has
    /// in many places.
    func areFalse(_ bytes: UnsafeRawBufferPointer, isDoubted: Bool) -> Bool {
        let first = UnsafeRawBufferPointer(rebasing: bytes.prefix(Self.openingLength))
        return (isDoubted || FirstBytes.areNotifying(first)) && begins(with: first)
    }

    /// What came since the last call; nil when nothing did.
    func takePending() -> [UInt8]? {
        guard !pending.isEmpty else { return nil }
        unconsumed += pending.count
        keepEnd()
        defer { pending = [] }
        return pending
    }

    private func keepEnd() {
        let length = Int(RangeOverlap.short)
        if pending.count >= length { taken.removeAll(keepingCapacity: true) }
        taken.append(contentsOf: pending.suffix(length))
        if taken.count > length { taken.removeFirst(taken.count - length) }
    }

    /// The last bytes that were received, at most as many as are kept.
    func last(_ count: Int) -> [UInt8] {
        guard pending.count < count else { return Array(pending.suffix(count)) }
        return Array((taken + pending).suffix(count))
    }

    /// The receiver is done with some bytes.
    ///
    /// Returns whether there is room again.
    func consumed(_ count: Int) -> Bool {
        unconsumed = max(0, unconsumed - count)
        return unconsumed < Self.window
    }
}

/// The first bytes of a file, by which a script is told that sends the fields of a range and then the file from its start.
enum FirstBytes {
    /// Different values among so many bytes that the same ones are hardly found elsewhere in a file by chance.
    private static let leastValues = 16

    /// Whether bytes are so manifold that they tell one place of a file from others.
    static func areNotifying(_ bytes: UnsafeRawBufferPointer) -> Bool { Set(bytes).count >= leastValues }
}
