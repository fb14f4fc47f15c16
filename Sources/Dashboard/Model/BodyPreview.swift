/// The beginning of a body, made fit to be looked at.
package struct BodyPreview: Sendable, Equatable {
    /// Bytes that are looked at.
    package static let byteLimit = 64 << 10
    /// Lines that are kept.
    static let lineLimit = 2000

    /// What it is and how much of it is shown: `JSON · 70B`, `binary · first 64.0K of 2.0M`.
    package var summary: SafeText = .empty
    package var lines: [SafeText] = []

    /// No body.
    package init() {}

    /// Lays a body out: JSON that parses in indented lines, text in its own, anything else as hexadecimal.
    ///
    /// `total` is the length of the whole body, of which `bytes` may be only the beginning.
    package init(bytes: some Collection<UInt8>, total: Int, contentType: String) {
        guard !bytes.isEmpty else { return }
        let head = Array(bytes.prefix(Self.byteLimit))
        var kind: SafeText
        (kind, lines) = Self.layOut(head, isWhole: head.count == total, lineLimit: Self.lineLimit)
        if !contentType.isEmpty { kind += " · " + SafeText(untrusted: contentType) }
        let size = SizeText.short(Int64(total))
        summary =
            kind + " · " + (head.count < total ? "first " + SizeText.short(Int64(head.count)) + " of " : "") + size
    }

    /// The whole body as lines that are safe to be shown.
    package static func readable(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        for line in layOut(bytes, isWhole: true, lineLimit: .max).lines {
            result += Array(line.string.utf8)
            result.append(UInt8(ascii: "\n"))
        }
        return result
    }

    private static func layOut(
        _ bytes: [UInt8], isWhole: Bool, lineLimit: Int
    ) -> (kind: SafeText, lines: [SafeText]) {
        if isWhole, let pretty = JSONLines.lines(of: bytes, limit: lineLimit) { return ("JSON", pretty) }
        if isText(bytes, isWhole: isWhole) { return ("text", textLines(of: bytes, limit: lineLimit)) }
        let byteLimit = lineLimit < bytes.count / 16 ? lineLimit * 16 : bytes.count
        return (ImageFacts(bytes).map(\.text) ?? "binary", HexLines.lines(of: bytes.prefix(byteLimit)))
    }

    /// UTF-8 without control characters other than those of lines.
    ///
    /// A cut body may end inside of a character.
    private static func isText(_ bytes: [UInt8], isWhole: Bool) -> Bool {
        let hasControls = bytes.contains { ($0 < 0x20 && !(0x09...0x0D).contains($0) && $0 != 0x1B) || $0 == 0x7F }
        if hasControls { return false }
        for dropped in 0...(isWhole ? 0 : 3) where String(validating: bytes.dropLast(dropped), as: UTF8.self) != nil {
            return true
        }
        return false
    }

    private static func textLines(of bytes: [UInt8], limit: Int) -> [SafeText] {
        let newline = UInt8(ascii: "\n")
        let lines = bytes.split(separator: newline, maxSplits: limit, omittingEmptySubsequences: false)
        return lines.prefix(limit).map { line in
            SafeText(untrusted: expandingTabs(line.last == UInt8(ascii: "\r") ? line.dropLast() : line))
        }
    }

    private static func expandingTabs(_ line: ArraySlice<UInt8>) -> [UInt8] {
        guard line.contains(0x09) else { return Array(line) }
        var result: [UInt8] = []
        for byte in line {
            if byte == 0x09 {
                result += Array(repeating: 0x20, count: 4 - result.count % 4)
            } else {
                result.append(byte)
            }
        }
        return result
    }
}
