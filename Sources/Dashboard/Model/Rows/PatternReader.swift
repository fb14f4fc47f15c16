/// Parses a pattern into positions and their followers.
struct PatternReader {
    /// A part of a pattern: its first and last positions, and whether it may be empty.
    struct Part {
        var first: UInt64 = 0
        var last: UInt64 = 0
        var isEmpty = true
    }

    /// The maximum nesting of groups.
    private static let depthLimit = 20
    /// The maximum number of atoms read, copies included; empty groups take no position.
    private static let readLimit = 1000

    private let characters: [Character]
    private var position = 0
    private var depth = 0
    private var reads = 0
    private(set) var takers = [UInt64](repeating: 0, count: 256)
    private(set) var followers: [UInt64] = []
    private(set) var hasEdges = false

    init(_ text: String) {
        characters = Array(text)
    }

    mutating func read() throws(FilterPattern.Problem) -> Part {
        let part = try alternatives()
        guard position == characters.count else {
            throw FilterPattern.Problem(sentence: PatternErrors.closingWithoutOpening)
        }
        return part
    }

    private var next: Character? { position < characters.count ? characters[position] : nil }

    private mutating func skip(_ character: Character) -> Bool {
        guard next == character else { return false }
        position += 1
        return true
    }

    private mutating func alternatives() throws(FilterPattern.Problem) -> Part {
        var result = try sequence()
        while skip("|") {
            let other = try sequence()
            result = Part(
                first: result.first | other.first, last: result.last | other.last,
                isEmpty: result.isEmpty || other.isEmpty)
        }
        return result
    }

    private mutating func sequence() throws(FilterPattern.Problem) -> Part {
        var result = Part()
        while let character = next, character != "|", character != ")" {
            result = joined(result, try repeated())
        }
        return result
    }

    private mutating func joined(_ left: Part, _ right: Part) -> Part {
        link(left.last, to: right.first)
        return Part(
            first: left.isEmpty ? left.first | right.first : left.first,
            last: right.isEmpty ? left.last | right.last : right.last, isEmpty: left.isEmpty && right.isEmpty)
    }

    private mutating func link(_ symbols: UInt64, to targets: UInt64) {
        for symbol in followers.indices where symbols & 1 << UInt64(symbol) != 0 { followers[symbol] |= targets }
    }

    /// An atom with its repetition count.
    private mutating func repeated() throws(FilterPattern.Problem) -> Part {
        let start = position
        var part = try atom()
        let end = position
        while let character = next {
            switch character {
            case "*", "+":
                position += 1
                link(part.last, to: part.first)
                if character == "*" { part.isEmpty = true }
            case "?":
                position += 1
                part.isEmpty = true
            case "{":
                guard let bounds = try counts() else { return part }
                part = try copies(of: start..<end, part, bounds)
                return part
            default: return part
            }
        }
        return part
    }

    /// The counts in braces; nil if the brace is only a character.
    private mutating func counts() throws(FilterPattern.Problem) -> (least: Int, most: Int?)? {
        guard let close = characters[position...].firstIndex(of: "}") else { return nil }
        let parts = String(characters[(position + 1)..<close]).split(separator: ",", omittingEmptySubsequences: false)
        guard let least = parts.first.flatMap({ Int($0) }), least >= 0, parts.count <= 2 else { return nil }
        let most = parts.count == 1 ? least : Int(parts[1])
        guard parts.count == 1 || parts[1].isEmpty || most != nil, most.map({ $0 >= least }) ?? true else {
            throw FilterPattern.Problem(sentence: PatternErrors.repetition)
        }
        position = close + 1
        return (least, most)
    }

    /// The same atom several times in a row: it is parsed again each time, because each copy takes its own positions.
    private mutating func copies(
        of range: Range<Int>, _ first: Part, _ bounds: (least: Int, most: Int?)
    ) throws(FilterPattern.Problem) -> Part {
        let after = position
        defer { position = after }
        if bounds.most == 0 { return Part() }
        var result = first
        if bounds.least == 0 { result.isEmpty = true }
        let count = bounds.most ?? max(bounds.least, 1)
        guard count <= FilterPattern.symbolLimit else { throw FilterPattern.Problem(sentence: PatternErrors.tooLong) }
        for number in 1..<max(count, 1) {
            position = range.lowerBound
            var copy = try atom()
            if number >= bounds.least { copy.isEmpty = true }
            if number == count - 1, bounds.most == nil { link(copy.last, to: copy.first) }
            result = joined(result, copy)
        }
        if bounds.most == nil, count == 1 { link(result.last, to: result.first) }
        return result
    }

