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

extension String {
    var trimmed: String {
        guard let first = firstIndex(where: { !$0.isWhitespace }), let last = lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(self[first...last])
    }
}
