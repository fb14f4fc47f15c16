import Dashboard

/// The sequences that terminals send for keys without a character.
enum KeySequences {
    /// The key of a control byte; nil for bytes that are no key.
    static func control(_ byte: UInt8) -> KeyPress? {
        switch byte {
        case 0x09: .tab
        // A line feed comes from terminals and scripts that translate the return key.
        case 0x0A, 0x0D: .enter
        case 0x08, 0x7F: .backspace
        case 0x00: .control("@")
        case 0x01...0x1A: .control(Character(Unicode.Scalar(byte + 0x60)))
        case 0x1C...0x1F: .control(Character(Unicode.Scalar(byte + 0x40)))
        default: nil
        }
    }

    /// The input of a control sequence; nil for unknown ones, and for keys with modifiers.
    static func control(parameters: [UInt8], final: UInt8) -> TerminalInput? {
        if parameters.first == UInt8(ascii: "<") {
            return mouse(parameters.dropFirst(), final: final).map { .mouse($0) }
        }
        if final == UInt8(ascii: "~") { return numbered(parameters).map { .key($0) } }
        // `1` and `1;1` mean the key without modifiers.
        guard parameters.isEmpty || parameters == [0x31] || parameters == [0x31, 0x3B, 0x31] else { return nil }
        switch final {
        case UInt8(ascii: "Z"): return .key(.backTab)
        case UInt8(ascii: "I"): return parameters.isEmpty ? .focus(true) : nil
        case UInt8(ascii: "O"): return parameters.isEmpty ? .focus(false) : nil
        default: return cursor(final).map { .key($0) }
        }
    }

    /// A key in its application form, `ESC O` and a final byte.
    static func application(_ final: UInt8) -> KeyPress? {
        switch final {
        case UInt8(ascii: "M"): .enter
        // The keypad in its application mode.
        case UInt8(ascii: "p")...UInt8(ascii: "y"): .character(Character(Unicode.Scalar(final - 0x40)))
        default: cursor(final)
        }
    }

    /// A mouse report in the SGR form: button, column and line, counted from one.
    ///
    /// Nil for releases, movements and the other buttons.
    private static func mouse(_ parameters: ArraySlice<UInt8>, final: UInt8) -> MouseEvent? {
        let numbers = parameters.split(separator: UInt8(ascii: ";")).map { Int(String(decoding: $0, as: UTF8.self)) }
        guard final == UInt8(ascii: "M"), numbers.count == 3, let button = numbers[0], let column = numbers[1],
            let row = numbers[2], column > 0, row > 0
        else { return nil }
        let kind: MouseEvent.Kind? =
            switch button {
            case 0: .press
            case 64: .wheelUp
            case 65: .wheelDown
            default: nil
            }
        return kind.map { MouseEvent(kind: $0, row: row - 1, column: column - 1) }
    }

    private static func cursor(_ final: UInt8) -> KeyPress? {
        switch final {
        case UInt8(ascii: "A"): .up
        case UInt8(ascii: "B"): .down
        case UInt8(ascii: "C"): .right
        case UInt8(ascii: "D"): .left
        case UInt8(ascii: "H"): .home
        case UInt8(ascii: "F"): .end
        case UInt8(ascii: "P")...UInt8(ascii: "S"): .function(Int(final) - 0x4F)
        default: nil
        }
    }

    private static func numbered(_ parameters: [UInt8]) -> KeyPress? {
        switch Int(String(decoding: parameters, as: UTF8.self)) {
        case 1, 7: .home
        case 2: .insert
        case 3: .delete
        case 4, 8: .end
        case 5: .pageUp
        case 6: .pageDown
        case .some(let number) where (11...15).contains(number): .function(number - 10)
        case .some(let number) where (17...21).contains(number): .function(number - 11)
        case .some(let number) where (23...24).contains(number): .function(number - 12)
        default: nil
        }
    }
}

/// Cleans pasted text.
enum PastedText {
    /// Text with lines that end in `\n`, blanks for tabs, and no other control characters.
    static func clean(_ bytes: [UInt8]) -> String {
        var result = String.UnicodeScalarView()
        var endsWithReturn = false
        for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
            let isLineFeedOfPair = endsWithReturn && scalar == "\n"
            endsWithReturn = scalar == "\r"
            if isLineFeedOfPair { continue }
            switch scalar {
            case "\r", "\n": result.append("\n")
            case "\t": result.append(" ")
            case "\0"..<" ", "\u{7F}"..."\u{9F}": continue
            default: result.append(scalar)
            }
        }
        return String(result)
    }
}
