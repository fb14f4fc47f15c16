/// Tells a long random value (a signature, a token, a key) from words, numbers, dates and versions, whatever its name.
///
/// Random letters and digits change their kind at every second or third position, words and numbers seldom do. A value
/// shorter than a dozen characters could be either, and is a weaker secret.
enum SecretShape {
    /// Minimum length of a run of letters and digits that is examined.
    private static let shortestPiece = 8
    /// Minimum total of random letters and digits.
    private static let leastRandom = 14

    /// Returns whether a decoded value is random or contains a random part.
    ///
    /// A fragment is judged more strictly: no server receives it, so hiding it loses no information, and unless it is
    /// an anchor in a page, it is mostly the key of a file.
    static func isRandom(_ value: [UInt8], isFragment: Bool = false) -> Bool {
        let leastRandom = isFragment ? shortestPiece : leastRandom
        guard value.count >= leastRandom, !namesURL(value) else { return false }
        var random = 0
        var all = Piece()
        for piece in value.split(whereSeparator: { !ByteText.isLetter($0) && !ByteText.isDigit($0) }) {
            let read = Piece(piece)
            if read.length >= shortestPiece, read.isRandom(every: 5) { random += read.length }
            all.length += read.length
            all.changes += read.changes
        }
        if random >= leastRandom || holdsIdentifier(value) { return true }
        // Dashes are digits in base64url, which makes its pieces short; in file names they separate versions.
        let namesFile = value.contains(UInt8(ascii: ".")) || value.contains(UInt8(ascii: "/"))
        return !namesFile && all.length >= 20 && all.isRandom(every: 4)
    }

    /// Returns whether a value contains a UUID, whose digits may vary little.
    private static func holdsIdentifier(_ value: [UInt8]) -> Bool {
        let pieces = value.split(separator: UInt8(ascii: "-"))
        guard pieces.count >= 5 else { return false }
        return (0...pieces.count - 5).contains { start in
            zip(pieces[start...], [8, 4, 4, 4, 12]).allSatisfy { piece, count in
                piece.count == count && piece.allSatisfy { ByteText.hexadecimalValue($0) != nil }
            }
        }
    }

    /// Masks the random words in a text; blanks and list separators end a word.
    static func masked(_ text: String, mask: String) -> String {
        let ends = Set(" \t,;\"'=<>()".utf8)
        var result: [UInt8] = []
        var word: [UInt8] = []
        for byte in Array(text.utf8) + [0x20] {
            guard ends.contains(byte) else {
                word.append(byte)
                continue
            }
            result += isRandom(word) ? Array(mask.utf8) : word
            result.append(byte)
            word = []
        }
        result.removeLast()
        return String(decoding: result, as: UTF8.self)
    }

    /// Returns whether the value is a URL: its parameters are checked separately, its path is not.
    private static func namesURL(_ value: [UInt8]) -> Bool {
        let sign = Array("://".utf8)
        return value.indices.contains { value[$0] == sign[0] && value[$0...].starts(with: sign) }
    }

    /// A run of letters and digits.
    private struct Piece {
        var length = 0
        /// Changes of kind; the capital at the start of a word does not count.
        var changes = 0

        init() {}

        init(_ bytes: ArraySlice<UInt8>) {
            length = bytes.count
            var offset = bytes.startIndex
            while offset < bytes.endIndex {
                var end = offset + 1
                while end < bytes.endIndex, Kind(bytes[end]) == Kind(bytes[end - 1]) { end += 1 }
                // A capital belongs to the lower-case letters after it.
                let isCapital = end == offset + 1 && Kind(bytes[offset]) == .upper
                if isCapital, end < bytes.endIndex, Kind(bytes[end]) == .lower {
                    while end < bytes.endIndex, Kind(bytes[end]) == .lower { end += 1 }
                }
                let isWord = isCapital && end - offset >= 3
                let follows = offset > bytes.startIndex && Kind(bytes[offset - 1]) == .lower
                if offset > bytes.startIndex, !(isWord && follows) { changes += 1 }
                count(bytes[offset..<end])
                offset = end
            }
        }

        /// Counts letters without a vowel, which form no word, as changes.
        private mutating func count(_ run: ArraySlice<UInt8>) {
            guard run.count >= 5, run.allSatisfy(ByteText.isLetter) else { return }
            let vowels = run.count { "aeiouAEIOU".utf8.contains($0) }
            if vowels == 0 { changes += 2 }
            // A fifth of random letters are vowels, but two fifths of a word's.
            if run.count >= 16, vowels * 5 <= run.count { changes += run.count / 5 }
        }

        /// Returns whether the kind changes at least once per this many positions.
        func isRandom(every characters: Int) -> Bool { changes * characters >= length && changes >= 3 }
    }

    private enum Kind {
        case lower, upper, digit

        init(_ byte: UInt8) {
            self = ByteText.isDigit(byte) ? .digit : (0x41...0x5A).contains(byte) ? .upper : .lower
        }
    }
}
