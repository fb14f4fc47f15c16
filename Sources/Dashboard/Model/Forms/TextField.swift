import SessionSupport

/// One line of text with a cursor.
///
/// It contains the typed text; only the view's copy is sanitised.
package struct TextField: Sendable, Equatable {
    /// The maximum number of characters, so that a paste cannot grow without limit.
    package static let limit = 8192

    package private(set) var characters: [Character] = []
    /// The cursor's position in characters, from 0 to the count.
    package private(set) var cursor = 0

    package init(_ text: String = "") {
        insert(text)
    }

    package var text: String { String(characters) }

    package var isEmpty: Bool { characters.isEmpty }

    /// Inserts text at the cursor, without line breaks and control characters.
    package mutating func insert(_ text: String) {
        let clean = text.filter { character in
            character.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
        }
        .prefix(max(TextField.limit - characters.count, 0))
        characters.insert(contentsOf: clean, at: cursor)
        cursor += clean.count
    }

    mutating func moveLeft() { cursor = max(cursor - 1, 0) }

    mutating func moveRight() { cursor = min(cursor + 1, characters.count) }

    mutating func moveToStart() { cursor = 0 }

    mutating func moveToEnd() { cursor = characters.count }

    mutating func deleteBackward() {
        guard cursor > 0 else { return }
        cursor -= 1
        characters.remove(at: cursor)
    }

    mutating func deleteForward() {
        guard cursor < characters.count else { return }
        characters.remove(at: cursor)
    }

    /// Deletes the blanks before the cursor and the word before them.
    mutating func deleteWord() {
        while cursor > 0, characters[cursor - 1] == " " { deleteBackward() }
        while cursor > 0, characters[cursor - 1] != " " { deleteBackward() }
    }

    mutating func deleteToEnd() { characters.removeSubrange(cursor...) }

    package mutating func clear() {
        characters = []
        cursor = 0
    }
}

/// The earlier entries of fields, one list for each kind of field.
struct FieldHistory: Sendable, Equatable {
    /// The kinds of field, each with its own list.
    enum Kind: Hashable, Sendable {
        case filter, url, path, seconds, search, jsonPath, view, rate
    }

    /// The limit for each kind.
    static let limit = 50

    private var entries: [Kind: [String]] = [:]
    /// The shown entry, counted back from the newest; 0 is the text being typed.
    private var depth = 0
    /// The text being typed before an earlier entry was shown.
    private var draft = ""

    /// Adds an entry as the newest of its kind; secrets in URLs are not kept.
    mutating func add(_ text: String, to kind: Kind) {
        reset()
        guard !text.isEmpty, !(kind == .url && Redaction.url(text, userInfo: .removed) != text) else { return }
        var list = entries[kind] ?? []
        list.removeAll { $0 == text }
        list.append(text)
        entries[kind] = list.suffix(FieldHistory.limit)
    }

    mutating func reset() {
        depth = 0
        draft = ""
    }

    /// The entry this many steps earlier (positive) or later; nil past either end.
    mutating func move(by steps: Int, in kind: Kind, from text: String) -> String? {
        let list = entries[kind] ?? []
        if depth == 0 { draft = text }
        let target = depth + steps
        guard target >= 0, target <= list.count, target != depth else { return nil }
        depth = target
        return target == 0 ? draft : list[list.count - target]
    }
}
