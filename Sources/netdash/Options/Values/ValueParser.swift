import Dashboard
import SessionSupport

/// Parses the values of options and of input lists.
///
/// Every error names what was written and what would be right.
enum ValueParser {
    static func number(_ text: String, in range: ClosedRange<Int>, label: String) throws(UsageError) -> Int {
        guard let value = Int(text), range.contains(value), text.utf8.allSatisfy(ByteText.isDigit) else {
            throw UsageError(argument: label, ValueUsage.notNumber(text, from: range.lowerBound, to: range.upperBound))
        }
        return value
    }

    /// Seconds from 0.1 to 86400, with fractions.
    static func seconds(_ text: String, label: String) throws(UsageError) -> Double {
        let isPlain = text.utf8.allSatisfy { ByteText.isDigit($0) || $0 == UInt8(ascii: ".") }
        guard isPlain, let value = Double(text), value >= 0.1, value <= 86_400 else {
            throw UsageError(argument: label, ValueUsage.notSeconds(text))
        }
        return value
    }

    /// A rate, or a timetable of them.
    static func rates(_ text: String, label: String) throws(UsageError) -> RateSchedule {
        do throws(RateSchedule.Problem) {
            return try RateSchedule(text)
        } catch {
            throw UsageError(argument: label, ValueUsage.rate(text, problem: error.sentence))
        }
    }

    /// One of the words of an enumeration.
    static func choice<Choice: RawRepresentable & CaseIterable & Sendable>(
        _ text: String, label: String
    ) throws(UsageError) -> Choice where Choice.RawValue == String {
        try value(of: .choice, text, label: label)
    }

    static func value<Value>(
        of kind: OptionKind<Value>, _ text: String, label: String
    ) throws(UsageError) -> Value {
        do throws(OptionProblem) {
            return try kind.parse(text)
        } catch {
            throw UsageError(argument: label, error.sentence)
        }
    }

    /// Words of an enumeration separated by blanks or commas, each at most once; or one word for none of them.
    static func choices<Choice: RawRepresentable & CaseIterable & Equatable & Sendable>(
        _ text: String, none: String, of kind: String, label: String
    ) throws(UsageError) -> [Choice] where Choice.RawValue == String {
        let words = text.split { $0 == " " || $0 == "\t" || $0 == "," }.map(String.init)
        if words == [none] { return [] }
        guard !words.isEmpty else { throw UsageError(argument: label, ValueUsage.empty(none, forNo: kind)) }
        var choices: [Choice] = []
        for word in words {
            let choice: Choice = try choice(word, label: label)
            guard !choices.contains(choice) else {
                throw UsageError(argument: label, ValueUsage.twice(word))
            }
            choices.append(choice)
        }
        return choices
    }

    /// A sort order: a column, optionally reversed, and an optional second column for equal rows.
    static func order(_ text: String, label: String) throws(UsageError) -> SortOrder {
        if let order = SortOrder(words: text) { return order }
        let words = SortOrder.Column.allCases.map(\.settingWord).joined(separator: ", ")
        throw UsageError(argument: label, ValueUsage.order(text, columns: words))
    }

    static func flag(_ text: String, label: String) throws(UsageError) -> Bool {
        try value(of: .yesOrNo, text, label: label)
    }

    /// A command for a shell.
    static func command(_ text: String, label: String) throws(UsageError) -> String {
        guard text.contains(where: { !$0.isWhitespace }) else {
            throw UsageError(argument: label, ValueUsage.emptyCommand)
        }
        guard !text.utf8.contains(0) else {
            throw UsageError(argument: label, ValueUsage.nul)
        }
        return text
    }

    /// A non-empty path without NUL.
    static func path(_ text: String, label: String) throws(UsageError) -> String {
        guard !text.isEmpty else { throw UsageError(argument: label, ValueUsage.emptyPath) }
        guard !text.utf8.contains(0) else {
            throw UsageError(argument: label, ValueUsage.nul)
        }
        // A list's bytes that are no text became this character, which no file has in its name.
        guard !text.unicodeScalars.contains("\u{FFFD}") else {
            throw UsageError(argument: label, ValueUsage.notUTF8)
        }
        return text
    }

    static func session(_ text: String, label: String) throws(UsageError) -> String {
        let isPlain = text.utf8.allSatisfy { ByteText.isLetter($0) || ByteText.isDigit($0) || "-._".utf8.contains($0) }
        guard isPlain, (1...64).contains(text.utf8.count), !text.hasPrefix(".") else {
            throw UsageError(argument: label, ValueUsage.session(text))
        }
        return text
    }

    /// A header line, `Name: value`.
    static func header(_ text: String, label: String) throws(UsageError) -> HeaderFields.Field {
        guard let colon = text.firstIndex(of: ":") else {
            throw UsageError(argument: label, ValueUsage.headerWithoutColon)
        }
        let name = text[..<colon]
        guard !name.isEmpty, name.utf8.allSatisfy(ByteText.isToken) else {
            throw UsageError(argument: label, ValueUsage.headerName(String(name)))
        }
        let value = ByteText.trimmed(text[text.index(after: colon)...])
        // The value is not repeated in the message: it may be a secret.
        guard value.unicodeScalars.allSatisfy({ $0 == "\t" || ($0.value >= 0x20 && $0.value != 0x7F) }) else {
            throw UsageError(argument: label, ValueUsage.headerValue(String(name)))
        }
        return HeaderFields.Field(name: String(name), value: value)
    }

    /// A method's name, in upper case.
    static func method(_ text: String, label: String) throws(UsageError) -> String {
        guard !text.isEmpty, text.utf8.count <= 32, text.utf8.allSatisfy(ByteText.isToken) else {
            throw UsageError(argument: label, ValueUsage.method(text))
        }
        return text.uppercased()
    }

    /// A body: text, `@FILE`, or `@-` for standard input.
    static func body(_ text: String, label: String) throws(UsageError) -> Job.Body {
        guard text.hasPrefix("@") else { return .text(text) }
        let path = String(text.dropFirst())
        guard !path.isEmpty else {
            throw UsageError(argument: label, ValueUsage.bodyWithoutFile)
        }
        return path == "-" ? .standardInput : .file(path: try self.path(path, label: label))
    }

    /// A digest, `ALGO=HEX`.
    static func checksum(_ text: String, label: String) throws(UsageError) -> Job.Checksum {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else {
            throw UsageError(argument: label, ValueUsage.checksum(text))
        }
        guard let algorithm = algorithm(named: parts[0].lowercased()) else {
            let names = Job.Checksum.Algorithm.allCases.map(\.rawValue).joined(separator: ", ")
            throw UsageError(argument: label, ValueUsage.hash(String(parts[0]), known: names))
        }
        let hex = parts[1].lowercased()
        let digits = algorithm.digitCount
        guard hex.utf8.count == digits, hex.utf8.allSatisfy({ ByteText.hexadecimalValue($0) != nil }) else {
            throw UsageError(argument: label, ValueUsage.digest(String(parts[1]), algorithm.rawValue, digits: digits))
        }
        return Job.Checksum(algorithm: algorithm, hex: hex)
    }

    // MARK: - Helpers

    private static func algorithm(named name: String) -> Job.Checksum.Algorithm? {
        if let exact = Job.Checksum.Algorithm(rawValue: name) { return exact }
        return Job.Checksum.Algorithm.allCases.first { $0.rawValue.filter { $0 != "-" } == name.filter { $0 != "-" } }
    }
}
