import Support

/// What was entered into fields before, one list for each kind of field.
struct FieldHistory: Sendable, Equatable {
    /// Which list a field has.
    enum Kind: Hashable, Sendable {
        case filter, url, path, seconds, search
    }

    /// Entries kept for each kind.
    static let limit = 50

    private var entries: [Kind: [String]] = [:]
    /// How far back the field that has the focus went; 0 is what is being typed.
    private var depth = 0
    /// What was being typed before the way back began.
    private var draft = ""

    /// Adds an entry as the newest of its kind; secrets in URLs are not kept.
    mutating func add(_ text: String, to kind: Kind) {
        reset()
        guard !text.isEmpty, !(kind == .url && Redaction.url(text) != text) else { return }
        var list = entries[kind] ?? []
        list.removeAll { $0 == text }
        list.append(text)
        entries[kind] = list.suffix(FieldHistory.limit)
    }

    /// Begins at the newest entry again.
    mutating func reset() {
        depth = 0
        draft = ""
    }

    /// The entry so many steps earlier (above zero) or later; nil when there is none in that direction.
    mutating func move(by steps: Int, in kind: Kind, from text: String) -> String? {
        let list = entries[kind] ?? []
        if depth == 0 { draft = text }
        let target = depth + steps
        guard target >= 0, target <= list.count, target != depth else { return nil }
        depth = target
        return target == 0 ? draft : list[list.count - target]
    }
}
