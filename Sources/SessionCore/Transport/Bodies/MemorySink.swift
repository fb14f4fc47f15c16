/// Collects a body in memory up to a limit.
final class MemorySink: BodySink {
    private let limit: Int
    /// Whether bytes beyond the limit are dropped silently instead of failing the transfer.
    private let truncates: Bool
    private var memory: BodyMemory

    init(limit: Int, truncates: Bool = false, expected: Int64? = nil) {
        self.limit = limit
        self.truncates = truncates
        memory = BodyMemory(expected: expected.map { Int(min($0, Int64(limit))) })
    }

    /// A copy of the collected body.
    var bytes: [UInt8] {
        guard let start = memory.start else { return [] }
        return Array(UnsafeRawBufferPointer(start: start, count: memory.count))
    }

    /// Returns the collected body and empties the sink.
    func takeBody() -> CollectedBody { CollectedBody(&memory) }

    func receive(_ chunk: UnsafeRawBufferPointer) -> SinkResult {
        if memory.count + chunk.count <= limit { return add(chunk) ?? .received }
        guard truncates else {
            return .failed(SessionError(.bodyTooLarge, ResponseErrors.overDataLimit(limit)))
        }
        return add(UnsafeRawBufferPointer(rebasing: chunk[..<(limit - memory.count)])) ?? .enough
    }

    /// Adds bytes; returns the failure if memory is short.
    private func add(_ bytes: UnsafeRawBufferPointer) -> SinkResult? {
        guard !memory.append(bytes) else { return nil }
        return .failed(SessionError(.internal, ResponseErrors.outOfMemory))
    }
}

/// Passes a body on in pieces, one per loop turn, and waits while the receiver is behind.
final class StreamSink: BodySink {
    /// Bytes that the receiver may have unread before the transfer waits.
    private static let window = 1 << 20

    /// Bytes kept from the body's beginning.
    static let openingLength = 1 << 10

    private var pending: [UInt8] = []
    private var unconsumed = 0
    /// The body's first bytes; reveals a response that begins with them instead of its range.
    private(set) var opening: [UInt8] = []
    /// The last delivered bytes, for the response that continues behind them.
    private var taken: [UInt8] = []
    /// The check of the complete body; nil for nearly all bodies.
    var check: DigestCheck?
    /// Whether any bytes were received, so that the transfer can no longer restart unnoticed.
    private(set) var hasDelivered = false

    /// Bytes that the receiver has not consumed.
    var unread: Int { unconsumed + pending.count }

    /// Adds bytes that are already in memory, even without room.
    func add(_ bytes: [UInt8]) {
        if let check { bytes.withUnsafeBytes { check.add($0) } }
        if pending.isEmpty { pending = bytes } else { pending += bytes }
        hasDelivered = true
    }

    /// Whether the next chunk is accepted.
    var hasRoom: Bool { unconsumed + pending.count < Self.window }

    /// Whether the next bytes are worth a delivery of their own: the receiver reads one half of the window while the
    /// other one fills.
    var isHalfFull: Bool { pending.count >= Self.window / 2 || !pending.isEmpty && !hasRoom }

    func receive(_ chunk: UnsafeRawBufferPointer) -> SinkResult {
        guard hasRoom else { return .wait }
        if opening.count < Self.openingLength { opening += chunk.prefix(Self.openingLength - opening.count) }
        check?.add(chunk)
        pending.append(contentsOf: chunk)
        hasDelivered = true
        return .received
    }

    /// Whether the body begins with the given bytes, as far as its beginning is kept.
    func begins(with bytes: UnsafeRawBufferPointer) -> Bool {
        let count = min(bytes.count, opening.count)
        return count > 0 && bytes.prefix(count).elementsEqual(opening.prefix(count))
    }

    /// Whether bytes sent instead of a rest are the body's first ones; with a strong ETag, bytes that a file has in
    /// many positions are not suspected.
    func areFalse(_ bytes: UnsafeRawBufferPointer, isDoubted: Bool) -> Bool {
        let first = UnsafeRawBufferPointer(rebasing: bytes.prefix(Self.openingLength))
        return (isDoubted || FirstBytes.areNotifying(first)) && begins(with: first)
    }

    /// Returns the bytes since the last call; nil for none.
    func takePending() -> [UInt8]? {
        guard !pending.isEmpty else { return nil }
        unconsumed += pending.count
        keepEnd()
        defer { pending = [] }
        return pending
    }

    private func keepEnd() {
        let length = Int(RangeOverlap.join)
        if pending.count >= length { taken.removeAll(keepingCapacity: true) }
        taken.append(contentsOf: pending.suffix(length))
        if taken.count > length { taken.removeFirst(taken.count - length) }
    }

    /// Returns the last received bytes, at most as many as are kept.
    func last(_ count: Int) -> [UInt8] {
        guard pending.count < count else { return Array(pending.suffix(count)) }
        return Array((taken + pending).suffix(count))
    }

    /// Records that the receiver has consumed bytes, and returns whether the sink has room again.
    func consumed(_ count: Int) -> Bool {
        unconsumed = max(0, unconsumed - count)
        return unconsumed < Self.window
    }
}

/// The first bytes of a file, which reveal a script that sends a range's fields and then the file from its start.
enum FirstBytes {
    /// The number of different byte values from which a match elsewhere in a file is hardly chance.
    private static let leastValues = 16

    /// Whether bytes are varied enough to identify their position in a file.
    static func areNotifying(_ bytes: UnsafeRawBufferPointer) -> Bool { Set(bytes).count >= leastValues }
}
