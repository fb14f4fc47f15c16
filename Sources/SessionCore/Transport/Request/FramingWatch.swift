/// Detects that a peer sends far more around a body than the body is: extensions of chunks, which libcurl passes over
/// without a limit.
struct FramingWatch: Sendable, Equatable {
    /// The bytes beside the body and its fields that are always allowed, more than a kernel holds unread.
    private static let free: Int64 = 64 << 20
    /// How many times the body's bytes the others may be; a secure connection may need twenty for one.
    private static let ratio: Int64 = 100

    /// What had arrived on the connection before the attempt's own bytes.
    private var base: Int64?

    init() {}

    /// Judges the bytes that have arrived on the connection by what was delivered of them.
    mutating func isExcessive(arrived: Int64, delivered: Int64) -> Bool {
        let start = base ?? (arrived - delivered)
        base = start
        let beside = arrived - start - delivered
        return beside > Self.free && beside / Self.ratio > delivered
    }
}