    private mutating func atom() throws(FilterPattern.Problem) -> Part {
        guard let character = next else { throw FilterPattern.Problem(sentence: PatternErrors.unfinished) }
        reads += 1
        guard reads <= Self.readLimit else { throw FilterPattern.Problem(sentence: PatternErrors.tooLong) }
        position += 1
        switch character {
        case "(":
            depth += 1
            guard depth <= Self.depthLimit else {
                throw FilterPattern.Problem(sentence: PatternErrors.tooDeep)
            }
            let part = try alternatives()
            guard skip(")") else { throw FilterPattern.Problem(sentence: PatternErrors.openGroup) }
            depth -= 1
            return part
        case "[": return try set()
        case ".": return try anyCharacter()
        case "^", "$":
            hasEdges = true
            return try symbol { $0 == RowTexts.separator }
        case "*", "+", "?":
            throw FilterPattern.Problem(sentence: PatternErrors.followsNothing(SafeText(untrusted: "\(character)")))
        case "\\":
            guard let escaped = next else { throw FilterPattern.Problem(sentence: PatternErrors.openEscape) }
            position += 1
            if let members = Self.members(of: escaped) { return try symbol(members) }
            return try literal(escaped)
        default: return try literal(character)
        }
    }

    /// A position that takes some bytes.
    private mutating func symbol(_ isTaken: (UInt8) -> Bool) throws(FilterPattern.Problem) -> Part {
        guard followers.count < FilterPattern.symbolLimit else {
            throw FilterPattern.Problem(sentence: PatternErrors.tooLong)
        }
        let bit: UInt64 = 1 << UInt64(followers.count)
        followers.append(0)
        for byte in UInt8.min...UInt8.max where isTaken(byte) { takers[Int(byte)] |= bit }
        return Part(first: bit, last: bit, isEmpty: false)
    }

    /// A character in either case, as its bytes.
    private mutating func literal(_ character: Character) throws(FilterPattern.Problem) -> Part {
        var result = Part()
        for byte in String(character).lowercased().utf8 {
            let isLetter = (0x61...0x7A).contains(byte)
            result = joined(result, try symbol { $0 == byte || isLetter && $0 == byte & ~0x20 })
        }
        return result
    }

    /// Any one character: an ASCII byte, or the lead byte of a longer character and its continuation bytes.
    private mutating func anyCharacter() throws(FilterPattern.Problem) -> Part {
        let head = try symbol { $0 != RowTexts.separator && $0 & 0xC0 != 0x80 }
        var rest = try symbol { $0 & 0xC0 == 0x80 }
        link(rest.last, to: rest.first)
        rest.isEmpty = true
        return joined(head, rest)
    }

    /// One of the characters in brackets, or none of them.
    private mutating func set() throws(FilterPattern.Problem) -> Part {
        let isInverted = skip("^")
        var members = [Bool](repeating: false, count: 128)
        var isFirst = true
        while true {
            guard let character = next else { throw FilterPattern.Problem(sentence: PatternErrors.openSet) }
            position += 1
            if character == "]", !isFirst { break }
            isFirst = false
            if character == "\\", let escaped = next {
                position += 1
                if let known = Self.members(of: escaped) {
                    for byte in UInt8(0)..<128 where known(byte) { members[Int(byte)] = true }
                    continue
                }
                add(try Self.ascii(escaped), through: try Self.ascii(escaped), to: &members)
                continue
            }
            let low = try Self.ascii(character)
            guard next == "-", position + 1 < characters.count, characters[position + 1] != "]" else {
                add(low, through: low, to: &members)
                continue
            }
            let high = try Self.ascii(characters[position + 1])
            position += 2
            guard low <= high else { throw FilterPattern.Problem(sentence: PatternErrors.backwards) }
            add(low, through: high, to: &members)
        }
        guard isInverted else { return try symbol { $0 < 128 && members[Int($0)] } }
        let head = try symbol { byte in
            byte == RowTexts.separator ? false : byte < 128 ? !members[Int(byte)] : byte & 0xC0 != 0x80
        }
        var rest = try symbol { $0 & 0xC0 == 0x80 }
        link(rest.last, to: rest.first)
        rest.isEmpty = true
        return joined(head, rest)
    }

    /// Adds a range of bytes, letters in both cases.
    private func add(_ low: UInt8, through high: UInt8, to members: inout [Bool]) {
        for byte in low...high {
            members[Int(byte)] = true
            let other = byte ^ 0x20
            if (0x61...0x7A).contains(byte | 0x20) { members[Int(other)] = true }
        }
    }

    private static func ascii(_ character: Character) throws(FilterPattern.Problem) -> UInt8 {
        guard let value = character.asciiValue else {
            throw FilterPattern.Problem(sentence: PatternErrors.onlyASCII)
        }
        return value
    }

    /// The bytes of an escaped class letter; nil for a letter that stands for itself.
    private static func members(of escaped: Character) -> ((UInt8) -> Bool)? {
        func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
        func isWord(_ byte: UInt8) -> Bool { isDigit(byte) || byte == 0x5F || (0x61...0x7A).contains(byte | 0x20) }
        switch escaped {
        case "d": return isDigit
        case "w": return isWord
        case "s": return { $0 == 0x20 || $0 == 0x09 }
        case "D": return { !isDigit($0) && $0 != RowTexts.separator }
        case "W": return { !isWord($0) && $0 != RowTexts.separator }
        case "S": return { $0 != 0x20 && $0 != 0x09 && $0 != RowTexts.separator }
        default: return nil
        }
    }
}
