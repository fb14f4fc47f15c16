/// The source of a response body's bytes.
///
/// No form needs more memory than it was given.
public indirect enum ServedBody: Sendable {
    /// No bytes.
    case empty
    /// Bytes in memory.
    case bytes([UInt8])
    /// The UTF-8 bytes of a text.
    case text(String)
    /// Content that depends on a seed.
    case content(DeterministicContent)
    /// A range of another body, clamped to it.
    case slice(ServedBody, Range<Int64>)
    /// Bodies in sequence.
    case joined([ServedBody])
    /// A repeated piece.
    case repeated([UInt8], times: Int64)

    /// Content of a seed and a size.
    public static func generated(seed: UInt64, count: Int64) -> ServedBody {
        .content(DeterministicContent(seed: seed, count: count))
    }

    /// The number of bytes.
    public var count: Int64 {
        switch self {
        case .empty: 0
        case .bytes(let bytes): Int64(bytes.count)
        case .text(let text): Int64(text.utf8.count)
        case .content(let content): content.count
        case .slice(let body, let range): Int64(range.clamped(to: 0..<body.count).count)
        case .joined(let bodies): bodies.reduce(0) { $0 + $1.count }
        case .repeated(let piece, let times): Self.product(Int64(piece.count), max(0, times))
        }
    }

    /// Lends at most `limit` bytes that begin at an offset; none at the end, else at least one.
    func withRun<Result>(
        at offset: Int64, limit: Int, _ body: (UnsafeRawBufferPointer) throws -> Result
    ) rethrows -> Result {
        let limit = Int(max(0, min(Int64(limit), count - offset)))
        switch self {
        case .empty:
            return try body(UnsafeRawBufferPointer(start: nil, count: 0))
        case .bytes(let bytes):
            return try Self.lend(bytes, from: Int(offset), limit: limit, body)
        case .text(let text):
            return try Self.lend(Array(text.utf8), from: Int(offset), limit: limit, body)
        case .content(let content):
            return try content.withRun(at: offset, limit: limit, body)
        case .slice(let full, let range):
            let start = range.clamped(to: 0..<full.count).lowerBound
            return try full.withRun(at: start + offset, limit: limit, body)
        case .joined(let bodies):
            var start: Int64 = 0
            for part in bodies {
                let length = part.count
                if offset < start + length { return try part.withRun(at: offset - start, limit: limit, body) }
                start += length
            }
            return try body(UnsafeRawBufferPointer(start: nil, count: 0))
        case .repeated(let piece, _):
            guard limit > 0 else { return try body(UnsafeRawBufferPointer(start: nil, count: 0)) }
            return try Self.lend(piece, from: Int(offset % Int64(piece.count)), limit: limit, body)
        }
    }

    /// The product, or the largest number on overflow.
    private static func product(_ left: Int64, _ right: Int64) -> Int64 {
        let (result, overflow) = left.multipliedReportingOverflow(by: right)
        return overflow ? .max : result
    }

    private static func lend<Result>(
        _ bytes: [UInt8], from start: Int, limit: Int, _ body: (UnsafeRawBufferPointer) throws -> Result
    ) rethrows -> Result {
        try bytes.withUnsafeBytes { buffer in
            let first = min(max(0, start), buffer.count)
            let end = min(buffer.count, first + limit)
            return try body(UnsafeRawBufferPointer(rebasing: buffer[first..<end]))
        }
    }
}
