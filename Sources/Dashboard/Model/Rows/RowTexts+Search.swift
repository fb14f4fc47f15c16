import SessionSupport

/// Search and comparison of rows by their texts, without regard to case.
extension RowTexts {
    /// A filter's text, prepared to be compared byte by byte.
    struct Needle: Sendable, Equatable {
        /// Lower case.
        let bytes: [UInt8]
        /// The bit that turns an upper-case letter to lower case, for bytes that are letters.
        let caseBits: [UInt8]

        /// Takes a text that is already in lower case.
        init(_ bytes: [UInt8]) {
            self.bytes = bytes
            caseBits = bytes.map { (0x61...0x7A).contains($0) ? 0x20 : 0 }
        }
    }

    /// Eight bytes of a slot's name or host, as a number that sorts like them; zeros after the text's end.
    func chunk(_ slot: Int, byHost: Bool, number: Int) -> UInt64 {
        let range = sortedPiece(of: slot, byHost: byHost).range
        return bytes.withUnsafeBufferPointer { bytes in
            var value: UInt64 = 0
            var position = range.lowerBound + number * 8
            for _ in 0..<8 {
                value <<= 8
                guard position < range.upperBound else { continue }
                value |= UInt64(ByteText.lowercased(bytes[position]))
                position += 1
            }
            return value
        }
    }

    /// Whether one slot's name or host precedes another's; nil if they are equal.
    func precedes(_ left: Int, _ right: Int, byHost: Bool) -> Bool? {
        let left = sortedPiece(of: left, byHost: byHost).range
        let right = sortedPiece(of: right, byHost: byHost).range
        return bytes.withUnsafeBufferPointer { bytes in
            for offset in 0..<min(left.count, right.count) {
                let leftByte = ByteText.lowercased(bytes[left.lowerBound + offset])
                let rightByte = ByteText.lowercased(bytes[right.lowerBound + offset])
                if leftByte != rightByte { return leftByte < rightByte }
            }
            return left.count == right.count ? nil : left.count < right.count
        }
    }

    /// Whether a slot's name, host or URL contains the needle.
    func contains(_ needle: Needle, in slot: Int) -> Bool {
        guard !needle.bytes.isEmpty else { return true }
        return contains(needle, in: entries.found(slot) ?? folded[slot]?.found ?? entries[slot].found)
    }

    func hostContains(_ needle: Needle, in slot: Int) -> Bool {
        contains(needle, in: sortedPiece(of: slot, byHost: true))
    }

    func matches(_ pattern: FilterPattern, in slot: Int) -> Bool {
        let entry = entries[slot]
        let folded = entry.isFolded ? folded[slot] : nil
        let found = folded?.found ?? entry.found
        return bytes.withUnsafeBufferPointer { bytes in
            if pattern.isFound(in: bytes, found.range) { return true }
            // Name and host may be pieces of the URL, where `^` and `$` would not match at their edges.
            guard pattern.hasEdges else { return false }
            return pattern.isFound(in: bytes, (folded?.name ?? entry.name).range)
                || pattern.isFound(in: bytes, (folded?.host ?? entry.host).range)
        }
    }

    private func sortedPiece(of slot: Int, byHost: Bool) -> TextSpan {
        if let piece = entries.sorted(slot, byHost: byHost) { return piece }
        if let folded = folded[slot] { return byHost ? folded.host : folded.name }
        return byHost ? entries[slot].host : entries[slot].name
    }

    private func contains(_ needle: Needle, in span: TextSpan) -> Bool {
        let last = span.range.upperBound - needle.bytes.count
        guard last >= span.range.lowerBound, let first = needle.bytes.first, let firstBit = needle.caseBits.first
        else { return needle.bytes.isEmpty }
        return bytes.withUnsafeBufferPointer { bytes in
            for position in span.range.lowerBound...last
            where bytes[position] | firstBit == first && Self.matches(bytes, at: position, needle) {
                return true
            }
            return false
        }
    }

    private static func matches(_ bytes: UnsafeBufferPointer<UInt8>, at position: Int, _ needle: Needle) -> Bool {
        for offset in 1..<max(needle.bytes.count, 1)
        where bytes[position + offset] | needle.caseBits[offset] != needle.bytes[offset] {
            return false
        }
        return true
    }
}
