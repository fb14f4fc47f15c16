/// An option of curl, wget, aria2c or HTTPie under another name than netdash's, and its translation.
///
/// Our own name wins over a foreign one, and a foreign one over an abbreviation of ours.
struct ForeignOption: Sendable {
    enum Outcome: Sendable, Equatable {
        /// The same as one of our options: with its own value, or always with this one.
        case same(String, value: String? = nil)
        /// Several of our options with the same value.
        case several([String])
        /// A number of attempts, of which all but the first are retries here; 0 means no limit.
        case tries
        /// The default behaviour of netdash, accepted silently.
        case usual(hasValue: Bool = false)
        /// On or off in aria2c's syntax (`=true`); each stands for one of our options, or for the default.
        case choice(on: Setting?, off: Setting?)
        /// Its value is a URL.
        case operand
        /// Refused with this sentence, which says what to write.
        case refused(String)
    }

    /// What follows the option, attached to it or as the next argument.
    enum Operand: Sendable, Equatable {
        case none
        case value(of: CommandLineOption)
        case url
        /// A value without an effect.
        case unused
    }

    /// One of our options with its value.
    struct Setting: Sendable, Equatable {
        var name: String
        var value = ""
    }

    /// The option's spellings, with their dashes.
    let names: [String]
    let outcome: Outcome

    init(_ names: String..., is outcome: Outcome) { (self.names, self.outcome) = (names, outcome) }

    var operand: Operand {
        switch outcome {
        case .same(let name, nil): Self.operand(of: name)
        case .several(let names): names.first.map(Self.operand) ?? .none
        case .tries: Self.operand(of: "retries")
        case .usual(let hasValue): hasValue ? .unused : .none
        case .operand: .url
        case .same, .choice, .refused: .none
        }
    }

    private static func operand(of name: String) -> Operand {
        let option = CommandLineOption.record(name)
        return option.valueName == nil ? .none : .value(of: option)
    }

    private static let byName = Dictionary(
        table.flatMap { option in option.names.map { ($0, option) } }, uniquingKeysWith: { first, _ in first })

    /// Finds another tool's option by its spelling; nil where none has such an option.
    static func named(_ spelling: String) -> ForeignOption? { byName[spelling] }

    /// The names of our options whose foreign names contain a text.
    static func names(having text: String) -> Set<String> {
        let foreign = table.compactMap { option -> String? in
            guard case .same(let name, _) = option.outcome, option.names.contains(where: { $0.contains(text) }) else {
                return nil
            }
            return name
        }
        return Set(foreign)
    }

    /// The hint for a letter that was used wrongly; nil for others.
    static func hint(for spelling: String) -> String? { meant[spelling] }
}
