/// Collects a body in memory up to a limit.
final class MemorySink: BodySink {
    private let limit: Int
    /// Whether bytes beyond the limit are dropped quietly instead of failing the transfer.
    private let truncates: Bool
    private(set) var bytes: [UInt8] = []

    init(limit: Int, truncates: Bool = false, expected: Int64? = nil) {
        self.limit = limit
        self.truncates = truncates
        if let expected { bytes.reserveCapacity(Int(min(expected, Int64(limit), 1 << 20))) }
    }

    func take(_ chunk: UnsafeRawBufferPointer) -> SinkResult {
        if bytes.count + chunk.count <= limit {
            bytes.append(contentsOf: chunk)
            return .taken
        }
        guard truncates else {
            return .failed(
                SessionError(
                    .bodyTooLarge,
                    "The response is larger than the \(limit) bytes a data task may hold; download it instead"))
        }
        bytes.append(contentsOf: chunk.prefix(limit - bytes.count))
        return .enough
    }
}
