import SessionSupport

/// What conditions read of a response: its head, its body and its time.
package struct Answer: Sendable {
    /// The most bytes of a body that are kept for conditions.
    package static let byteLimit = 16 << 20
    /// The most values of a JSON body, and its deepest nesting.
    package static let valueLimit = 4_000_000
    package static let depthLimit: UInt8 = 250

    package let status: Int
    package let headers: HeaderFields
    /// The body; nil for one beyond the limit.
    package let body: [UInt8]?
    /// The URL that responded.
    package let url: String
    /// The duration of the attempt.
    package let seconds: Double
    /// The values of the body; nil where it is not read as JSON.
    package let tree: JSONTree?
    /// Why the body has no values.
    package let jsonProblem: JSONTree.Problem
    /// What the programs of the conditions have found in the body.
    let outcomes: [JSONProgram: JSONProgram.Outcome]

    /// - Parameters:
    ///   - readsJSON: whether the body is parsed.
    ///   - outcomes: the outcomes of all programs of ``AnswerTerms/programs`` for the body.
    package init(
        status: Int, headers: HeaderFields, body: [UInt8]?, seconds: Double, readsJSON: Bool, url: String = "",
        outcomes: [JSONProgram: JSONProgram.Outcome] = [:]
    ) {
        (self.status, self.headers, self.body, self.seconds, self.url) = (status, headers, body, seconds, url)
        self.outcomes = outcomes
        guard readsJSON, let body else {
            (tree, jsonProblem) = (nil, .noGroup)
            return
        }
        do throws(JSONTree.Problem) {
            tree = try JSONTree(body, nodeLimit: Self.valueLimit, depthLimit: Self.depthLimit)
            jsonProblem = .noGroup
        } catch {
            (tree, jsonProblem) = (nil, error)
        }
    }
}

extension Condition {
    /// The sentence about a response that does not meet the condition; nil where it does.
    package func failure(in answer: Answer) -> String? {
        finding(in: answer).map { ConditionErrors.failed(shownText, $0) }
    }

    /// What a response has instead, with secrets masked; nil where it meets the condition.
    func finding(in answer: Answer) -> String? {
        switch test {
        case .status(let sign, let range):
            return sign.holds(answer.status, range) ? nil : String(answer.status)
        case .time(let sign, let limit):
            let range = limit...limit
            return sign.holds(answer.seconds, range) ? nil : Self.shown(seconds: answer.seconds)
        case .header(let name, let test): return header(name, test, in: answer)
        case .body(let test): return body(test, in: answer)
        case .json(let query, let test): return json(query, test, in: answer)
        }
    }

    private static func shown(seconds: Double) -> String { String((seconds * 1000).rounded() / 1000) + " s" }

    private func header(_ name: String, _ test: TextTest?, in answer: Answer) -> String? {
        let values = answer.headers.values(named: name)
        guard let first = values.first else {
            return test.map(\.sign.isNegative) == true ? nil : ConditionErrors.noField
        }
        guard let test else { return nil }
        let holds =
            test.sign.isNegative
            ? values.allSatisfy { test.holds($0) } : values.contains { test.holds($0) }
        return holds ? nil : Self.quoted(Redaction.header(name: name, value: first))
    }

    private func body(_ test: TextTest, in answer: Answer) -> String? {
        guard let bytes = answer.body else { return ConditionErrors.longBody }
        guard !test.holds(bytes: bytes) else { return nil }
        switch test.sign {
        case .contains: return ConditionErrors.withoutText(bytes.count)
        case .lacks: return ConditionErrors.withText(bytes.count)
        default: return ConditionErrors.otherBody(bytes.count)
        }
    }

    private func json(_ query: JSONQuery, _ test: ValueTest?, in answer: Answer) -> String? {
        let found: Answer.Found
        do throws(Answer.Lack) {
            found = try answer.values(of: query)
        } catch {
            return error.phrase
        }
        guard !found.nodes.isEmpty else { return ConditionErrors.noResult }
        let wrong = found.nodes.first { !holds(test, found.tree.scalar(of: $0)) }
        return wrong.map { Self.shown($0, in: found.tree, madeFrom: query.program.map { _ in answer }) }
    }

