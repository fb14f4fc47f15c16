/// The source of a request's body.
///
/// Confined to the transfer loop.
protocol BodySource: AnyObject {
    /// The full length in bytes; nil when it is known only at the end.
    var length: Int64? { get }
    /// Whether the body can be sent again from its beginning.
    var canRewind: Bool { get }
    /// Fills the buffer with the bytes available. Never blocks for long.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> BodyRead
    /// Moves to an offset; returns false when that is impossible.
    func seek(to offset: Int64) -> Bool
}

/// The result of reading a body.
enum BodyRead: Sendable, Equatable {
    case bytes(Int)
    case end
    /// The source has no bytes yet; it wakes the loop when it has.
    case wait
    case failed(SessionError)
}
