import SessionSupport

/// A parsed filter: conditions that must all hold, in groups separated by `or`, of which one must hold.
///
/// A word is text that the name, the host or the URL contains, and may be quoted; a leading `-` negates a condition.
/// ``FilterReference`` tells the user the same.
package struct FilterExpression: Sendable, Equatable {
    /// A condition on a row.
    enum Condition: Sendable, Equatable {
        case text(RowTexts.Needle)
        case host(RowTexts.Needle)
        /// A part of the worker's name, in lower case.
        case worker(String)
        /// A part of a failure's cause in lower case, and the causes whose words in the table contain it.
        case error(String, Set<Cause>)
        case pattern(FilterPattern)
        case states(Set<RowState>)
        case kinds(Set<Job.Kind>)
        case range(Measure, FilterRange)
    }

    /// The figures that ranges apply to.
    enum Measure: String, Sendable, CaseIterable {
        case size, speed, progress, age
    }

    /// A condition, or its negation.
    struct Term: Sendable, Equatable {
        var condition: Condition
        var isNegated = false
    }

    /// The groups, one of which must hold; in a group every term must.
    ///
    /// Without any, every row matches.
    private(set) var groups: [[Term]] = []
    /// A sentence about what is invalid or still missing.
    package private(set) var problem: SafeText?
    /// Whether the only fault is an incomplete last word: the words before it already apply.
    private(set) var isUnfinished = false

    package init() {}

    package init(_ text: String) {
        var group: [Term] = []
        let words = FilterWord.words(in: text)
        for (index, word) in words.enumerated() {
            if word.isSeparator {
                if !group.isEmpty { groups.append(group) }
                group = []
                continue
            }
            do {
                if let condition = try Self.condition(of: word) {
                    Self.add(Term(condition: condition, isNegated: word.isNegated), to: &group)
                }
                if word.isOpen, problem == nil { (problem, isUnfinished) = (FilterErrors.openQuote, true) }
            } catch {
                if problem == nil {
                    problem = error.sentence
                    isUnfinished = error.isUnfinished && index == words.count - 1 && !text.hasSuffix(" ")
                }
            }
        }
        if !group.isEmpty { groups.append(group) }
    }

    /// Another filter's conditions, with this one's fault.
    func keeping(_ other: FilterExpression) -> FilterExpression {
        var result = self
        result.groups = other.groups
        return result
    }

    /// The elements of a filter.
    package enum Form: Sendable {
        /// Words without a condition.
        case text
        case conditions
        /// Groups of which one must hold.
        case alternatives
    }

    package var form: Form {
        if groups.count > 1 { return .alternatives }
        let isText = groups.joined().allSatisfy { term in
            if case .text = term.condition { !term.isNegated } else { false }
        }
        return isText ? .text : .conditions
    }

    var isUsable: Bool { problem == nil || isUnfinished }

    /// Whether rows may match or stop matching without an event, because time passes or rates change.
    var isMoving: Bool {
        groups.joined().contains { term in
            if case .range(let measure, _) = term.condition { measure == .speed || measure == .age } else { false }
        }
    }

    /// Whether a row may stop matching when its state changes.
    var usesStates: Bool {
        groups.joined().contains { term in if case .states = term.condition { true } else { false } }
    }

    /// Adds a term; adjacent states are alternatives, and so are kinds.
    private static func add(_ term: Term, to group: inout [Term]) {
        for index in group.indices where !term.isNegated && !group[index].isNegated {
            switch (group[index].condition, term.condition) {
            case (.states(let old), .states(let new)):
                group[index].condition = .states(old.union(new))
                return
            case (.kinds(let old), .kinds(let new)):
                group[index].condition = .kinds(old.union(new))
                return
            default: break
            }
        }
        group.append(term)
    }

    // MARK: - Reading a word

    /// The reason why a word is no condition.
    private struct Problem: Error {
        var sentence: SafeText
        /// Whether more typing may correct it.
        var isUnfinished = false
    }

    /// The names before a colon.
    static let names = ["state", "kind", "host", "worker", "error"] + Measure.allCases.map(\.rawValue)

    /// Whether a text negates a condition that no option looks like, such as `-state:done` or `-~rc[0-9]$`.
    package static func isNegatedCondition(_ text: String) -> Bool {
        guard text.hasPrefix("-"), let word = FilterWord.words(in: text).first, word.isNegated else { return false }
        return word.isPattern || word.name.map { text.dropFirst().hasPrefix($0) } ?? false
    }

    /// Parses one word; nil for a word without effect.
    private static func condition(of word: FilterWord) throws(Problem) -> Condition? {
        if word.isPattern {
            guard !word.text.isEmpty else { throw Problem(sentence: FilterErrors.patternMissing, isUnfinished: true) }
            do {
                return .pattern(try FilterPattern(word.text))
            } catch {
                throw Problem(sentence: FilterErrors.pattern(SafeText(untrusted: word.text), error.sentence))
            }
        }
        guard let name = word.name else {
            if !word.isQuoted, let sentence = misspelling(in: word.text) { throw Problem(sentence: sentence) }
            return word.text.isEmpty ? nil : .text(RowTexts.Needle(Array(word.text.lowercased().utf8)))
        }
        let value = word.text.lowercased()
        switch name {
        case "state": return .states(try choices(value, of: RowState.allCases, name))
        case "kind": return .kinds(try choices(value, of: Job.Kind.allCases, name))
        case "host": return value.isEmpty ? nil : .host(RowTexts.Needle(Array(value.utf8)))
        case "worker": return value.isEmpty ? nil : .worker(value)
        case "error":
            let causes = Cause.allCases.filter { cause in
                cause.words.contains { $0.lowercased.string.contains(value) || value.isEmpty }
            }
            return .error(value, Set(causes))
        default:
            guard let measure = Measure(rawValue: name) else { return nil }
            switch FilterRange.read(value, of: measure) {
            case .range(let range): return .range(measure, range)
            case .unfinished(let sentence): throw Problem(sentence: sentence, isUnfinished: true)
            case .wrong(let sentence): throw Problem(sentence: sentence)
            }
        }
    }

    /// The cases that begin with one of the comma-separated words.
    private static func choices<Choice: RawRepresentable<String> & Hashable>(
        _ value: String, of all: [Choice], _ name: String
    ) throws(Problem) -> Set<Choice> {
        var found: Set<Choice> = []
        for word in value.split(separator: ",", omittingEmptySubsequences: false) {
            let fitting = all.filter { !word.isEmpty && $0.rawValue.hasPrefix(word) }
            guard !fitting.isEmpty else {
                let words = all.map { SafeText(untrusted: $0.rawValue) }.joined(by: " ")
                throw Problem(
                    sentence: word.isEmpty
                        ? FilterErrors.choices(SafeText(untrusted: name), words)
                        : FilterErrors.unknownChoice(
                            SafeText(untrusted: String(word)), of: SafeText(untrusted: name), words),
                    isUnfinished: word.isEmpty)
            }
            found.formUnion(fitting)
        }
        return found
    }

    /// The sentence about a word that resembles a condition and is none; nil for plain text.
    private static func misspelling(in word: String) -> SafeText? {
        let parts = word.lowercased().split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        // Text may contain colons, such as before a port, so only an intended condition is wrong.
        guard parts.count == 2, let first = parts[1].first, !first.isNumber, first != "/",
            let meant = Suggestion.nearest(to: String(parts[0]), among: names)
        else { return nil }
        return FilterErrors.unknownCondition(
            SafeText(untrusted: String(parts[0])), nearest: SafeText(untrusted: meant))
    }
}
