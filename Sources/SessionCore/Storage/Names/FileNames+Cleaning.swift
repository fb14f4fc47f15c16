import SessionSupport
@_spi(_Unicode) import Swift

extension FileNames {
    /// Makes an external name safe; nil if no usable character is left.
    static func cleaned(_ offered: String) -> String? {
        let component = offered.unicodeScalars.split(
            omittingEmptySubsequences: false, whereSeparator: { $0 == "/" || $0 == "\\" }
        ).last
        guard let component else { return nil }
        var scalars: [Unicode.Scalar] = component.compactMap(replacement(for:))
        while let last = scalars.last, last == "." || last == " " { scalars.removeLast() }
        for index in scalars.indices {
            guard [".", "-", "~", " "].contains(scalars[index]) else { break }
            scalars[index] = "_"
        }
        let isOnlyFiller = scalars.allSatisfy { $0 == "_" || $0 == " " }
        guard !isOnlyFiller else { return nil }
        var text = ""
        text.unicodeScalars.append(contentsOf: scalars)
        var name = normalized(text)
        if isReserved(name) { name = "_" + name }
        let (base, suffix) = split(name)
        return joined(base, suffix)
    }

    /// Returns the replacement of a code point in a name; nil to drop it.
    private static func replacement(for scalar: Unicode.Scalar) -> Unicode.Scalar? {
        switch scalar.value {
        // Controls, line and paragraph separators, and characters that other systems forbid in a name become `_`.
        case 0x00...0x1F, 0x7F...0x9F, 0x2028, 0x2029: "_"
        case 0x22, 0x2A, 0x3A, 0x3C, 0x3E, 0x3F, 0x7C: "_"
        // Other spaces look like a space, so they become one.
        case 0xA0, 0x1680, 0x2000...0x200A, 0x202F, 0x205F, 0x3000: " "
        // Invisible code points are dropped: soft hyphen, zero width, direction overrides, fillers, variation
        // selectors, tags.
        case 0xAD, 0x034F, 0x061C, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B...0x180F, 0x200B...0x200F,
            0x202A...0x202E, 0x2060...0x206F, 0x3164, 0xFEFF, 0xFFA0, 0xFFF9...0xFFFB, 0xE0000...0xE0FFF:
            nil
        default: scalar
        }
    }

    /// Returns whether some systems treat a name as a device, whatever follows its first dot.
    static func isReserved(_ name: String) -> Bool {
        let bytes = name.utf8Span.span
        var stemLength = 0
        while stemLength < bytes.count, bytes[stemLength] != 0x2E { stemLength += 1 }
        guard stemLength == 3 || stemLength == 4 else { return false }
        let stem = ByteText.lowercased(name.prefix { $0 != "." })
        if ["con", "prn", "aux", "nul"].contains(stem) { return true }
        guard stem.utf8.count == 4, stem.hasPrefix("com") || stem.hasPrefix("lpt"), let digit = stem.last else {
            return false
        }
        return ("1"..."9").contains(digit)
    }

    /// Normalizes to form C, so that two spellings of one name do not become two files.
    ///
    /// The standard library has this only as SPI; Foundation, which has it publicly, is not used in the engine.
    private static func normalized(_ text: String) -> String {
        var result = ""
        result.unicodeScalars.append(contentsOf: text._nfc)
        return result
    }
}
