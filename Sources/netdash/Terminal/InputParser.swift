import Dashboard

/// Parses a keyboard's bytes into keys, however reads split them.
///
/// A value without a clock. Unknown sequences are swallowed completely and never leak as keys, also when a slow line
/// delivers them in chunks. An escape is the key of that name when nothing follows it in time; an escape followed at
/// once by a character counts as both, because a slow line joins separate keys. When the rest of a sequence comes after
/// its escape has counted as a key, the rest is swallowed too. Both the normal and the application forms of the cursor
/// keys are known, so no terminal needs to be switched to either.
struct InputParser: Sendable {
    /// The longest paste in bytes; the rest is cut.
    static let pasteLimit = 1 << 20

    private enum State {
        case ground, character, escape, control, application, linuxFunction, mouse, string, paste
        /// A byte that may be a key, or continue a sequence whose escape came alone.
        case late
    }

    private static let pasteEnd: [UInt8] = Array("\u{1B}[201~".utf8)
    private static let escape: UInt8 = 0x1B
    /// The milliseconds for the rest of a sequence that has clearly begun.
    private static let sequencePatience: Int64 = 1000
    /// The milliseconds after an escape in which its sequence may still continue, and that a similar key waits for the
    /// next byte.
    private static let latePatience: Int64 = 400
    private static let pastePatience: Int64 = 2000

    private let escapeDelay: Int64
    private var state = State.ground
    /// The unfinished sequence or character without its introducer, or the paste.
    private var pending: [UInt8] = []
    /// Bytes that the unfinished character or mouse report still lacks.
    private var missing = 0
    /// Until when the rest of a sequence may come after its escape has counted as a key.
    private var lateLimit: Int64?
    /// The matched bytes of the end of a paste.
    private var matched = 0
    private var output: [TerminalInput] = []
    /// When the unfinished sequence stops waiting; nil without one.
    private(set) var deadline: Int64?

    /// An escape counts as a key after `escapeDelay` milliseconds.
    init(escapeDelay: Int64 = 25) {
        self.escapeDelay = escapeDelay
    }

    /// Adds bytes that arrived at `now` and returns the inputs that they complete.
    mutating func feed(_ bytes: some Sequence<UInt8>, now: Int64) -> [TerminalInput] {
        endWait(now: now)
        if let limit = lateLimit, now >= limit { lateLimit = nil }
        for byte in bytes {
            read(byte)
            lateLimit = nil
        }
        deadline = patience.map { now + $0 }
        return takeOutput()
    }

    /// Ends the wait for the rest of a sequence whose time is up.
    mutating func expire(now: Int64) -> [TerminalInput] {
        endWait(now: now)
        return takeOutput()
    }

    private var patience: Int64? {
        switch state {
        case .ground: nil
        case .escape: escapeDelay
        case .character, .control, .application, .linuxFunction, .mouse, .string:
            max(escapeDelay, Self.sequencePatience)
        case .late: max(escapeDelay, Self.latePatience)
        case .paste: Self.pastePatience
        }
    }

    /// Gives up on an unfinished sequence: what could have been typed becomes keys, the rest is dropped.
    private mutating func endWait(now: Int64) {
        guard let limit = deadline, now >= limit else { return }
        switch state {
        case .escape:
            emit(.escape)
            lateLimit = limit + Self.latePatience
        case .late: emit(.character(Character(Unicode.Scalar(pending[0]))))
        case .control where pending.isEmpty:
            emit(.escape)
            emit(.character("["))
        case .application where pending.isEmpty:
            emit(.escape)
            emit(.character("O"))
        // A lone escape cancels the string.
        case .string where matched == 1: emit(.escape)
        case .string where pending.count == 1 && pending[0] < 0x80:
            emit(.escape)
            emit(.character(Character(Unicode.Scalar(pending[0]))))
        case .paste: endPaste()
        case .ground, .character, .control, .application, .linuxFunction, .mouse, .string: break
        }
        enter(.ground)
        deadline = nil
    }

    private mutating func takeOutput() -> [TerminalInput] {
        defer { output.removeAll() }
        return output
    }

    private mutating func emit(_ key: KeyPress) {
        output.append(.key(key))
    }

    private mutating func enter(_ next: State) {
        state = next
        pending.removeAll(keepingCapacity: pending.count < 4096)
        matched = 0
    }

    private mutating func read(_ byte: UInt8) {
        switch state {
        case .ground: readGround(byte)
        case .character: readContinuation(byte)
        case .escape: readAfterEscape(byte)
        case .control: readControl(byte)
        case .application: readApplication(byte)
        case .linuxFunction:
            enter(.ground)
            if (0x41...0x45).contains(byte) { emit(.function(Int(byte) - 0x40)) }
        case .mouse:
            missing -= 1
            if missing == 0 { enter(.ground) }
        case .string: readString(byte)
        case .paste: readPaste(byte)
        case .late: readLate(byte)
        }
    }

    // MARK: Characters

