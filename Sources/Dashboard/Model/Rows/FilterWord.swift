/// A word of a filter: text, a pattern after `~`, or a value after the name of a condition.
struct FilterWord: Equatable {
    /// The text to find, or the condition's value, without quotes.
    var text = ""
    /// The condition's name in lower case; nil for plain text.
    var name: String?
    var isNegated = false
    var isPattern = false
    var isQuoted = false
    /// Whether its quotation mark is not closed yet.
    var isOpen = false
    /// Whether it is the `or` between two groups of conditions.
    var isSeparator = false

    /// Splits a filter into words.
    ///
    /// An unclosed quotation mark extends to the end.
    static func words(in text: String) -> [FilterWord] {
        var words: [FilterWord] = []
        var rest = Substring(text)
        while true {
            rest = rest.drop { $0.isWhitespace }
            guard !rest.isEmpty else { return words }
            words.append(read(from: &rest))
        }
    }

    private static func read(from rest: inout Substring) -> FilterWord {
        var word = FilterWord()
        let plain = rest.prefix { !$0.isWhitespace }
        if plain.lowercased() == "or" {
            rest = rest[plain.endIndex...]
            word.isSeparator = true
            return word
        }
        if plain.first == "-", plain.count > 1 {
            word.isNegated = true
            rest = rest.dropFirst()
        }
        if rest.first == "~" {
            word.isPattern = true
            rest = rest.dropFirst()
        } else if let name = conditionName(in: rest) {
            word.name = name.lowercased()
            rest = rest[name.endIndex...]
            if rest.first == ":" { rest = rest.dropFirst() }
        }
        word.isQuoted = rest.first == "\""
        word.isOpen = word.isQuoted && !rest.dropFirst().contains("\"")
        word.text = value(from: &rest)
        return word
    }

    /// The condition's name at the beginning of a text; a figure's name may also precede `<` and `>`.
    private static func conditionName(in text: Substring) -> Substring? {
        let name = text.prefix { $0.isASCII && $0.isLetter }
        guard name.endIndex < text.endIndex, FilterExpression.names.contains(name.lowercased()) else { return nil }
        switch text[name.endIndex] {
        case ":": return name
        case "<", ">": return FilterExpression.Measure(rawValue: name.lowercased()) == nil ? nil : name
        default: return nil
        }
    }

    private static func value(from rest: inout Substring) -> String {
        guard rest.first == "\"" else {
            let value = rest.prefix { !$0.isWhitespace }
            rest = rest[value.endIndex...]
            return String(value)
        }
        let value = rest.dropFirst().prefix { $0 != "\"" }
        rest = rest[value.endIndex...].dropFirst()
        return String(value)
    }
}

/// The completion of the filter's last word.
enum FilterCompletion {
    private static let names = FilterExpression.names.map { $0 + ":" }

    /// The text with its last word completed as far as that is unambiguous; nil if there is nothing to add.
    ///
    /// `hosts` and `workers` list the known ones; each is called only when such a name is being typed.
    static func complete(
        _ text: String, hosts: () -> some Sequence<String>, workers: () -> some Sequence<String>
    ) -> String? {
        let start = text.lastIndex(of: " ").map { text.index(after: $0) } ?? text.startIndex
        let isNegated = text[start...].hasPrefix("-")
        let word = text[start...].dropFirst(isNegated ? 1 : 0).lowercased()
        guard !word.isEmpty else { return nil }
        let choices: [String]
        if word.hasPrefix("state:") {
            choices = RowState.allCases.map { "state:" + $0.rawValue }
        } else if word.hasPrefix("kind:") {
            choices = Job.Kind.allCases.map { "kind:" + $0.rawValue }
        } else if word.hasPrefix("host:") {
            choices = Set(hosts()).map { "host:" + $0.lowercased() }
        } else if word.hasPrefix("worker:") {
            choices = Set(workers().map { "worker:" + $0.lowercased() }).sorted()
        } else {
            choices = names
        }
        let fitting = choices.filter { $0.hasPrefix(word) }
        let longer = commonPrefix(of: fitting)
        guard longer.count > word.count else { return nil }
        let isComplete = fitting.count == 1 && !names.contains(longer)
        return text[..<start] + (isNegated ? "-" : "") + longer + (isComplete ? " " : "")
    }

    static func commonPrefix(of texts: [String]) -> String {
        guard var common = texts.first else { return "" }
        for text in texts.dropFirst() {
            common = String(zip(common, text).prefix { $0 == $1 }.map(\.0))
        }
        return common
    }
}
