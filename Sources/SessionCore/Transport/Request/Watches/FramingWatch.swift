/// Detects that a peer sends far more bytes around a body than in it, as with chunk extensions, which libcurl skips
/// without a limit.
struct FramingWatch: Sendable, Equatable {
    /// The bytes outside body and fields that are always allowed, more than a kernel buffers.
    private static let free: Int64 = 64 << 20
    /// The allowed ratio of other bytes to body bytes; an encrypted connection may need twenty for one.
    private static let ratio: Int64 = 100

    /// The bytes that had arrived on the connection before the attempt's own.
    private var base: Int64?

    init() {}

    /// Compares the bytes that have arrived on the connection with the ones that were delivered.
    mutating func isExcessive(arrived: Int64, delivered: Int64) -> Bool {
        let start = base ?? (arrived - delivered)
        base = start
        let beside = arrived - start - delivered
        return beside > Self.free && beside / Self.ratio > delivered
    }
}
