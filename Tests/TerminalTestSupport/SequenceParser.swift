/// Cuts a terminal's output into characters, controls and sequences.
struct SequenceParser {
    /// One complete piece.
    enum Piece: Equatable {
        /// The piece goes on.
        case none
        case scalar(Unicode.Scalar)
        case control(UInt8)
        case escape(intermediates: String, final: UInt8)
        case sequence(prefix: String, parameters: [Int], final: UInt8)
        /// The text of an operating system command.
        case string(String)
    }

    private enum State { case ground, escape, sequence, string, stringEscape }

    private var state = State.ground
    private var collected: [UInt8] = []
    private var character: [UInt8] = []
    private var missing = 0

    mutating func take(_ byte: UInt8) -> Piece {
        if byte == 0x1B, state != .string { return begin() }
        switch state {
        case .ground: return takeGround(byte)
        case .escape: return takeEscape(byte)
        case .sequence: return takeSequence(byte)
        case .string:
            if byte == 0x1B {
                state = .stringEscape
            } else if byte == 0x07 {
                return end(.string(String(decoding: collected, as: UTF8.self)))
            } else {
                collected.append(byte)
            }
            return .none
        case .stringEscape:
            return end(.string(String(decoding: collected, as: UTF8.self)))
        }
    }

    /// An escape ends whatever was begun, as terminals do it: a program that leaves may have been cut short.
    private mutating func begin() -> Piece {
        state = .escape
        collected = []
        missing = 0
        return .none
    }

    private mutating func end(_ piece: Piece) -> Piece {
        state = .ground
        collected = []
        return piece
    }

    private mutating func takeGround(_ byte: UInt8) -> Piece {
        if missing > 0 {
            // No character goes on like this: a byte of its own that a terminal may take for a control.
            guard 0x80...0xBF ~= byte else {
                missing = 0
                return .control(byte)
            }
            character.append(byte)
            missing -= 1
            guard missing == 0 else { return .none }
            return String(decoding: character, as: UTF8.self).unicodeScalars.first.map { .scalar($0) } ?? .none
        }
        if byte < 0x20 || byte == 0x7F { return .control(byte) }
        if byte < 0x80 { return .scalar(Unicode.Scalar(byte)) }
        guard 0xC2...0xF4 ~= byte else { return .control(byte) }
        character = [byte]
        missing = byte >= 0xF0 ? 3 : byte >= 0xE0 ? 2 : 1
        return .none
    }

    private mutating func takeEscape(_ byte: UInt8) -> Piece {
        if byte == UInt8(ascii: "[") {
            state = .sequence
        } else if byte == UInt8(ascii: "]") || byte == UInt8(ascii: "P") || byte == UInt8(ascii: "k") {
            state = .string
        } else if (0x20..<0x30).contains(byte) {
            collected.append(byte)
        } else {
            return end(.escape(intermediates: String(decoding: collected, as: UTF8.self), final: byte))
        }
        return .none
    }

    private mutating func takeSequence(_ byte: UInt8) -> Piece {
        guard byte >= 0x40 else {
            collected.append(byte)
            return .none
        }
        let text = String(decoding: collected, as: UTF8.self)
        let prefix = text.filter { !$0.isNumber && $0 != ";" }
        let parameters = text.filter { $0.isNumber || $0 == ";" }.split(
            separator: ";", omittingEmptySubsequences: false)
        return end(.sequence(prefix: prefix, parameters: parameters.map { Int($0) ?? 0 }, final: byte))
    }
}
