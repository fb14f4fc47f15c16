/// The parts of CBOR (RFC 8949) that a frame is made of: integers, texts, arrays and maps of known length, `false`,
/// `true`, `null` and doubles.
///
/// The format describes itself, so that a value that a newer program leaves out or adds does no harm.
enum CBOR {
    /// The major types of RFC 8949, section 3.1, in the upper three bits of an initial byte.
    enum Major: UInt8 {
        case unsigned, negative, bytes, text, array, map, tag, simple
    }

    static let (no, yes, null, double): (UInt8, UInt8, UInt8, UInt8) = (0xF4, 0xF5, 0xF6, 0xFB)

    /// A frame that is not CBOR, or is none of the values above.
    struct Malformed: Error, Equatable {
        var offset: Int
    }

    /// The most levels of arrays and maps in each other.
    static let depthLimit = 48
}

/// The bytes of a value while it is encoded.
final class CBOROutput {
    private(set) var bytes: [UInt8] = []

    init(capacity: Int = 0) { bytes.reserveCapacity(capacity) }

    /// Appends a byte as it is, such as a simple value.
    func append(_ byte: UInt8) { bytes.append(byte) }

    /// Writes a head in its shortest form.
    func write(_ major: CBOR.Major, _ argument: UInt64) {
        let type = major.rawValue << 5
        switch argument {
        case 0..<24: bytes.append(type | UInt8(argument))
        case 24..<0x100: append(type | 24, UInt8(argument))
        case 0x100..<0x1_0000: append(type | 25, UInt16(argument))
        case 0x1_0000..<0x1_0000_0000: append(type | 26, UInt32(argument))
        default: append(type | 27, argument)
        }
    }

    func write(_ text: String) {
        var text = text
        text.withUTF8 { utf8 in
            write(.text, UInt64(utf8.count))
            bytes.append(contentsOf: utf8)
        }
    }

    func write(_ number: Double) {
        append(CBOR.double, number.bitPattern)
    }

    func write(_ number: some BinaryInteger) {
        if number >= 0 { write(.unsigned, UInt64(number)) } else { write(.negative, UInt64(-1 - Int64(number))) }
    }

    /// Opens an array or a map, whose length is counted afterwards; returns the offset of its length.
    func open(_ major: CBOR.Major) -> Int {
        append(major.rawValue << 5 | 26, UInt32(0))
        return bytes.count - 4
    }

    /// Counts one more member of an open array or map.
    func count(at offset: Int) {
        var index = offset + 3
        bytes[index] &+= 1
        while bytes[index] == 0, index > offset {
            index -= 1
            bytes[index] &+= 1
        }
    }

    /// Appends an initial byte and its number, most significant byte first.
    private func append(_ initial: UInt8, _ number: some FixedWidthInteger) {
        bytes.append(initial)
        withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
    }
}
