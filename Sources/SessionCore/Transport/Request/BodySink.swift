/// The destination of a response's body.
///
/// Confined to the transfer loop; called once per chunk of at most 16 KiB.
protocol BodySink: AnyObject {
    /// Takes all of the bytes, or none of them when it returns ``SinkResult/wait``.
    func receive(_ bytes: UnsafeRawBufferPointer) -> SinkResult
}

/// The result of giving a chunk to a sink.
enum SinkResult: Sendable, Equatable {
    case received
    /// The sink has no room now; the same bytes are offered again once the transfer is released.
    case wait
    /// The sink needs nothing more of the body.
    case enough
    /// The bytes of the partial file and the server's differ.
    case differs
    /// The response has more bytes than the range it names, so it is not that range.
    case overran
    case failed(SessionError)
}
