/// Makes bodies in the gzip format (RFC 1952) without a compressor, enough to test decoders.
public enum GzipForm {
    private static let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]
    private static let storedLimit = 65_535

    /// The bytes in stored blocks, with the right checksum and length.
    public static func stored(_ bytes: [UInt8]) -> [UInt8] {
        var result = header
        var start = 0
        repeat {
            let length = min(storedLimit, bytes.count - start)
            result.append(start + length == bytes.count ? 1 : 0)
            result += littleEndian(UInt16(length)) + littleEndian(~UInt16(length))
            result += bytes[start..<start + length]
            start += length
        } while start < bytes.count
        return result + littleEndian(checksum(bytes)) + littleEndian(UInt32(truncatingIfNeeded: bytes.count))
    }

    /// A body that expands to at least `count` zeros, about 159 times its own size.
    ///
    /// Its checksum is wrong, because no test reads it to its end.
    public static func bomb(swellingTo count: Int64) -> ServedBody {
        // One block of the fixed code (RFC 1951, 3.2.6): a literal zero, then "the byte before, 258 times" over and
        // over in 13 bits. Block start, literal and one repeat are 24 bits, eight repeats 13 bytes.
        let again = "1100010100000"
        let start = packed("010" + "00110000" + again)
        let eight = packed(String(repeating: again, count: 8))
        let end = packed("0000000" + "110" + "0000000")
        let times = max(0, count - 259 + 2_063) / 2_064
        let size = UInt32(truncatingIfNeeded: 259 + 2_064 * times)
        let trailer = end + littleEndian(UInt32(0)) + littleEndian(size)
        return .joined([.bytes(header + start), .repeated(eight, times: times), .bytes(trailer)])
    }

    /// The CRC-32 of some bytes.
    static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var remainder = UInt32.max
        for byte in bytes {
            remainder ^= UInt32(byte)
            for _ in 0..<8 { remainder = remainder & 1 == 1 ? remainder >> 1 ^ 0xEDB8_8320 : remainder >> 1 }
        }
        return ~remainder
    }

    /// Bits in the order of the stream, the first one lowest; the last byte is padded with zeros.
    private static func packed(_ bits: String) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: (bits.utf8.count + 7) / 8)
        for (index, bit) in bits.utf8.enumerated() where bit == UInt8(ascii: "1") {
            bytes[index / 8] |= 1 << UInt8(index % 8)
        }
        return bytes
    }

    private static func littleEndian(_ number: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: number.littleEndian) { Array($0) }
    }
}
