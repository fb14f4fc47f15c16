/// Counts wrong tokens: beyond some in a second no other one is compared.
///
/// A batch has thousands of calls, and a client need not wait for the answer to a guess before it sends the next one.
struct AriaGuesses: Sendable {
    /// The most wrong tokens in a second, of all clients together.
    static let limit = 64
    /// Milliseconds in which they count.
    private static let period: Int64 = 1_000

    private var start = Int64.min
    private var count = 0

    func mayCompare(at now: Int64) -> Bool { count < Self.limit || isOver(now) }

    mutating func note(at now: Int64) {
        if isOver(now) { (start, count) = (now, 0) }
        count += 1
    }

    private func isOver(_ now: Int64) -> Bool { start == .min || now - start >= Self.period }
}

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