    private mutating func readGround(_ byte: UInt8) {
        switch byte {
        case Self.escape: enter(.escape)
        case UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "O"), UInt8(ascii: "P"), UInt8(ascii: "_"):
            guard lateLimit != nil else { return emit(.character(Character(Unicode.Scalar(byte)))) }
            enter(.late)
            pending.append(byte)
        case 0x20..<0x7F: emit(.character(Character(Unicode.Scalar(byte))))
        case 0xC2...0xDF: begin(byte, missing: 1)
        case 0xE0...0xEF: begin(byte, missing: 2)
        case 0xF0...0xF4: begin(byte, missing: 3)
        // The one-byte introducers; in UTF-8 these bytes occur only inside characters.
        case 0x8F: enter(.application)
        case 0x9B: enter(.control)
        case 0x90, 0x98, 0x9D, 0x9E, 0x9F:
            enter(.string)
            pending.append(byte)
        default: if let key = KeySequences.control(byte) { emit(key) }
        }
    }

    private mutating func begin(_ byte: UInt8, missing count: Int) {
        enter(.character)
        pending.append(byte)
        missing = count
    }

    private mutating func readContinuation(_ byte: UInt8) {
        guard byte & 0xC0 == 0x80 else {
            enter(.ground)
            return readGround(byte)
        }
        pending.append(byte)
        missing -= 1
        guard missing == 0 else { return }
        // Overlong forms, surrogates and C1 controls are no keys.
        if let text = String(validating: pending, as: UTF8.self), let character = text.first,
            !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        {
            emit(.character(character))
        }
        enter(.ground)
    }

    // MARK: Sequences

    private mutating func readAfterEscape(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "["): enter(.control)
        case UInt8(ascii: "O"): enter(.application)
        case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "_"), UInt8(ascii: "^"), UInt8(ascii: "X"):
            enter(.string)
            pending.append(byte)  // Comes back as a key when nothing follows it.
        case Self.escape: emit(.escape)
        default:
            emit(.escape)
            enter(.ground)
            readGround(byte)
        }
    }

    /// Reads the byte after an introducer: replies of terminals continue with certain bytes, typed keys only by chance.
    private mutating func readLate(_ byte: UInt8) {
        let introducer = pending[0]
        let isDigit = (0x30...0x39).contains(byte)
        switch introducer {
        case UInt8(ascii: "["):
            let isSequence = isDigit || "?><=ABCDFHIMZ[".utf8.contains(byte)
            enter(isSequence ? .control : .ground)
        case UInt8(ascii: "O"): enter("ABCDFHPQRSM".utf8.contains(byte) ? .application : .ground)
        case UInt8(ascii: "]"): enter(isDigit || "lLR".utf8.contains(byte) ? .string : .ground)
        case UInt8(ascii: "P"): enter(isDigit || ">!$|+".utf8.contains(byte) ? .string : .ground)
        default: enter(byte == UInt8(ascii: "G") ? .string : .ground)
        }
        if state == .string { pending.append(introducer) }
        if state == .ground { emit(.character(Character(Unicode.Scalar(introducer)))) }
        read(byte)
    }

    private mutating func readControl(_ byte: UInt8) {
        if byte == UInt8(ascii: "["), pending.isEmpty { return enter(.linuxFunction) }
        if byte == UInt8(ascii: "M"), pending.isEmpty {
            missing = 3
            return enter(.mouse)
        }
        // rxvt ends shifted keys with a dollar sign, against the standard.
        let endsEarly = byte == UInt8(ascii: "$") && pending.first != UInt8(ascii: "?")
        if (0x20..<0x40).contains(byte), !endsEarly {
            if pending.count < 64 { pending.append(byte) }
            return
        }
        let parameters = pending
        enter(.ground)
        // CAN and SUB cancel a sequence.
        if endsEarly || byte == 0x18 || byte == 0x1A { return }
        guard (0x40..<0x7F).contains(byte) else { return readGround(byte) }
        if byte == UInt8(ascii: "~"), parameters == Array("200".utf8) { return enter(.paste) }
        if let input = KeySequences.control(parameters: parameters, final: byte) { output.append(input) }
    }

    private mutating func readApplication(_ byte: UInt8) {
        if (0x30..<0x40).contains(byte), pending.count < 8 { return pending.append(byte) }
        let isPlain = pending.isEmpty
        enter(.ground)
        guard (0x40..<0x7F).contains(byte) else { return readGround(byte) }
        if isPlain, let key = KeySequences.application(byte) { emit(key) }
    }

    /// Reports such as colours and versions: swallowed up to their end.
    private mutating func readString(_ byte: UInt8) {
        let isEnd = byte == 0x07 || byte == 0x18 || byte == 0x1A || byte == UInt8(ascii: "\\") && matched == 1
        // A string with a one-byte introducer has a one-byte end; in others that byte is part of a character.
        if isEnd || byte == 0x9C && (pending.first ?? 0) >= 0x80 { return enter(.ground) }
        // Any other escape cancels it and begins the next sequence.
        if matched == 1 {
            enter(.escape)
            return readAfterEscape(byte)
        }
        matched = byte == Self.escape ? 1 : 0
        if pending.count < 2 { pending.append(byte) }
    }

    // MARK: Pastes

    private mutating func readPaste(_ byte: UInt8) {
        if byte == Self.pasteEnd[matched] {
            matched += 1
            if matched == Self.pasteEnd.count {
                endPaste()
                enter(.ground)
            }
            return
        }
        // An escape without the end is dropped like the other controls; the bytes after it are text.
        let text = matched > 1 ? Self.pasteEnd[1..<matched] : []
        for earlier in text { store(earlier) }
        matched = byte == Self.escape ? 1 : 0
        if matched == 0 { store(byte) }
    }

    private mutating func store(_ byte: UInt8) {
        if pending.count < Self.pasteLimit { pending.append(byte) }
    }

    private mutating func endPaste() {
        output.append(.paste(PastedText.clean(pending)))
    }
}
