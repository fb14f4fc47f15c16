/// Where a response's body goes.
///
/// Confined to the transfer loop; called once per chunk of at most 16 KiB.
protocol BodySink: AnyObject {
    /// Receives all of the bytes, or none of them when it answers ``SinkResult/wait``.
    func receive(_ bytes: UnsafeRawBufferPointer) -> SinkResult
}

/// What a sink did with a chunk.
enum SinkResult: Sendable, Equatable {
    case received
    /// The sink has no room now; the same bytes are offered again once the transfer is released.
    case wait
    /// The sink has all it wants; the rest of the body is not wanted.
    case enough
    /// What the part holds and what the server sends do not agree.
    case differs
    /// The answer brings more than the range that it names, so it is not that range.
    case overran
    case failed(SessionError)
}
