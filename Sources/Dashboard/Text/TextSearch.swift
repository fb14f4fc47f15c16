/// A text that is looked for in other texts, whatever the case of its letters.
package struct TextSearch: Sendable, Equatable {
    /// What was typed.
    let text: String
    private let wanted: [Unicode.Scalar]

    /// A search for a text; nil for an empty one, which is everywhere.
    init?(_ text: String) {
        guard !text.isEmpty else { return nil }
        self.text = text
        wanted = text.unicodeScalars.map(Self.folded)
    }

    /// Where it stands, as ranges of scalars that do not overlap, from the start on.
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

    /// Whether it stands in a text.
    func isFound(in text: SafeText) -> Bool { !matches(in: text.string.unicodeScalars).isEmpty }

    /// The small letter of a capital one; letters whose small form is more than one scalar stay as they are.
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
