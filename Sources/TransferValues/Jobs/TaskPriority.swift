/// The priority of a task in the queue: of the waiting tasks, the ones with the highest begin first.
package enum TaskPriority: Int8, Sendable, Codable, CaseIterable {
    case lowest = -2
    case low, normal, high, highest

    /// The nearest priority to a number.
    package init(clamping number: Int) {
        let range = Self.lowest.rawValue...Self.highest.rawValue
        self = Self(rawValue: Int8(clamping: min(max(number, Int(range.lowerBound)), Int(range.upperBound)))) ?? .normal
    }

    /// Reads a word, or a number from -2 to 2; nil for anything else.
    package init?(_ text: String) {
        let word = text.lowercased()
        guard let priority = Self.allCases.first(where: { $0.word == word || $0.numbers.contains(word) }) else {
            return nil
        }
        self = priority
    }

    package var word: String { "\(self)" }

    private var numbers: [String] { rawValue > 0 ? ["\(rawValue)", "+\(rawValue)"] : ["\(rawValue)"] }
}

extension OptionKind where Value == TaskPriority {
    package static var priority: Self {
        let words = TaskPriority.allCases.map(\.word)
        return OptionKind(OptionStyle(words.joined(separator: "|"))) { text throws(OptionProblem) in
            guard let priority = TaskPriority(text) else {
                throw OptionProblem(QueueUsage.priority(text, words: words.joined(separator: ", ")))
            }
            return priority
        }
    }
}
