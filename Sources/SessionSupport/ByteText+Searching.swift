import Glibc

extension ByteText {
    /// Whether a text has a byte.
    ///
    /// The C library's search takes one instruction for each byte where the text's own view takes thirty, and URLs are looked
    /// through many times for each request.
    public static func contains(_ byte: UInt8, in text: String) -> Bool {
        let found = text.utf8.withContiguousStorageIfAvailable { bytes in
            index(of: byte, in: UnsafeRawBufferPointer(bytes)) != nil
        }
        return found ?? text.utf8.contains(byte)
    }

    /// The first place of a byte in some bytes; nil where none of them is it.
    public static func index(of byte: UInt8, in bytes: UnsafeRawBufferPointer) -> Int? {
        guard let start = bytes.baseAddress, let found = memchr(start, Int32(byte), bytes.count) else { return nil }
        return UnsafeRawPointer(found) - start
    }

    /// Whether each byte of a text is one of ASCII.
    public static func isASCII(_ text: String) -> Bool {
        let found = text.utf8.withContiguousStorageIfAvailable { bytes in
            bytes.reduce(0) { $0 | $1 } < 0x80
        }
        return found ?? text.utf8.allSatisfy { $0 < 0x80 }
    }
}
