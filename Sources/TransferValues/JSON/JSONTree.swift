import SessionSupport

/// A JSON text as a tree of values, which are ranges of its bytes in their order.
///
/// Members keep their order and numbers their spelling. Too large or too deep a text makes no tree, so that no server
/// can make a screen slow.
package struct JSONTree: Sendable, Equatable {
    /// The most bytes of a text.
    package static let byteLimit = 1 << 20
    /// The most values of a text.
    package static let nodeLimit = 100_000
    /// The deepest nesting.
    package static let depthLimit: UInt8 = 64

    /// The kinds of value.
    package enum Kind: UInt8, Sendable {
        case object, array, string, number
        /// `true`, `false` or `null`.
        case word

        /// Whether it contains values.
        package var isGroup: Bool { self == .object || self == .array }
    }

    /// One value.
    package struct Node: Sendable, Equatable {
        /// The member's name with its quotes, as byte positions; empty outside objects.
        package fileprivate(set) var name: Range<UInt32>
        /// For a group from its first to its last bracket.
        package fileprivate(set) var value: Range<UInt32>
        /// The index after it and everything in it.
        package fileprivate(set) var end: Int32
        /// The index of its group; below zero for the root.
        package fileprivate(set) var parent: Int32
        /// Its index in its group.
        package fileprivate(set) var ordinal: Int32
        /// The number of values directly in it.
        package fileprivate(set) var count: Int32 = 0
        package fileprivate(set) var depth: UInt8
        package fileprivate(set) var kind: Kind
    }

    package let bytes: [UInt8]
    /// Every value, each before its members; the first is the root.
    package private(set) var nodes: [Node] = []

    /// Why a text makes no tree.
    package enum Problem: Error, Sendable, Equatable {
        /// It is not one object or array.
        case noGroup
        case tooManyValues(limit: Int)
        case tooDeep(limit: Int)
    }

    /// Reads a text that is one object or array; nil for anything else, and beyond the limits.
    package init?(_ bytes: [UInt8], nodeLimit: Int = JSONTree.nodeLimit) {
        guard let tree = try? JSONTree(bytes, nodeLimit: nodeLimit, depthLimit: Self.depthLimit) else { return nil }
        self = tree
    }

    /// Reads a text that is one object or array.
    package init(_ bytes: [UInt8], nodeLimit: Int, depthLimit: UInt8) throws(Problem) {
        self.bytes = bytes
        var reader = JSONReader(bytes: bytes, nodeLimit: nodeLimit, depthLimit: Int(depthLimit))
        guard let nodes = reader.readAll() else { throw reader.problem }
        self.nodes = nodes
    }

    package func isFilled(_ node: Int) -> Bool { nodes[node].count > 0 }

    package func children(of node: Int) -> [Int] {
        var children: [Int] = []
        var child = node + 1
        while child < nodes[node].end {
            children.append(child)
            child = Int(nodes[child].end)
        }
        return children
    }

    /// The unescaped name of a member without quotes; nil outside objects.
    package func name(of node: Int) -> [UInt8]? {
        let name = nodes[node].name
        guard !name.isEmpty else { return nil }
        return JSONEscapes.decoded(bytes[Int(name.lowerBound) + 1..<Int(name.upperBound) - 1])
    }
}

/// Encodes the bytes in Base64; decoding parses them again.
extension JSONTree: Codable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let bytes = Base64.decode(try container.decode(String.self)), let tree = JSONTree(bytes) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "No JSON object or array")
        }
        self = tree
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(Base64.encode(bytes))
    }
}

/// Formats a tree in lines.
extension JSONTree {
    /// A piece of a line with its kind, for colours.
    package struct Piece: Sendable, Equatable {
        package enum Kind: Sendable {
            case name, string, number, word, mark
        }

        package var kind: Kind
        package var text: SafeText

        package init(kind: Kind, text: SafeText) { (self.kind, self.text) = (kind, text) }
    }

