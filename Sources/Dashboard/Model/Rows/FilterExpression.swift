/// A filter as it is typed: plain text, or conditions such as `state:failed kind:upload host:example size>1G`.
///
/// Words are looked for as they are, one after the other; conditions must all hold.
package struct FilterExpression: Sendable, Equatable {
    /// A bound of the size, in bytes.
    struct Bound: Sendable, Equatable {
        var isUpper: Bool
        var bytes: Int64
    }

    /// The plain words, in lower case, joined by single blanks.
    private(set) var needle: [UInt8] = []
    private(set) var states: Set<RowState> = []
    package private(set) var kinds: Set<Job.Kind> = []
    /// Parts of host names, lower case.
    private(set) var hosts: [String] = []
    private(set) var bounds: [Bound] = []
    /// The sentence that says what is wrong; a condition that is wrong is left out.
    package private(set) var problem: SafeText?

    /// Creates an empty filter.
    package init() {}

    /// Reads what was typed.
    package init(_ text: String) {
        var words: [String] = []
        for part in text.lowercased().split(separator: " ") {
            let word = String(part)
            if !readCondition(word) { words.append(word) }
        }
        needle = Array(words.joined(separator: " ").utf8)
    }

    /// Whether a row fulfils the conditions; its text is looked at elsewhere.
    package func holds(for row: RowSnapshot) -> Bool {
        holds(for: row.figures) && hosts.allSatisfy { row.host.lowercased.string.contains($0) }
    }

    /// Whether a row fulfils the conditions other than those of its host.
    package func holds(for row: RowFigures) -> Bool {
        if !states.isEmpty, !states.contains(row.state) { return false }
        if !kinds.isEmpty, !kinds.contains(row.kind) { return false }
        for bound in bounds {
            let size = row.expected ?? row.moved
            if bound.isUpper ? size >= bound.bytes : size <= bound.bytes { return false }
        }
        return true
    }

    /// Reads a word that is a condition; answers whether it was one.
    private mutating func readCondition(_ word: String) -> Bool {
        if word.hasPrefix("size>") || word.hasPrefix("size<") {
            readSize(String(word.dropFirst(5)), isUpper: word.hasPrefix("size<"))
            return true
        }
        let parts = word.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map { String($0) }
        guard parts.count == 2, let name = parts.first, let value = parts.last else { return false }
        switch name {
        case "state": readState(value)
        case "kind": readKind(value)
        case "host": if !value.isEmpty { hosts.append(value) }
        case "size": problem = "size is written size>1G or size<1G"
        default:
            // Text may have colons too, in front of a port for one: only what was meant to be a condition is wrong.
            guard let first = value.first, !first.isNumber, first != "/",
                let meant = Suggestion.nearest(to: name, among: ["state", "kind", "host", "size"])
            else { return false }
            problem = SafeText(untrusted: name) + ": is no condition; did you mean " + SafeText(untrusted: meant) + "?"
        }
        return true
    }

    private mutating func readState(_ value: String) {
        let found = RowState.allCases.filter { !value.isEmpty && $0.rawValue.hasPrefix(value) }
        if found.isEmpty { problem = "state: " + choices(RowState.allCases.map(\.rawValue)) }
        states.formUnion(found)
    }

    private mutating func readKind(_ value: String) {
        let found = Job.Kind.allCases.filter { !value.isEmpty && $0.rawValue.hasPrefix(value) }
        if found.isEmpty { problem = "kind: " + choices(Job.Kind.allCases.map(\.rawValue)) }
        kinds.formUnion(found)
    }

    private mutating func readSize(_ value: String, isUpper: Bool) {
        let powers: [Character: Int64] = ["k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40]
        let factor = value.last.flatMap { powers[$0] }
        let digits = factor == nil ? value : String(value.dropLast())
        guard let number = Double(digits), number >= 0, number < 1e6 || factor == nil, number < 9e18 else {
            problem = "size is a number with k, M, G or T, as in size>1G"
            return
        }
        bounds.append(Bound(isUpper: isUpper, bytes: Int64(number * Double(factor ?? 1))))
    }

    private func choices(_ words: [String]) -> SafeText {
        words.map { SafeText(untrusted: $0) }.joined(by: " ")
    }
}

/// The completion of the filter's last word.
enum FilterCompletion {
    private static let names = ["state:", "kind:", "host:", "size>", "size<"]

    /// The text with its last word completed as far as that is certain; nil when there is nothing to add.
    ///
    /// `hosts` names the hosts there are; it is asked only when a host is being typed.
    static func complete(_ text: String, hosts: () -> some Sequence<String>) -> String? {
        let start = text.lastIndex(of: " ").map { text.index(after: $0) } ?? text.startIndex
        let word = text[start...].lowercased()
        guard !word.isEmpty else { return nil }
        let choices: [String]
        if word.hasPrefix("state:") {
            choices = RowState.allCases.map { "state:" + $0.rawValue }
        } else if word.hasPrefix("kind:") {
            choices = Job.Kind.allCases.map { "kind:" + $0.rawValue }
        } else if word.hasPrefix("host:") {
            choices = Set(hosts()).map { "host:" + $0.lowercased() }
        } else {
            choices = names
        }
        let fitting = choices.filter { $0.hasPrefix(word) }
        let longer = commonPrefix(of: fitting)
        guard longer.count > word.count else { return nil }
        let isWhole = fitting.count == 1 && !names.contains(longer)
        return text[..<start] + longer + (isWhole ? " " : "")
    }

    /// The beginning that all texts have in common.
    static func commonPrefix(of texts: [String]) -> String {
        guard var common = texts.first else { return "" }
        for text in texts.dropFirst() {
            common = String(zip(common, text).prefix { $0 == $1 }.map(\.0))
        }
        return common
    }
}
