/// A body held in memory.
final class BytesBodySource: BodySource {
    private let bytes: [UInt8]
    private var offset = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    var length: Int64? { Int64(bytes.count) }
    var canRewind: Bool { true }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> BodyRead {
        let count = min(buffer.count, bytes.count - offset)
        guard count > 0 else { return .end }
        bytes.withUnsafeBytes { buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[offset..<offset + count])) }
        offset += count
        return .bytes(count)
    }

    func seek(to offset: Int64) -> Bool {
        guard offset >= 0, offset <= Int64(bytes.count) else { return false }
        self.offset = Int(offset)
        return true
    }
}
