/// The form of a line that is written over in place: words behind a heading, a sum over them, and blanks up to a length that
/// is always the same, so that a torn or damaged line is noticed and leaves its neighbours as they are.
package struct SealedLine: Sendable, Equatable {
    package let heading: String
    /// Bytes of a line with its end.
    package let length: Int

    package init(_ heading: String, length: Int) { (self.heading, self.length) = (heading, length) }

    /// The line of words with a blank between two.
    package func bytes(_ words: String) -> [UInt8] {
        let text = heading + " " + words
        var bytes = Array((text + " sum " + StableHash.hexadecimal(text)).utf8)
        bytes += repeatElement(0x20, count: max(length - 1 - bytes.count, 0))
        bytes.append(0x0A)
        return bytes
    }

    /// The words behind the heading; nil for what ``bytes(_:)`` did not write.
    package func words(_ line: some Collection<UInt8>) -> [Substring]? {
        let words = String(decoding: line, as: UTF8.self).split { $0 == " " || $0 == "\n" }
        guard words.count > 2, words[0] == heading[...], words[words.count - 2] == "sum",
            words[words.count - 1] == StableHash.hexadecimal(words.dropLast(2).joined(separator: " "))
        else { return nil }
        return Array(words.dropFirst().dropLast(2))
    }

    /// Whether bytes may be what has become of a line, or of the first bytes of one.
    package func mayBe(_ bytes: some Collection<UInt8>) -> Bool {
        let start = Array((heading + " ").utf8)
        // A power cut can leave zeros in place of bytes that were never written.
        return bytes.starts(with: start) || start.starts(with: bytes) || bytes.allSatisfy { $0 == 0 }
    }

    /// Bytes cut into lines, of which the last may be shorter.
    package func pieces(_ bytes: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        stride(from: bytes.startIndex, to: bytes.endIndex, by: length).map {
            bytes[$0..<min($0 + length, bytes.endIndex)]
        }
    }
}
