/// The beginning of a body in readable lines.
package struct BodyPreview: Sendable, Equatable, Codable {
    /// The most bytes that are shown, unless the body is JSON.
    package static let byteLimit = 64 << 10
    /// The most lines that are kept.
    package static let lineLimit = 2000

    /// The body's type and the shown part: `JSON · 70B`, `binary · first 64.0K of 2.0M`.
    package var summary: SafeText = .empty
    package var lines: [SafeText] = []
    /// The values of a JSON body that is small enough to fold.
    package private(set) var tree: JSONTree?
    /// How much of a longer body the lines show; nil where they show all of it.
    package private(set) var shownPart: SafeText?

    package init() {}

    /// Formats a body: JSON in indented lines, text in its own lines, anything else as hexadecimal.
    ///
    /// `total` is the length of the complete body, of which `bytes` may be only the beginning.
    package init(bytes: some Collection<UInt8>, total: Int, contentType: String) {
        guard !bytes.isEmpty else { return }
        if bytes.count == total, total <= JSONTree.byteLimit { tree = JSONTree(Array(bytes)) }
        let head = Array(bytes.prefix(tree == nil ? Self.byteLimit : total))
        var kind = BodyLabels.json
        if let tree {
            lines = tree.lines(limit: Self.lineLimit)
        } else {
            (kind, lines) = Self.layOut(head, isComplete: head.count == total, lineLimit: Self.lineLimit)
        }
        if !contentType.isEmpty { kind += " · " + SafeText(untrusted: contentType) }
        let size = SizeText.short(Int64(total))
        if head.count < total { shownPart = BodyLabels.first(SizeText.short(Int64(head.count))) }
        summary = [kind, shownPart.map { BodyLabels.part($0, of: size) } ?? size].joined(by: " · ")
    }

    /// The most values of a JSON body for a pager.
    private static let readableValues = 1_000_000

    /// The complete body as lines that are safe to show.
    package static func readable(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        let tree = JSONTree(bytes, nodeLimit: readableValues)
        for line in tree?.lines(limit: .max) ?? layOut(bytes, isComplete: true, lineLimit: .max).lines {
            result += Array(line.string.utf8)
            result.append(UInt8(ascii: "\n"))
        }
        return result
    }

    private static func layOut(
        _ bytes: [UInt8], isComplete: Bool, lineLimit: Int
    ) -> (kind: SafeText, lines: [SafeText]) {
        if isText(bytes, isComplete: isComplete) { return (BodyLabels.text, textLines(of: bytes, limit: lineLimit)) }
        let byteLimit = lineLimit < bytes.count / 16 ? lineLimit * 16 : bytes.count
        return (ImageInfo(bytes).map(\.text) ?? BodyLabels.binary, HexLines.lines(of: bytes.prefix(byteLimit)))
    }

    /// UTF-8 without control characters other than line breaks, tabs and escapes.
    ///
    /// A cut body may end inside a character.
    private static func isText(_ bytes: [UInt8], isComplete: Bool) -> Bool {
        let hasControls = bytes.contains { ($0 < 0x20 && !(0x09...0x0D).contains($0) && $0 != 0x1B) || $0 == 0x7F }
        if hasControls { return false }
        for dropped in 0...(isComplete ? 0 : 3) where String(validating: bytes.dropLast(dropped), as: UTF8.self) != nil
        {
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

/// Formats bytes as hexadecimal, sixteen per line, between their offset and their ASCII characters.
private enum HexLines {
    package static func lines(of bytes: some Collection<UInt8>) -> [SafeText] {
        let bytes = Array(bytes)
        return stride(from: 0, to: bytes.count, by: 16).map { offset in
            line(bytes[offset..<min(offset + 16, bytes.count)], offset: offset)
        }
    }

    private static func line(_ bytes: ArraySlice<UInt8>, offset: Int) -> SafeText {
        var text = digits(offset, count: 8) + " "
        for index in 0..<16 {
            if index == 8 { text += " " }
            let position = bytes.startIndex + index
            text += position < bytes.endIndex ? " " + digits(Int(bytes[position]), count: 2) : "   "
        }
        text += "  "
        for byte in bytes {
            text += (0x20..<0x7F).contains(byte) ? String(UnicodeScalar(byte)) : "."
        }
        return SafeText(untrusted: text)
    }

    private static func digits(_ number: Int, count: Int) -> String {
        let text = String(number, radix: 16)
        return String(repeating: "0", count: max(count - text.count, 0)) + text
    }
}

/// The format and the size of a picture, read from its first bytes.
package struct ImageInfo: Sendable, Equatable {
    package var format: SafeText
    package var width: Int
    package var height: Int

    /// `PNG picture, 640 x 480`.
    package var text: SafeText { BodyLabels.picture(format, width, height) }

    /// Reads the header of a PNG, GIF or JPEG; nil for anything else.
    package init?(_ bytes: [UInt8]) {
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]), bytes.count >= 24 {
            self.init(format: "PNG", width: Self.number(bytes[16..<20]), height: Self.number(bytes[20..<24]))
        } else if bytes.starts(with: Array("GIF8".utf8)), bytes.count >= 10 {
            let width = Self.number(bytes[6..<8].reversed())
            self.init(format: "GIF", width: width, height: Self.number(bytes[8..<10].reversed()))
        } else if bytes.starts(with: [0xFF, 0xD8]), let frame = Self.jpegFrame(in: bytes) {
            let height = Self.number(bytes[frame..<frame + 2])
            self.init(format: "JPEG", width: Self.number(bytes[frame + 2..<frame + 4]), height: height)
        } else {
            return nil
        }
    }

    private init(format: SafeText, width: Int, height: Int) {
        self.format = format
        self.width = width
        self.height = height
    }

    private static func number(_ bytes: some Sequence<UInt8>) -> Int {
        bytes.reduce(0) { $0 << 8 | Int($1) }
    }

    /// The position of the size in a JPEG's frame header, after the segments before it.
    private static func jpegFrame(in bytes: [UInt8]) -> Int? {
        var position = 2
        while position + 9 <= bytes.count, bytes[position] == 0xFF {
            let marker = bytes[position + 1]
            let isFrame = (0xC0...0xCF).contains(marker) && ![0xC4, 0xC8, 0xCC].contains(marker)
            if isFrame { return position + 5 }
            position += 2 + max(number(bytes[position + 2..<position + 4]), 2)
        }
        return nil
    }
}