    /// The pieces of a value's first line: for a group its opening bracket, or all of it where it is folded or empty.
    package func pieces(of node: Int, isFolded: Bool) -> [Piece] {
        let value = nodes[node]
        var pieces: [Piece] = []
        if !value.name.isEmpty {
            pieces.append(Piece(kind: .name, text: text(value.name)))
            pieces.append(Piece(kind: .mark, text: ": "))
        }
        let comma: SafeText = isFollowed(node) ? "," : ""
        switch value.kind {
        case .string: pieces.append(Piece(kind: .string, text: text(value.value)))
        case .number: pieces.append(Piece(kind: .number, text: text(value.value)))
        case .word: pieces.append(Piece(kind: .word, text: text(value.value)))
        case .object, .array:
            let (opening, closing) = brackets(of: node)
            if value.count == 0 {
                pieces.append(Piece(kind: .mark, text: opening + closing))
            } else if isFolded {
                pieces.append(Piece(kind: .mark, text: opening + "…" + closing + " " + summary(of: node)))
            } else {
                pieces.append(Piece(kind: .mark, text: opening))
                return pieces
            }
        }
        if !comma.isEmpty { pieces.append(Piece(kind: .mark, text: comma)) }
        return pieces
    }

    package func closing(of node: Int) -> Piece {
        Piece(kind: .mark, text: brackets(of: node).closing + (isFollowed(node) ? "," : ""))
    }

    /// The complete text in indented lines, up to the limit.
    package func lines(limit: Int) -> [SafeText] {
        var lines: [SafeText] = []
        func add(_ pieces: [Piece], depth: UInt8) {
            lines.append(SafeText(" ") * (2 * Int(depth)) + pieces.reduce(into: SafeText.empty) { $0 += $1.text })
        }
        var open: [Int] = []
        for node in nodes.indices {
            while let group = open.last, node >= nodes[group].end {
                open.removeLast()
                add([closing(of: group)], depth: nodes[group].depth)
            }
            guard lines.count < limit else { return Array(lines.prefix(limit)) }
            add(pieces(of: node, isFolded: false), depth: nodes[node].depth)
            if nodes[node].kind.isGroup, isFilled(node) { open.append(node) }
        }
        for group in open.reversed() { add([closing(of: group)], depth: nodes[group].depth) }
        return Array(lines.prefix(limit))
    }

    /// `3 members`, `1 element`.
    package func summary(of node: Int) -> SafeText {
        let value = nodes[node]
        return value.kind == .object ? BodyLabels.members(Int(value.count)) : BodyLabels.elements(Int(value.count))
    }

    private func brackets(of node: Int) -> (opening: SafeText, closing: SafeText) {
        nodes[node].kind == .object ? ("{", "}") : ("[", "]")
    }

    private func isFollowed(_ node: Int) -> Bool {
        let parent = nodes[node].parent
        return parent >= 0 && nodes[node].end < nodes[Int(parent)].end
    }

    private func text(_ range: Range<UInt32>) -> SafeText {
        SafeText(untrusted: bytes[Int(range.lowerBound)..<Int(range.upperBound)])
    }
}

/// Parses a JSON text in one pass, without recursion.
private struct JSONReader {
    package let bytes: [UInt8]
    package let nodeLimit: Int
    package let depthLimit: Int
    /// Why nothing was read.
    package private(set) var problem = JSONTree.Problem.noGroup
    private var position = 0
    private var nodes: [JSONTree.Node] = []
    /// The open groups, outermost first.
    private var open: [Int] = []

    package init(bytes: [UInt8], nodeLimit: Int, depthLimit: Int) {
        self.bytes = bytes
        (self.nodeLimit, self.depthLimit) = (nodeLimit, depthLimit)
    }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    package mutating func readAll() -> [JSONTree.Node]? {
        skipBlanks()
        guard next == UInt8(ascii: "{") || next == UInt8(ascii: "["), bytes.count < Int(Int32.max) else { return nil }
        repeat {
            guard readValue(), closeGroups() else { return nil }
        } while !open.isEmpty
        skipBlanks()
        return position == bytes.count ? nodes : nil
    }

