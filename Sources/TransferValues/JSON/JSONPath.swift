/// A path to values in JSON: `.items[0].name`, `.items[].id` for every element, or `/items/0/name`.
package struct JSONPath: Sendable, Equatable {
    /// One step from a value to its content.
    enum Step: Sendable, Equatable {
        case member([UInt8])
        /// Negative numbers count from the end.
        case element(Int)
        /// All members or elements of the value.
        case every
        /// A member's name or an element's number: a JSON pointer does not say which.
        case token([UInt8])
    }

    /// The reason why a text is no path, in one sentence.
    package struct Problem: Error, Equatable {
        package var sentence: SafeText

        package init(sentence: SafeText) { self.sentence = sentence }
    }

    /// The path as it was typed.
    package let text: String
    let steps: [Step]

    /// The maximum number of values shown.
    package static let resultLimit = 10_000

    /// The name of the last member on the path; nil without one.
    package var lastName: String? {
        for step in steps.reversed() {
            switch step {
            case .member(let name), .token(let name): return String(decoding: name, as: UTF8.self)
            case .element, .every: continue
            }
        }
        return nil
    }

    /// Reads a path; one without steps selects the complete document.
    package init(_ text: String) throws(Problem) {
        self.text = text
        let bytes = Array(text.utf8)
        steps = bytes.first == UInt8(ascii: "/") ? JSONPath.pointer(bytes[...]) : try JSONPath.path(bytes[...])
    }

    /// The steps of an RFC 6901 pointer: `~1` stands for a slash in a name, `~0` for the `~`.
    private static func pointer(_ bytes: ArraySlice<UInt8>) -> [Step] {
        let tokens = bytes.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        if tokens.allSatisfy(\.isEmpty), tokens.count == 1 { return [] }
        return tokens.map { token in
            let name = String(decoding: token, as: UTF8.self).replacing("~1", with: "/").replacing("~0", with: "~")
            return .token(Array(name.utf8))
        }
    }

    private static func path(_ full: ArraySlice<UInt8>) throws(Problem) -> [Step] {
        var rest = full.first == UInt8(ascii: "$") ? full.dropFirst() : full
        if rest.elementsEqual([UInt8(ascii: ".")]) { return [] }
        var steps: [Step] = []
        while let byte = rest.first {
            if byte == UInt8(ascii: "[") {
                steps.append(try bracket(&rest))
                continue
            }
            // The first name may omit its dot.
            if byte == UInt8(ascii: ".") { rest = rest.dropFirst() } else if !steps.isEmpty { throw problem(at: rest) }
            if rest.first == UInt8(ascii: "\"") {
                steps.append(.member(try quoted(&rest)))
                continue
            }
            // This accepts `.items.[0]`.
            if rest.first == UInt8(ascii: "["), byte == UInt8(ascii: ".") { continue }
            let name = rest.prefix { $0 != UInt8(ascii: ".") && $0 != UInt8(ascii: "[") }
            guard !name.isEmpty else { throw problem(at: rest) }
            steps.append(name.elementsEqual([UInt8(ascii: "*")]) ? .every : .member(Array(name)))
            rest = rest[name.endIndex...]
        }
        return steps
    }

    /// Reads `[0]`, `[]`, `[*]` or `["name"]`.
    private static func bracket(_ rest: inout ArraySlice<UInt8>) throws(Problem) -> Step {
        let start = rest
        rest = rest.dropFirst()
        if rest.first == UInt8(ascii: "\"") {
            let name = try quoted(&rest)
            guard rest.first == UInt8(ascii: "]") else { throw problem(at: start) }
            rest = rest.dropFirst()
            return .member(name)
        }
        let inside = rest.prefix { $0 != UInt8(ascii: "]") }
        guard inside.endIndex < rest.endIndex else { throw problem(at: start) }
        rest = rest[inside.endIndex...].dropFirst()
        if inside.isEmpty || inside.elementsEqual([UInt8(ascii: "*")]) { return .every }
        let isNumber = inside.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-") }
        guard isNumber, let number = Int(String(decoding: inside, as: UTF8.self)) else { throw problem(at: start) }
        return .element(number)
    }

    private static func quoted(_ rest: inout ArraySlice<UInt8>) throws(Problem) -> [UInt8] {
        let start = rest
        rest = rest.dropFirst()
        var isEscaped = false
        let inside = rest.prefix { byte in
            if !isEscaped, byte == UInt8(ascii: "\"") { return false }
            isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
            return true
        }
        guard inside.endIndex < rest.endIndex else { throw problem(at: start) }
        rest = rest[inside.endIndex...].dropFirst()
        return JSONEscapes.decoded(inside)
    }

    private static func problem(at rest: ArraySlice<UInt8>) -> Problem {
        guard !rest.isEmpty else { return Problem(sentence: PathErrors.unfinished) }
        return Problem(sentence: PathErrors.invalid(SafeText(untrusted: Array(rest.prefix(20)))))
    }
}

