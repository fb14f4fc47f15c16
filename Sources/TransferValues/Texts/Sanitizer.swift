/// Replaces what a terminal could obey, hide, or draw differently than another one.
///
/// - C0 controls and DEL become their pictures (U+2400…), C1 controls and invalid or unassigned scalars U+FFFD.
/// - Bidi controls, zero-width and other ignorable scalars, tags, line separators and private use become `·`.
/// - Variation selectors go; emoji sequences whose width terminals disagree on keep their base only; regional
///   indicators become the letters they stand for, so that two of them cannot join into a flag later.
/// - At most four combining marks follow a base, and none begins the text.
package enum Sanitizer {
    /// Terminals and ncurses keep at most this many marks in one cell.
    package static let combiningLimit = 4

    package static func sanitize(_ text: String) -> String {
        if text.utf8.count <= SafeText.byteLimit, text.utf8.withContiguousStorageIfAvailable(isPlain) ?? false {
            return text
        }
        let (head, wasCut) = capped(text)
        var result = String.UnicodeScalarView()
        var marks = combiningLimit
        var hasBase = false
        for cluster in head {
            append(cluster, to: &result, marks: &marks, hasBase: &hasBase)
        }
        if wasCut { result.append("…") }
        return String(result)
    }

    /// Whether all bytes are printable ASCII.
    ///
    /// Without an early end the compiler compares many bytes at once: texts of 100,000 rows were a third of their
    /// decoding.
    private static func isPlain(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var wrong: UInt8 = 0
        for byte in bytes { wrong |= byte &- 0x20 < 0x5F ? 0 : 1 }
        return wrong == 0
    }

    /// Cuts at a scalar's border, before any work that costs more than a byte scan.
    private static func capped(_ text: String) -> (String, Bool) {
        let utf8 = text.utf8
        guard utf8.count > SafeText.byteLimit else { return (text, false) }
        var end = utf8.index(utf8.startIndex, offsetBy: SafeText.byteLimit)
        while end > utf8.startIndex, utf8[end] & 0xC0 == 0x80 { end = utf8.index(before: end) }
        return (String(text[..<end]), true)
    }

    private static func append(
        _ cluster: Character, to result: inout String.UnicodeScalarView, marks: inout Int, hasBase: inout Bool
    ) {
        let scalars = cluster.unicodeScalars
        if let base = scalars.first, isUnreliableSequence(scalars) {
            result.append(replacement(for: base))
            marks = 0
            hasBase = true
            return
        }
        for scalar in scalars where !isVariationSelector(scalar) {
            if isCombining(scalar) {
                guard hasBase else {
                    result.append("·")
                    hasBase = true
                    marks = 0
                    continue
                }
                guard marks < combiningLimit else { continue }
                marks += 1
                result.append(scalar)
            } else {
                marks = 0
                hasBase = true
                result.append(replacement(for: scalar))
            }
        }
    }

    /// Emoji with joiners, keycaps and skin tones: terminals draw one, two or more cells.
    private static func isUnreliableSequence(_ scalars: Character.UnicodeScalarView) -> Bool {
        guard let base = scalars.first, base.properties.isEmoji, scalars.count > 1 else { return false }
        let isPictograph = base.value >= 0xA9
        return scalars.dropFirst().allSatisfy { scalar in
            switch scalar.value {
            case 0xFE0E, 0xFE0F, 0x20E3: true
            case 0x200D, 0x1F3FB...0x1F3FF: isPictograph
            default: isPictograph && scalar.properties.isEmoji && !isRegionalIndicator(scalar)
            }
        }
    }

    private static func replacement(for scalar: Unicode.Scalar) -> Unicode.Scalar {
        let value = scalar.value
        if value < 0x20 { return Unicode.Scalar(0x2400 + value) ?? "·" }
        if value < 0x7F { return scalar }
        if value == 0x7F { return "␡" }
        if value < 0xA0 { return "\u{FFFD}" }
        if isRegionalIndicator(scalar) { return Unicode.Scalar(0x41 + value - 0x1F1E6) ?? "·" }
        if (0x1F3FB...0x1F3FF).contains(value) || scalar.properties.isDefaultIgnorableCodePoint { return "·" }
        switch scalar.properties.generalCategory {
        case .control, .unassigned, .surrogate: return "\u{FFFD}"
        case .format, .privateUse, .lineSeparator, .paragraphSeparator: return "·"
        case .spaceSeparator: return " "
        default: return scalar
        }
    }

    private static func isRegionalIndicator(_ scalar: Unicode.Scalar) -> Bool {
        (0x1F1E6...0x1F1FF).contains(scalar.value)
    }

    private static func isVariationSelector(_ scalar: Unicode.Scalar) -> Bool {
        (0xFE00...0xFE0F).contains(scalar.value) || (0xE0100...0xE01EF).contains(scalar.value)
    }

    /// Marks that a terminal draws over the cell before them; ignorable marks become dots instead.
    private static func isCombining(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.value >= 0x300, !scalar.properties.isDefaultIgnorableCodePoint else { return false }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark: return true
        default: return false
        }
    }
}