    /// Whether a value meets the test; nil stands for an object or array.
    private func holds(_ test: ValueTest?, _ scalar: JSONScalar?) -> Bool {
        guard let test else { return scalar != .word("false") && scalar != .word("null") }
        guard let scalar else { return test.sign.isNegative }
        switch test.sign {
        case .equal: return scalar.isSame(as: test.value)
        case .unequal: return !scalar.isSame(as: test.value)
        case .contains, .lacks: return TextTest(sign: test.sign, text: test.value.text).holds(scalar.text)
        case .less, .atMost, .more, .atLeast:
            guard let left = scalar.number, let right = test.value.number else { return false }
            return test.sign.holds(left, right...right)
        }
    }

    /// A value of the body, or one that a program has made from a response.
    private static func shown(_ node: Int, in tree: JSONTree, madeFrom answer: Answer?) -> String {
        guard let scalar = tree.scalar(of: node) else { return tree.summary(of: node).string }
        if let answer, case .string(let text) = scalar, !answer.mayShow(text) {
            return ConditionErrors.otherText(text.count)
        }
        let name = tree.nameOfMember(around: node)
        guard !Redaction.hidesParameter(name, value: scalar.text, userInfo: .masked) else { return Redaction.mask }
        if case .string(let text) = scalar { return quoted(text) }
        return scalar.text
    }

    /// The most characters of a found value that a sentence has.
    private static let longest = 60

    private static func quoted(_ text: String) -> String {
        "\"" + (text.count > longest ? text.prefix(longest) + "…" : text[...]) + "\""
    }
}

extension JSONTree.Problem {
    /// What was found instead of a tree.
    var sentence: String {
        switch self {
        case .noGroup: ConditionErrors.noJSON
        case .tooManyValues(let limit): ConditionErrors.longJSON(limit)
        case .tooDeep(let limit): ConditionErrors.deepJSON(limit)
        }
    }
}

extension Condition.Sign {
    /// Whether it holds for everything but what it names.
    var isNegative: Bool { self == .unequal || self == .lacks }

    /// Whether a number is in the relation to a range, such as the statuses from 200 to 299.
    func holds<Number: Comparable>(_ number: Number, _ range: ClosedRange<Number>) -> Bool {
        switch self {
        case .equal, .contains: range.contains(number)
        case .unequal, .lacks: !range.contains(number)
        case .less: number < range.lowerBound
        case .atMost: number <= range.upperBound
        case .more: number > range.upperBound
        case .atLeast: number >= range.lowerBound
        }
    }
}

extension Condition.TextTest {
    func holds(_ found: String) -> Bool { holds(bytes: Array(found.utf8)) }

    func holds(bytes: [UInt8]) -> Bool {
        let wanted = Array(text.utf8)
        return switch sign {
        case .contains: bytes.contains(wanted)
        case .lacks: !bytes.contains(wanted)
        case .unequal: bytes != wanted
        case .equal, .less, .atMost, .more, .atLeast: bytes == wanted
        }
    }
}

extension JSONTree {
    /// A value without members; nil for an object or array.
    func scalar(of node: Int) -> JSONScalar? {
        let value = nodes[node].value
        let text = bytes[Int(value.lowerBound)..<Int(value.upperBound)]
        switch nodes[node].kind {
        case .object, .array: return nil
        case .string: return .string(String(decoding: JSONEscapes.decoded(text.dropFirst().dropLast()), as: UTF8.self))
        case .word: return .word(String(decoding: text, as: UTF8.self))
        case .number:
            let spelling = String(decoding: text, as: UTF8.self)
            return DecimalNumber(spelling).map { .number($0, spelling: spelling) } ?? .word(spelling)
        }
    }

    /// The name of the member that a value is, or that it is an element of; empty without one.
    func nameOfMember(around node: Int) -> String {
        var node = node
        while node >= 0 {
            if let name = name(of: node) { return String(decoding: name, as: UTF8.self) }
            node = Int(nodes[node].parent)
        }
        return ""
    }
}
