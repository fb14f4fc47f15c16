import CCurl
import CLinux

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

extension Attempt {
    /// Ends an attempt whose peer sends next to nothing but framing; false for nearly all.
    ///
    /// A connection of HTTP/2 carries other streams too, and frames have a length that libcurl checks.
    func endsForFraming() -> Bool {
        var received = cl_receiving()
        guard !hasStream, let socket, cl_receiving_figures(socket, &received) == 0 else { return false }
        let raw = handle.raw
        let body = cc_get_offset(raw, CURLINFO_SIZE_DOWNLOAD_T)
        let delivered = body + Int64(cc_get_long(raw, CURLINFO_HEADER_SIZE))
        guard watches.framing.isExcessive(arrived: received.received, delivered: delivered) else { return false }
        fail(
            SessionError(
                .badResponse, "\(transfer.hostName) sent more than 64 MiB around \(body) bytes of body",
                failingURL: transfer.request.url))
        transfer.core.recordEnd(of: self, result: CURLE_RECV_ERROR)
        return true
    }
}
