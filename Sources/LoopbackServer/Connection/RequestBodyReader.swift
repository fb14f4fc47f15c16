import SessionSupport

/// Reads one request body without its framing.
///
/// Confined to the connection's thread.
struct RequestBodyReader {
    private enum State {
        case inside(Int64)
        case beforeChunk
        case afterChunk
        case done
    }

    private static let lineLimit = 4_096
    private static let trailerLimit = 100

    private let reader: SocketReader
    private let isChunked: Bool
    private var state: State

    init(_ framing: RequestFraming, reader: SocketReader) {
        self.reader = reader
        switch framing {
        case .none:
            isChunked = false
            state = .done
        case .length(let length):
            isChunked = false
            state = .inside(length)
        case .chunked:
            isChunked = true
            state = .beforeChunk
        }
    }

    /// Lends at most `limit` bytes and returns their number; 0 at the end of the body.
    mutating func read(limit: Int, _ body: (UnsafeRawBufferPointer) -> Void) throws(ConnectionEnd) -> Int {
        while true {
            switch state {
            case .done:
                return 0
            case .beforeChunk:
                let size = try chunkSize()
                if size == 0 { try skipTrailers() }
                state = size == 0 ? .done : .inside(size)
            case .afterChunk:
                guard try reader.readLine(limit: Self.lineLimit).isEmpty else {
                    throw .refused(status: 400, reason: "a chunk longer than its size")
                }
                state = .beforeChunk
            case .inside(let remaining):
                let count = try reader.read(limit: Int(min(Int64(limit), remaining)), body)
                let left = remaining - Int64(count)
                state = left > 0 ? .inside(left) : isChunked ? .afterChunk : .done
                return count
            }
        }
    }

    private func chunkSize() throws(ConnectionEnd) -> Int64 {
        let line = try reader.readLine(limit: Self.lineLimit)
        let digits = ByteText.trimmed(String(decoding: line.prefix { $0 != UInt8(ascii: ";") }, as: UTF8.self))
        guard !digits.isEmpty, digits.utf8.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") }),
            let size = Int64(digits, radix: 16)
        else { throw .refused(status: 400, reason: "not a chunk size") }
        return size
    }

    private func skipTrailers() throws(ConnectionEnd) {
        for _ in 0..<Self.trailerLimit where try reader.readLine(limit: Self.lineLimit).isEmpty { return }
        throw .refused(status: 400, reason: "too many trailers")
    }
}
