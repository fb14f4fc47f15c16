/// The format of a line that is overwritten in place: a heading, words, a checksum, and blanks up to a constant length,
/// so that a torn or damaged line is detected and does not affect its neighbours.
package struct SealedLine: Sendable, Equatable {
    package let heading: String
    /// Bytes of a line, including its end.
    package let length: Int

    package init(_ heading: String, length: Int) { (self.heading, self.length) = (heading, length) }

    /// Returns the line of words separated by blanks.
    package func bytes(_ words: String) -> [UInt8] {
        let text = heading + " " + words
        var bytes = Array((text + " sum " + StableHash.hexadecimal(text)).utf8)
        bytes += repeatElement(0x20, count: max(length - 1 - bytes.count, 0))
        bytes.append(0x0A)
        return bytes
    }

    /// Returns the words after the heading; nil for a line that ``bytes(_:)`` did not write.
    package func words(_ line: some Collection<UInt8>) -> [Substring]? {
        let words = String(decoding: line, as: UTF8.self).split { $0 == " " || $0 == "\n" }
        guard words.count > 2, words[0] == heading[...], words[words.count - 2] == "sum",
            words[words.count - 1] == StableHash.hexadecimal(words.dropLast(2).joined(separator: " "))
        else { return nil }
        return Array(words.dropFirst().dropLast(2))
    }

    /// Returns whether bytes may be a damaged line, or the first bytes of one.
    package func mayBe(_ bytes: some Collection<UInt8>) -> Bool {
        let start = Array((heading + " ").utf8)
        // A power cut can leave zeros instead of bytes that were never written.
        return bytes.starts(with: start) || start.starts(with: bytes) || bytes.allSatisfy { $0 == 0 }
    }

    /// Splits bytes into lines; the last one may be shorter.
    package func pieces(_ bytes: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        stride(from: bytes.startIndex, to: bytes.endIndex, by: length).map {
            bytes[$0..<min($0 + length, bytes.endIndex)]
        }
    }
}
