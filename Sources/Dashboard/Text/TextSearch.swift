/// A text to find in other texts, ignoring case.
package struct TextSearch: Sendable, Equatable {
    /// The text as it was typed.
    package let text: String
    private let wanted: [Unicode.Scalar]

    /// Returns nil for an empty text, which would match everywhere.
    init?(_ text: String) {
        guard !text.isEmpty else { return nil }
        self.text = text
        wanted = text.unicodeScalars.map(Self.folded)
    }

    /// The non-overlapping matches in order, as ranges of scalars.
    func matches(in text: some Sequence<Unicode.Scalar>) -> [Range<Int>] {
        let scalars = text.map(Self.folded)
        var found: [Range<Int>] = []
        var start = 0
        while start + wanted.count <= scalars.count {
            if scalars[start] == wanted[0], scalars[start..<start + wanted.count].elementsEqual(wanted) {
                found.append(start..<start + wanted.count)
                start += wanted.count
            } else {
                start += 1
            }
        }
        return found
    }

    func isFound(in text: SafeText) -> Bool { !matches(in: text.string.unicodeScalars).isEmpty }

    /// The lower-case scalar; one whose lower case has several scalars stays unchanged.
    private static func folded(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        if scalar.isASCII {
            let isCapital = (0x41...0x5A).contains(scalar.value)
            return isCapital ? Unicode.Scalar(UInt8(scalar.value) | 0x20) : scalar
        }
        let small = scalar.properties.lowercaseMapping.unicodeScalars
        guard let first = small.first, small.count == 1 else { return scalar }
        return first
    }
}

/// Finds the intended word for a mistyped one.
package enum Suggestion {
    /// The candidate with the fewest edits away from `word`, if that is near enough to be a typing error.
    package static func nearest(to word: String, among candidates: [String]) -> String? {
        let limit = max(1, min(3, word.count / 3))
        let ranked = candidates.map { (name: $0, distance: distance(word, $0)) }
        guard let best = ranked.min(by: { $0.distance < $1.distance }), best.distance <= limit else { return nil }
        return best.name
    }

    /// The number of edits (insert, delete, replace, swap of neighbours) that turn one word into the other.
    static func distance(_ left: String, _ right: String) -> Int {
        let first = Array(left.lowercased())
        let second = Array(right.lowercased())
        guard !first.isEmpty, !second.isEmpty else { return max(first.count, second.count) }
        var beforePrevious: [Int] = []
        var previous = Array(0...second.count)
        for row in 1...first.count {
            var current = [row]
            for column in 1...second.count {
                let isSame = first[row - 1] == second[column - 1]
                var best = previous[column - 1] + (isSame ? 0 : 1)
                best = min(best, previous[column] + 1, current[column - 1] + 1)
                if row > 1, column > 1, first[row - 1] == second[column - 2], first[row - 2] == second[column - 1] {
                    best = min(best, beforePrevious[column - 2] + 1)
                }
                current.append(best)
            }
            beforePrevious = previous
            previous = current
        }
        return previous[second.count]
    }
}

extension String {
    var trimmed: String {
        guard let first = firstIndex(where: { !$0.isWhitespace }), let last = lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(self[first...last])
    }
}
