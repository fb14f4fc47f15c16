/// Where a response's body goes.
///
/// Confined to the transfer loop; called once per chunk of at most 16 KiB.
protocol BodySink: AnyObject {
    /// Takes all of the bytes, or none of them when it answers ``SinkResult/wait``.
    func take(_ bytes: UnsafeRawBufferPointer) -> SinkResult
}

/// What a sink did with a chunk.
enum SinkResult: Sendable, Equatable {
    case taken
    /// No room now; the same bytes are offered again once the transfer is released.
    case wait
    /// Everything that was wanted is there; the rest of the body is not wanted.
    case enough
    /// What the part holds and what the server sends do not agree.
    case differs
    /// Indirect because it is large and every chunk has an answer.
    indirect case failed(SessionError)
}