/// Finding values by paths, and the paths of values.
extension JSONTree {
    /// The values at a path, in order; if there are none, the error says how far the path exists.
    package func find(_ path: JSONPath) throws(JSONPath.Problem) -> [Int] {
        var found = [0]
        for step in path.steps {
            var next: [Int] = []
            for node in found where next.count < JSONPath.resultLimit { next += take(step, from: node) }
            guard !next.isEmpty else { throw missing(step, in: found) }
            found = next
        }
        return Array(found.prefix(JSONPath.resultLimit))
    }

    private func take(_ step: JSONPath.Step, from node: Int) -> [Int] {
        switch step {
        case .every: return children(of: node)
        case .member(let name): return member(name, of: node).map { [$0] } ?? []
        case .element(let number): return element(number, of: node).map { [$0] } ?? []
        case .token(let token):
            guard nodes[node].kind == .array else { return member(token, of: node).map { [$0] } ?? [] }
            let number =
                token.allSatisfy { (0x30...0x39).contains($0) } ? Int(String(decoding: token, as: UTF8.self)) : nil
            return number.flatMap { element($0, of: node) }.map { [$0] } ?? []
        }
    }

    /// The last member with a name, which counts if the name is repeated.
    private func member(_ name: [UInt8], of node: Int) -> Int? {
        guard nodes[node].kind == .object else { return nil }
        return children(of: node).last { self.name(of: $0) == name }
    }

    private func element(_ number: Int, of node: Int) -> Int? {
        let count = Int(nodes[node].count)
        guard nodes[node].kind == .array, number < count, number >= -count else { return nil }
        return children(of: node)[number < 0 ? number + count : number]
    }

    private func missing(_ step: JSONPath.Step, in found: [Int]) -> JSONPath.Problem {
        let wanted: SafeText =
            switch step {
            case .every: PathErrors.nothing
            case .member(let name), .token(let name): PathErrors.noMember(SafeText(untrusted: name))
            case .element(let number): PathErrors.noElement(number)
            }
        guard found.count == 1, let node = found.first else {
            return .init(sentence: PathErrors.inValues(wanted, found.count))
        }
        let shownPath = node == 0 ? PathErrors.body : SafeText(untrusted: path(of: node))
        let kind: SafeText =
            switch nodes[node].kind {
            case .object, .array: summary(of: node)
            case .string: PathErrors.string
            case .number: PathErrors.number
            case .word: PathErrors.word
            }
        return .init(sentence: PathErrors.at(wanted, shownPath, kind))
    }

    /// The path of a value, in the form that finds it again.
    package func path(of node: Int) -> String {
        var parts: [String] = []
        var node = node
        while nodes[node].parent >= 0 {
            if let name = name(of: node) {
                parts.append(Self.step(name))
            } else {
                parts.append("[\(nodes[node].ordinal)]")
            }
            node = Int(nodes[node].parent)
        }
        return parts.isEmpty ? "." : parts.reversed().joined()
    }

    /// A name after a dot if it needs no quotes, else in quotes.
    private static func step(_ name: [UInt8]) -> String {
        let isPlain =
            !name.isEmpty && name != [UInt8(ascii: "*")]
            && name.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x80..., UInt8(ascii: "_"), UInt8(ascii: "-"),
                    UInt8(ascii: "*"):
                    true
                default: false
                }
            }
        let text = String(decoding: name, as: UTF8.self)
        guard !isPlain else { return "." + text }
        return "[\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\"]"
    }
}
