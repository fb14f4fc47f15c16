/// Whether a part may be continued with a range request.
enum Resumability: Sendable, Equatable {
    /// Yes, proven by this validator.
    case yes(StoredFacts.Validator)
    /// No; the reason is a sentence for a person.
    case no(reason: String)

    /// Whether it may.
    var isResumable: Bool {
        switch self {
        case .yes: true
        case .no: false
        }
    }
}
