/// Passes a body on in pieces, one per loop tick, and waits while the receiver is behind.
final class StreamSink: BodySink {
    /// Bytes that may be on their way before the transfer waits.
    private static let window = 1 << 20

    private var pending: [UInt8] = []
    private var unconsumed = 0
    /// Whether anything was ever taken, so that the transfer can no longer start again unnoticed.
    private(set) var hasDelivered = false

    /// Whether the next chunk is taken.
    var hasRoom: Bool { unconsumed + pending.count < Self.window }

    func take(_ chunk: UnsafeRawBufferPointer) -> SinkResult {
        guard hasRoom else { return .wait }
        pending.append(contentsOf: chunk)
        hasDelivered = true
        return .taken
    }

    /// What came since the last call; nil when nothing did.
    func takePending() -> [UInt8]? {
        guard !pending.isEmpty else { return nil }
        unconsumed += pending.count
        defer { pending = [] }
        return pending
    }

    /// The receiver is done with some bytes.
    ///
    /// Returns whether there is room again.
    func consumed(_ count: Int) -> Bool {
        unconsumed = max(0, unconsumed - count)
        return unconsumed < Self.window
    }
}
