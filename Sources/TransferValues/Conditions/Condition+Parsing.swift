import SessionSupport

/// Reads conditions.
extension Condition {
    /// A text that is no condition: a phrase that follows the option's name.
    package struct Problem: Error, Equatable {
        package var sentence: String
    }

    package init(_ text: String) throws(Problem) {
        self.text = text
        let isNamed = text.hasPrefix("header:") || text.hasPrefix("json:")
        guard let (subject, sign, value) = Self.parts(of: text) else {
            guard isNamed else {
                let isKnown = ["status", "body", "time"].contains(text)
                throw Problem(sentence: isKnown ? ConditionUsage.sign : ConditionUsage.subject)
            }
            test = try Self.existence(text)
            return
        }
        switch subject {
        case "status": test = try Self.status(sign, value)
        case "time": test = try Self.time(sign, value)
        case "body": test = .body(try Self.textTest(sign, value))
        default:
            guard isNamed else { throw Problem(sentence: ConditionUsage.subject) }
            if subject.hasPrefix("header:") {
                test = .header(name: try Self.headerName(subject), try Self.textTest(sign, value))
            } else {
                test = .json(try Self.path(subject), try Self.valueTest(sign, value))
            }
        }
    }

    private static func existence(_ text: String) throws(Problem) -> Test {
        text.hasPrefix("header:") ? .header(name: try headerName(text), nil) : .json(try path(text), nil)
    }

    private static func headerName(_ subject: String) throws(Problem) -> String {
        let name = String(subject.dropFirst("header:".count))
        guard !name.isEmpty, name.utf8.allSatisfy(ByteText.isToken) else {
            throw Problem(sentence: ConditionUsage.header)
        }
        return name
    }

    private static func path(_ subject: String) throws(Problem) -> JSONQuery {
        guard subject != "json:" else { throw Problem(sentence: ConditionUsage.emptyPath) }
        do throws(JSONPath.Problem) {
            return try JSONQuery(String(subject.dropFirst("json:".count)))
        } catch {
            throw Problem(sentence: "json: " + error.sentence.string.asPhrase)
        }
    }

    private static func status(_ sign: Sign, _ value: String) throws(Problem) -> Test {
        let problem = Problem(sentence: ConditionUsage.status)
        guard sign.isOfNumbers else { throw problem }
        if value.count == 3, value.hasSuffix("xx"), let class_ = value.first?.wholeNumberValue, (1...5).contains(class_)
        {
            return .status(sign, class_ * 100...class_ * 100 + 99)
        }
        guard value.utf8.allSatisfy(ByteText.isDigit), let status = Int(value), (100...599).contains(status) else {
            throw problem
        }
        return .status(sign, status...status)
    }

    private static func time(_ sign: Sign, _ value: String) throws(Problem) -> Test {
        guard sign.isOfNumbers, sign != .equal, sign != .unequal, let seconds = DurationValue.seconds(value) else {
            throw Problem(sentence: ConditionUsage.time)
        }
        return .time(sign, seconds: seconds)
    }

    private static func textTest(_ sign: Sign, _ value: String) throws(Problem) -> TextTest {
        guard sign.isOfText else { throw Problem(sentence: ConditionUsage.text) }
        return TextTest(sign: sign, text: unquoted(value))
    }

    private static func valueTest(_ sign: Sign, _ value: String) throws(Problem) -> ValueTest {
        let scalar = scalar(value)
        guard sign.isOfText || scalar.number != nil else { throw Problem(sentence: ConditionUsage.number) }
        return ValueTest(sign: sign, value: sign == .contains || sign == .lacks ? .string(unquoted(value)) : scalar)
    }

    /// A number, a word or a string of JSON; any other text is a string without its quotes.
    private static func scalar(_ text: String) -> JSONScalar {
        if ["true", "false", "null"].contains(text) { return .word(text) }
        if let number = JSONScalar.number(text) { return .number(number, spelling: text) }
        return .string(unquoted(text))
    }

    /// The text without the quotes around it.
    private static func unquoted(_ text: String) -> String {
        let bytes = Array(text.utf8)
        let quote = UInt8(ascii: "\"")
        guard bytes.count >= 2, bytes.first == quote, bytes.last == quote else { return text }
        return String(decoding: JSONEscapes.decoded(bytes[1..<bytes.count - 1]), as: UTF8.self)
    }
}

extension JSONScalar {
    /// A number as JSON writes it, also with a leading `+` or point.
    static func number(_ text: String) -> DecimalNumber? {
        text.utf8.last.map(ByteText.isDigit) == true ? DecimalNumber(text) : nil
    }
}

/// Durations such as `500ms`, `2s`, `1.5` (seconds), `10m` and `1h`.
package enum DurationValue {
    private static let units: [(suffix: String, seconds: Double)] = [("ms", 0.001), ("s", 1), ("m", 60), ("h", 3600)]

    /// The seconds of a text; nil for anything else.
    package static func seconds(_ text: String) -> Double? {
        let unit = units.first { text.hasSuffix($0.suffix) }
        let digits = text.dropLast(unit?.suffix.count ?? 0)
        guard digits.utf8.allSatisfy({ ByteText.isDigit($0) || $0 == UInt8(ascii: ".") }), let count = Double(digits)
        else { return nil }
        let seconds = count * (unit?.seconds ?? 1)
        return seconds.isFinite ? seconds : nil
    }
}
