import CJQ

/// What is looked for in a JSON body: a path of ours, or a program in jq's language where libjq is installed.
///
/// A text with a pipe, a bracket of a call, a comma, a question mark or a space outside of quotes is a program.
package enum JSONQuery: Sendable, Equatable {
    case path(JSONPath)
    case program(JSONProgram)

    /// Reads a query; an empty text selects the complete body.
    package init(_ text: String) throws(JSONPath.Problem) {
        guard Self.isProgram(text) else {
            self = .path(try JSONPath(text))
            return
        }
        self = .program(try JSONProgram(text))
    }

    /// The query as it was typed.
    package var text: String {
        switch self {
        case .path(let path): path.text
        case .program(let program): program.text
        }
    }

    /// The name of the last member on a path; nil without one.
    var lastName: String? { if case .path(let path) = self { path.lastName } else { nil } }

    /// Whether the names around what it finds are unknown, so that a secret is not known as one.
    var hidesNames: Bool { if case .program = self { true } else { false } }

    /// The values found, as nodes of a tree: the body's own, or one of the results.
    ///
    /// A path finds at least one; a program may find none.
    func values(in tree: JSONTree) throws(JSONPath.Problem) -> (tree: JSONTree, nodes: [Int]) {
        switch self {
        case .path(let path): return (tree, try tree.find(path))
        case .program(let program):
            let results = try program.results(for: tree.bytes)
            return (results, results.children(of: 0))
        }
    }

    private static func isProgram(_ text: String) -> Bool {
        guard !text.hasPrefix("/") else { return false }
        var (isQuoted, isEscaped) = (false, false)
        for byte in text.utf8 {
            if byte == UInt8(ascii: "\""), !isEscaped { isQuoted.toggle() }
            isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
            if !isQuoted, "|(){},;? ".utf8.contains(byte) { return true }
        }
        return false
    }
}

/// A program in jq's language, which libjq runs.
package struct JSONProgram: Sendable, Equatable {
    /// The most values of all results.
    private static let valueLimit = 1_000_000
    /// The most bytes of a reason.
    private static let reasonLimit = 200

    let text: String

    /// Throws where the program cannot be compiled, or libjq is missing.
    init(_ text: String) throws(JSONPath.Problem) {
        self.text = text
        guard cjq_is_available() != 0 else { throw JSONPath.Problem(sentence: PathErrors.noLibrary) }
        guard !text.utf8.contains(0) else { throw JSONPath.Problem(sentence: PathErrors.nulByte) }
        let reason = Self.reason { cjq_check(text, $0, $1) }
        if let reason { throw JSONPath.Problem(sentence: PathErrors.program(reason)) }
    }

    /// The results for a body, as the elements of an array.
    func results(for body: [UInt8]) throws(JSONPath.Problem) -> JSONTree {
        var (found, length) = (UnsafeMutablePointer<CChar>?.none, 0)
        defer { cjq_free(found) }
        let reason = body.withUnsafeBytes { body in
            Self.reason { message, capacity in
                cjq_run(
                    text, body.baseAddress?.assumingMemoryBound(to: CChar.self), body.count,
                    Int64(JSONPath.resultLimit), &found, &length, message, capacity)
            }
        }
        if let reason { throw JSONPath.Problem(sentence: PathErrors.program(reason)) }
        let bytes = UnsafeRawBufferPointer(start: found, count: length)
        guard let tree = JSONTree(Array(bytes), nodeLimit: Self.valueLimit) else {
            throw JSONPath.Problem(sentence: PathErrors.manyResults)
        }
        return tree
    }

    /// The reason why a call of libjq failed; nil where it did not.
    private static func reason(_ call: (UnsafeMutablePointer<CChar>, Int) -> Int32) -> SafeText? {
        var text = ""
        let status = withUnsafeTemporaryAllocation(of: CChar.self, capacity: reasonLimit) { buffer -> Int32 in
            guard let start = buffer.baseAddress else { return -1 }
            start.pointee = 0
            let status = call(start, buffer.count)
            text = String(cString: start)
            return status
        }
        guard status != 0 else { return nil }
        // `jq: error: syntax error, unexpected $end (Unix shell quoting issues?) at <top-level>, line 1:`
        let isCompiling = text.hasPrefix("jq: error: ")
        if isCompiling { text.removeFirst("jq: error: ".count) }
        for end in [" at <top-level>", " ("] where isCompiling {
            if let place = text.firstRange(of: end) { text = String(text[..<place.lowerBound]) }
        }
        return SafeText(untrusted: text)
    }
}
