/// How the end of a response body is told.
public enum Framing: Sendable, Equatable {
    /// A Content-Length with the true number.
    case contentLength
    /// One Content-Length line for each text, whatever it says: too large, too small, two that differ, no number.
    case declaredLength([String])
    /// Chunks of so many bytes, the last one shorter.
    case chunked(Int)
    /// No length; the end of the connection is the end of the body.
    case untilClose
    /// No length, and the connection stays: for answers that have no body.
    case unframed

    /// Chunks of a common size.
    public static let chunked = Framing.chunked(16_384)
}
