/// The number of cells of a scalar: 0 for a combining mark, 2 for a wide one, negative for one that cannot be drawn.
///
/// The terminal passes the C library's function, because ncurses relies on it; tests use the built-in table.
package struct CellWidth: Sendable {
    private let function: @Sendable (UInt32) -> Int

    /// Wraps the terminal's function.
    package init(_ function: @escaping @Sendable (UInt32) -> Int) {
        self.function = function
    }

    func callAsFunction(_ scalar: Unicode.Scalar) -> Int {
        scalar.value >= 0x20 && scalar.value < 0x7F ? 1 : function(scalar.value)
    }

    /// A pure table: East Asian wide ranges and emoji are 2, non-spacing marks 0, controls -1, the rest 1.
    static let builtIn = CellWidth { value in
        guard let scalar = Unicode.Scalar(value) else { return -1 }
        if value < 0x20 || (0x7F..<0xA0).contains(value) { return -1 }
        if value < 0x300 { return 1 }
        if isWide(value) || scalar.properties.isEmojiPresentation { return 2 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        case .unassigned, .control, .surrogate: return -1
        default: return 1
        }
    }

    /// The number of cells of a text drawn in full, by the built-in table.
    package static func cells(of text: SafeText) -> Int {
        text.string.unicodeScalars.reduce(0) { $0 + max(builtIn($1), 0) }
    }

    /// The width in the C locale, where terminals can show ASCII alone.
    package static let asciiOnly = CellWidth { _ in -1 }

    private static func isWide(_ value: UInt32) -> Bool {
        switch value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
            0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6,
            0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1F9FF, 0x1FA70...0x1FAFF, 0x20000...0x3FFFD:
            true
        default:
            false
        }
    }
}
