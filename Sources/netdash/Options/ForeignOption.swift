/// An option of curl, wget, aria2c or HTTPie that netdash does not have under that name, and what becomes of it.
///
/// An own name wins over a foreign one, and a foreign one over a shortened own one.
struct ForeignOption: Sendable {
    enum Outcome: Sendable, Equatable {
        /// It means the same as an option of ours: with a value of its own, or always with this one.
        case same(String, value: String? = nil)
        /// It means several options of ours with the same value.
        case several([String])
        /// It is a number of requests, of which all but the first one are retries here; none means no limit.
        case tries
        /// It asks for what netdash does anyway, and is taken without a word.
        case usual(hasValue: Bool = false)
        /// It is on or off, as aria2c writes it (`=true`); each stands for an option of ours, or for what is usual.
        case choice(on: Setting?, off: Setting?)
        /// Its value is a URL.
        case operand
        /// It is refused with this sentence, which says what to write.
        case refused(String)
    }

    /// An option of ours with the value that it gets.
    struct Setting: Sendable, Equatable {
        var name: String
        var value = ""
    }

    /// The names as they are written, with their dashes.
    let names: [String]
    let outcome: Outcome

    init(_ names: String..., is outcome: Outcome) { (self.names, self.outcome) = (names, outcome) }

    private static let byName = Dictionary(
        table.flatMap { option in option.names.map { ($0, option) } }, uniquingKeysWith: { first, _ in first })

    /// The option that is written like this; nil where no other tool has it.
    static func named(_ spelling: String) -> ForeignOption? { byName[spelling] }

    /// The names of our options that have a text in a name that other tools give them.
    static func names(having text: String) -> Set<String> {
        let foreign = table.compactMap { option -> String? in
            guard case .same(let name, _) = option.outcome, option.names.contains(where: { $0.contains(text) }) else {
                return nil
            }
            return name
        }
        return Set(foreign)
    }

    /// What to write in the place of a letter, told where the letter fits nothing here; nil for others.
    static func hint(for spelling: String) -> String? { meant[spelling] }
}
