import SessionSupport

/// A condition about the response to a request: `status=2xx`, `header:Content-Type~json`, `json:.state=="done"`,
/// `body~text` or `time<2s`.
package struct Condition: Sendable, Equatable {
    /// How a value is compared.
    enum Sign: String, Sendable, CaseIterable {
        case equal = "="
        case unequal = "!="
        case less = "<"
        case atMost = "<="
        case more = ">"
        case atLeast = ">="
        case contains = "~"
        case lacks = "!~"

        /// Whether it compares texts.
        var isOfText: Bool { [.equal, .unequal, .contains, .lacks].contains(self) }
        /// Whether it compares numbers.
        var isOfNumbers: Bool { self != .contains && self != .lacks }
    }

    /// A text, and how it is compared.
    struct TextTest: Sendable, Equatable {
        var sign: Sign
        var text: String
    }

    /// A value of JSON, and how it is compared.
    struct ValueTest: Sendable, Equatable {
        var sign: Sign
        var value: JSONScalar
    }

    /// The compared part of the response.
    enum Test: Sendable, Equatable {
        case status(Sign, ClosedRange<Int>)
        /// Without a test the field has to exist.
        case header(name: String, TextTest?)
        /// Without a test every value has to exist, and to be neither `false` nor `null`.
        case json(JSONQuery, ValueTest?)
        case body(TextTest)
        case time(Sign, seconds: Double)
    }

    /// The condition as it was written.
    package let text: String
    let test: Test

    /// A status of success.
    static let success = Condition(text: "status=2xx", test: .status(.equal, 200...299))

    private init(text: String, test: Test) { (self.text, self.test) = (text, test) }

    /// Whether it decides if a status is a failure.
    package var judgesStatus: Bool { if case .status = test { true } else { false } }

    /// Whether it reads the body.
    package var readsBody: Bool {
        switch test {
        case .json, .body: true
        case .status, .header, .time: false
        }
    }

    var readsJSON: Bool { if case .json = test { true } else { false } }

    /// The printable condition: a mask replaces a compared secret.
    package var shownText: String {
        let value: String
        switch test {
        case .status, .time, .header(_, nil): return text
        case .json(let query, nil): return Self.shown(text, query)
        case .header(let name, let test?):
            guard Redaction.header(name: name, value: test.text) != test.text else { return text }
            value = test.text
        case .json(let query, let test?):
            let shown = Self.shown(text, query)
            guard query.hides(test.value.text) else { return shown }
            return Self.masked(test.value.text, in: shown)
        case .body(let test):
            guard
                Redaction.hidesParameter("", value: test.text, userInfo: .masked)
                    || Redaction.hidesMember(of: Array(test.text.utf8))
            else { return text }
            value = test.text
        }
        return Self.masked(value, in: text)
    }

    private static func masked(_ value: String, in text: String) -> String {
        guard !value.isEmpty, let range = text.range(ofLast: value) else { return Redaction.mask }
        return text[..<range.lowerBound] + Redaction.mask + text[range.upperBound...]
    }

    /// The text with its program as it may be shown.
    private static func shown(_ text: String, _ query: JSONQuery) -> String {
        guard let program = query.program, let range = text.firstRange(of: program.text) else { return text }
        return text[..<range.lowerBound] + program.shownText + text[range.upperBound...]
    }

    /// The query into the JSON body; nil for other conditions.
    var query: JSONQuery? { if case .json(let query, _) = test { query } else { nil } }
}

/// A value of JSON without members.
enum JSONScalar: Sendable, Equatable {
    case string(String)
    case number(DecimalNumber, spelling: String)
    /// `true`, `false` or `null`.
    case word(String)

    var text: String {
        switch self {
        case .string(let text), .number(_, let text), .word(let text): text
        }
    }

    var number: DecimalNumber? { if case .number(let number, _) = self { number } else { nil } }

    /// Whether it has the same type and value.
    func isSame(as other: JSONScalar) -> Bool {
        switch (self, other) {
        case (.string(let left), .string(let right)), (.word(let left), .word(let right)): left == right
        case (.number(let left, _), .number(let right, _)): left == right
        default: false
        }
    }
}

extension String {
    /// The last occurrence of a text.
    fileprivate func range(ofLast text: String) -> Range<String.Index>? { ranges(of: text).last }
}
