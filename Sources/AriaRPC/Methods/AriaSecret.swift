/// The token that clients have to know.
package struct AriaSecret: Sendable {
    /// The fewest bytes of a token that others than this machine may guess at.
    package static let leastLength = 16
    /// The beginning of a parameter that is a token.
    static let mark = "token:"

    private let bytes: [UInt8]

    package init(_ text: String) { bytes = Array(text.utf8) }

    package var isLong: Bool { bytes.count >= Self.leastLength }

    /// Compares a token in a time that depends on its own length alone.
    func matches(_ token: some StringProtocol) -> Bool {
        let token = Array(token.utf8)
        var difference = UInt8(token.count == bytes.count ? 0 : 1)
        for (index, byte) in token.enumerated() {
            difference |= byte ^ (bytes.isEmpty ? 0 : bytes[index % bytes.count])
        }
        return difference == 0
    }
}
