/// The bytes of a request's body.
extension BodySpecification {
    /// Opens the body for an attempt; nil without one.
    ///
    /// - Parameters:
    ///   - piped: the body that another thread writes, if one does.
    ///   - wake: reports from any thread that the body has bytes again.
    func source(
        for method: String, piped: PipedBody?, wake: @autoclosure () -> @Sendable () -> Void
    ) throws(SessionError) -> (any BodySource)? {
        switch self {
        case .none:
            // A server may wait for the body of these methods until it learns that none follows (RFC 9110, 8.6).
            return ["POST", "PUT", "PATCH"].contains(method) ? BytesBodySource([]) : nil
        case .bytes(let bytes): return BytesBodySource(bytes)
        case .file(let path): return try FileBodySource.source(path: path, wake: wake())
        case .pieces(let pieces): return try PiecesBodySource(pieces, wake: wake())
        case .descriptor(let descriptor):
            return try DescriptorBodySource(
                descriptor: descriptor, piped: piped?.descriptor == descriptor ? piped : nil, wake: wake())
        }
    }
}
