import SessionSupport
import TransferValues

/// How the value of one of aria2's options is written, and in which form it is told.
enum AriaValueKind: Sendable {
    case flag
    case integer(ClosedRange<Int64>)
    /// Bytes, with K or M.
    case size(ClosedRange<Int64>)
    case choice([String])
    case text
    /// Lines, each of which is a value: a list in a request, one text in an answer.
    case lines
    case checksum

    static let anySize = AriaValueKind.size(0...Int64.max)
    static let seconds = AriaValueKind.integer(1...600)

    /// The value as aria2 tells it; nil for a wrong one.
    func normalised(_ value: JSONValue) -> String? {
        switch (self, value) {
        case (.lines, .array(let list)):
            let lines = list.compactMap(\.text)
            return lines.count == list.count ? lines.map { $0 + "\n" }.joined() : nil
        case (.lines, .string(let text)): return text + "\n"
        case (.flag, .bool(let isOn)): return isOn ? "true" : "false"
        case (_, .string(let text)): return normalised(text)
        case (_, .integer), (_, .decimal): return value.number.flatMap { normalised(String($0)) }
        case (_, .null), (_, .bool), (_, .array), (_, .object), (_, .written): return nil
        }
    }

    private func normalised(_ text: String) -> String? {
        switch self {
        case .flag: ["true", "false"].contains(text) ? text : nil
        case .integer(let range): Int64(text).flatMap { range.contains($0) ? String($0) : nil }
        case .size(let range): Self.bytes(text).flatMap { range.contains($0) ? String($0) : nil }
        case .choice(let words): words.contains(text) ? text : nil
        case .text, .lines: text
        // A page sends an empty one back where a task has none.
        case .checksum: text.isEmpty || Self.checksum(text) != nil ? text : nil
        }
    }

    /// A number with K or M behind it.
    private static func bytes(_ text: String) -> Int64? {
        let factor: Int64 =
            switch text.last {
            case "K", "k": 1 << 10
            case "M", "m": 1 << 20
            default: 1
            }
        guard let number = ByteText.decimal(factor == 1 ? text[...] : text.dropLast()) else { return nil }
        let (bytes, overflowed) = number.multipliedReportingOverflow(by: factor)
        return overflowed ? nil : bytes
    }

    /// A digest such as `sha-256=…`; nil where its kind is unknown or its length is wrong.
    static func checksum(_ text: String) -> Checksum? {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let algorithm = Checksum.Algorithm(rawValue: ByteText.lowercased(parts[0])),
            parts[1].utf8.count == algorithm.digitCount,
            parts[1].utf8.allSatisfy({ ByteText.hexadecimalValue($0) != nil })
        else { return nil }
        return Checksum(algorithm: algorithm, hex: ByteText.lowercased(parts[1]))
    }
}
