import Glibc

/// Bytes that depend only on a seed and an offset.
///
/// A body of any size needs no memory, a test can check the bytes at any offset, and two seeds differ almost
/// everywhere. The bytes are a fixed random block of prime length with another start in every period, so that data
/// joined at a wrong offset never matches by accident.
public struct DeterministicContent: Sendable, Equatable {
    /// The longest run that ``withRun(at:limit:_:)`` can lend.
    public static let period = 262_139

    /// The seed of the bytes.
    public let seed: UInt64
    /// The number of bytes.
    public let count: Int64

    private let shift: Int
    private let stride: Int

    private static let block: [UInt8] = {
        var state: UInt64 = 0x6E65_7464_6173_6801
        var bytes = [UInt8](repeating: 0, count: period)
        bytes.withUnsafeMutableBytes { buffer in
            for offset in Swift.stride(from: 0, to: period, by: 8) {
                var word = mixed(&state)
                withUnsafeBytes(of: &word) { source in
                    let length = min(8, period - offset)
                    UnsafeMutableRawBufferPointer(rebasing: buffer[offset..<offset + length])
                        .copyMemory(from: UnsafeRawBufferPointer(rebasing: source[0..<length]))
                }
            }
        }
        return bytes
    }()

    /// Creates content of `count` bytes; a negative count becomes 0.
    public init(seed: UInt64, count: Int64) {
        self.seed = seed
        self.count = max(0, count)
        var state = seed
        shift = Int(Self.mixed(&state) % UInt64(Self.period))
        stride = 1 + Int(Self.mixed(&state) % UInt64(Self.period - 1))
    }

    /// The byte at an offset.
    ///
    /// Offsets are at least 0; beyond ``count`` the content continues.
    public func byte(at offset: Int64) -> UInt8 {
        Self.block[position(of: offset).start]
    }

    /// Fills a buffer with the bytes that begin at an offset.
    public func fill(_ buffer: UnsafeMutableRawBufferPointer, offset: Int64) {
        var filled = 0
        while filled < buffer.count {
            filled += withRun(at: offset + Int64(filled), limit: buffer.count - filled) { run in
                UnsafeMutableRawBufferPointer(rebasing: buffer[filled..<filled + run.count]).copyMemory(from: run)
                return run.count
            }
        }
    }

    /// The bytes of a range as an array; the range may exceed ``count``.
    public func bytes(in range: Range<Int64>) -> [UInt8] {
        let length = Int(range.count)
        return [UInt8](unsafeUninitializedCapacity: length) { buffer, initialized in
            fill(
                UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[..<length]),
                offset: range.lowerBound)
            initialized = length
        }
    }

    /// Every byte, in memory.
    public var bytes: [UInt8] { bytes(in: 0..<count) }

    /// Returns whether some bytes match the content at an offset.
    public func matches(_ bytes: UnsafeRawBufferPointer, offset: Int64) -> Bool {
        var compared = 0
        while compared < bytes.count {
            let length = withRun(at: offset + Int64(compared), limit: bytes.count - compared) { run in
                Self.same(run, UnsafeRawBufferPointer(rebasing: bytes[compared..<compared + run.count])) ? run.count : 0
            }
            if length == 0 { return false }
            compared += length
        }
        return true
    }

    /// Lends at most `limit` bytes that begin at an offset, without copying.
    ///
    /// At least one byte if `limit` is.
    public func withRun<Result>(
        at offset: Int64, limit: Int, _ body: (UnsafeRawBufferPointer) throws -> Result
    ) rethrows -> Result {
        let position = position(of: offset)
        let length = max(0, min(limit, position.length))
        return try Self.block.withUnsafeBytes { block in
            try body(UnsafeRawBufferPointer(rebasing: block[position.start..<position.start + length]))
        }
    }

    private static func same(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
        guard let leftStart = left.baseAddress, let rightStart = right.baseAddress else { return left.isEmpty }
        return memcmp(leftStart, rightStart, left.count) == 0
    }

    private func position(of offset: Int64) -> (start: Int, length: Int) {
        let period = Int64(Self.period)
        let inside = Int(offset % period)
        let start = Int((offset / period % period * Int64(stride) + Int64(shift) + Int64(inside)) % period)
        return (start, min(Self.period - inside, Self.period - start))
    }

    /// SplitMix64: a well mixed word for each step of the state.
    private static func mixed(_ state: inout UInt64) -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }
}
