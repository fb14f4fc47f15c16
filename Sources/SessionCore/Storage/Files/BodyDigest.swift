/// Computes digests of a request's body before it is sent.
enum BodyDigest {
    private static let block = 1 << 20

    /// Returns the digests of a range of a body in the order of the algorithms; nil once they are no longer wanted.
    ///
    /// Blocks; belongs on a storage thread. Throws ``SessionError/Code/bodyUnreadable`` for a file that cannot be read
    /// or that changes, and ``SessionError/Code/invalidRequest`` for a body that can be read only once.
    static func of(
        _ range: Range<Int64>, in body: BodySpecification, _ algorithms: [Checksum.Algorithm],
        isWanted: () -> Bool
    ) throws(SessionError) -> [[UInt8]]? {
        switch body {
        case .bytes(let bytes):
            var found: [[UInt8]] = []
            for algorithm in algorithms {
                found.append(try Digest.of(bytes[Int(range.lowerBound)..<Int(range.upperBound)], algorithm))
            }
            return found
        case .file(let path): return try ofFile(path, range, algorithms, isWanted: isWanted)
        case .none, .descriptor, .pieces: throw SessionError(.invalidRequest, BodyErrors.noDigest)
        }
    }

    private static func ofFile(
        _ path: String, _ range: Range<Int64>, _ algorithms: [Checksum.Algorithm], isWanted: () -> Bool
    ) throws(SessionError) -> [[UInt8]]? {
        guard !BodySpecification.isReadOnce(path) else { throw SessionError(.invalidRequest, BodyErrors.noDigest) }
        let file = try BodyFile(path: path)
        var digests: [Digest] = []
        for algorithm in algorithms { digests.append(try Digest(algorithm)) }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: block, alignment: 16)
        defer { buffer.deallocate() }
        var offset = range.lowerBound
        while offset < range.upperBound {
            guard isWanted() else { return nil }
            let room = Int(min(Int64(block), range.upperBound - offset))
            let count = try file.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<room]), at: offset)
            guard count > 0 else { throw SessionError(.bodyUnreadable, BodyErrors.shrank(path)) }
            for digest in digests { try digest.update(UnsafeRawBufferPointer(rebasing: buffer[..<count])) }
            offset += Int64(count)
        }
        var found: [[UInt8]] = []
        for digest in digests { found.append(try digest.finalValue()) }
        return found
    }
}
