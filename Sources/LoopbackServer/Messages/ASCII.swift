import SessionSupport

/// Names for bytes.
enum ASCII {
    static let tab = UInt8(ascii: "\t")
    static let lineFeed = UInt8(ascii: "\n")
    static let carriageReturn = UInt8(ascii: "\r")
    static let space = UInt8(ascii: " ")
    static let colon = UInt8(ascii: ":")
    static let lineEnd: [UInt8] = [carriageReturn, lineFeed]

    /// The elements of a comma-separated list, trimmed, empty ones left out.
    static func list(_ text: String) -> [String] {
        text.utf8.split(separator: UInt8(ascii: ",")).map { ByteText.trimmed(String(decoding: $0, as: UTF8.self)) }
            .filter { !$0.isEmpty }
    }
}