    /// Reads a scalar or the opening bracket of a group, with its name where it is a member.
    private mutating func readValue() -> Bool {
        var name: Range<UInt32> = 0..<0
        if let group = open.last, nodes[group].kind == .object {
            let start = position
            guard next == UInt8(ascii: "\""), readString() else { return false }
            name = UInt32(start)..<UInt32(position)
            skipBlanks()
            guard next == UInt8(ascii: ":") else { return false }
            position += 1
            skipBlanks()
        }
        guard let byte = next, isWithinLimits() else { return false }
        let start = position
        let kind: JSONTree.Kind
        switch byte {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            kind = byte == UInt8(ascii: "{") ? .object : .array
            position += 1
        case UInt8(ascii: "\""):
            kind = .string
            guard readString() else { return false }
        default:
            guard let found = readWord() else { return false }
            kind = found
        }
        let parent = open.last
        let node = JSONTree.Node(
            name: name, value: UInt32(start)..<UInt32(position), end: Int32(nodes.count + 1),
            parent: parent.map { Int32($0) } ?? -1, ordinal: parent.map { nodes[$0].count } ?? 0,
            depth: UInt8(open.count), kind: kind)
        if let parent { nodes[parent].count += 1 }
        if kind.isGroup { open.append(nodes.count) }
        nodes.append(node)
        return true
    }

    private mutating func isWithinLimits() -> Bool {
        if nodes.count >= nodeLimit {
            problem = .tooManyValues(limit: nodeLimit)
        } else if open.count >= depthLimit {
            problem = .tooDeep(limit: depthLimit)
        } else {
            return true
        }
        return false
    }

    /// Closes the groups that end here, and skips the comma before the next value.
    private mutating func closeGroups() -> Bool {
        while let group = open.last {
            skipBlanks()
            let closing = nodes[group].kind == .object ? UInt8(ascii: "}") : UInt8(ascii: "]")
            if next == closing {
                position += 1
                nodes[group].value = nodes[group].value.lowerBound..<UInt32(position)
                nodes[group].end = Int32(nodes.count)
                open.removeLast()
                continue
            }
            // The first value of a group has no comma before it.
            if nodes[group].count == 0 { return true }
            guard next == UInt8(ascii: ",") else { return false }
            position += 1
            skipBlanks()
            return true
        }
        return true
    }

    private mutating func skipBlanks() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    private mutating func readString() -> Bool {
        position += 1
        while let byte = next {
            position += 1
            if byte == UInt8(ascii: "\"") { return true }
            if byte < 0x20 { return false }
            if byte == UInt8(ascii: "\\") { position += 1 }
        }
        return false
    }

    private mutating func readWord() -> JSONTree.Kind? {
        let start = position
        while let byte = next, byte > 0x20 {
            switch byte {
            case UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: ":"), UInt8(ascii: "\""),
                UInt8(ascii: "["), UInt8(ascii: "{"):
                return kind(of: start)
            default: position += 1
            }
        }
        return kind(of: start)
    }

    private func kind(of start: Int) -> JSONTree.Kind? {
        // No real number is longer.
        guard start < position, position - start <= 1000 else { return nil }
        let word = String(decoding: bytes[start..<position], as: UTF8.self)
        if word == "true" || word == "false" || word == "null" { return .word }
        let isNumeric = word.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "e"),
                UInt8(ascii: "E"):
                true
            default: false
            }
        }
        return isNumeric && Double(word) != nil ? .number : nil
    }
}

/// Decodes the escapes of JSON strings.
package enum JSONEscapes {
    /// The bytes of a string; an unknown escape stays unchanged.
    package static func decoded(_ string: ArraySlice<UInt8>) -> [UInt8] {
        guard string.contains(UInt8(ascii: "\\")) else { return Array(string) }
        var result: [UInt8] = []
        var units: [UInt16] = []
        var rest = string
        func flush() {
            result += Array(String(decoding: units, as: UTF16.self).utf8)
            units = []
        }
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\"), let letter = rest.popFirst() else {
                if !units.isEmpty { flush() }
                result.append(byte)
                continue
            }
            if letter == UInt8(ascii: "u"), let unit = hexadecimal(rest.prefix(4)) {
                rest = rest.dropFirst(4)
                units.append(unit)
                continue
            }
            if !units.isEmpty { flush() }
            result.append(meaning(of: letter))
        }
        if !units.isEmpty { flush() }
        return result
    }

    private static func meaning(of letter: UInt8) -> UInt8 {
        switch letter {
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "t"): 0x09
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0C
        default: letter
        }
    }

    private static func hexadecimal(_ digits: ArraySlice<UInt8>) -> UInt16? {
        guard digits.count == 4, digits.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") }) else {
            return nil
        }
        return UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
    }
}
