/// A running 64-bit checksum, to compare a received body with the sent one without keeping either.
///
/// It is FNV-1a over little-endian words of eight bytes and then the count; it detects accidents, not attacks.
/// Splitting the bytes differently makes no difference.
public struct BodyChecksum: Sendable, Equatable {
    private var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    private var word: UInt64 = 0
    private var count: UInt64 = 0

    /// Creates the checksum of no bytes.
    public init() {}

    /// Creates the checksum of complete content.
    public init(of content: DeterministicContent) {
        var offset: Int64 = 0
        while offset < content.count {
            let limit = Int(min(Int64(DeterministicContent.period), content.count - offset))
            offset += content.withRun(at: offset, limit: limit) { run in
                update(run)
                return Int64(run.count)
            }
        }
    }

    /// Creates the checksum of some bytes.
    public init(of bytes: [UInt8]) {
        bytes.withUnsafeBytes { update($0) }
    }

    /// The value after the bytes so far.
    public var value: UInt64 {
        Self.step(Self.step(hash, word), count)
    }

    /// Adds bytes at the end.
    public mutating func update(_ bytes: UnsafeRawBufferPointer) {
        var index = 0
        while index < bytes.count, count % 8 != 0 {
            add(bytes[index])
            index += 1
        }
        while index + 8 <= bytes.count {
            hash = Self.step(hash, UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)))
            count &+= 8
            index += 8
        }
        while index < bytes.count {
            add(bytes[index])
            index += 1
        }
    }

    private mutating func add(_ byte: UInt8) {
        word |= UInt64(byte) << ((count % 8) * 8)
        count &+= 1
        if count % 8 == 0 {
            hash = Self.step(hash, word)
            word = 0
        }
    }

    private static func step(_ hash: UInt64, _ word: UInt64) -> UInt64 {
        (hash ^ word) &* 0x0000_0100_0000_01B3
    }
}
