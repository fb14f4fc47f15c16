/// The search for commands in the palette.
package enum CommandSearch {
    /// The commands of a screen that match a text, best first: titles that begin with it, titles or synonyms that
    /// contain it, then titles with its letters in that order.
    package static func commands(matching text: String, on screen: Screen, keys: KeyBindings) -> [Command] {
        let words = text.lowercased().split(separator: " ").map { String($0) }
        let found = keys.allCommands(on: screen).compactMap { command -> (rank: Int, command: Command)? in
            guard command.name != nil, command.id != Command.Named.palette.rawValue else { return nil }
            let isKey = command.keys(on: screen).contains { KeyName.text($0).string == text }
            let ranks = words.map { rank(of: $0, in: command) }
            let isComplete = [command.title.string.lowercased(), command.name].contains(text.lowercased())
            guard isKey || isComplete || ranks.allSatisfy({ $0 != nil }) else { return nil }
            return (isKey || isComplete ? -1 : ranks.compactMap { $0 }.max() ?? 0, command)
        }
        // Equal ranks keep the order of the table.
        return found.enumerated().sorted { ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset) }
            .map(\.element.command)
    }

    /// Whether a command has a word in its title, its help or its synonyms.
    static func finds(_ word: String, in command: Command) -> Bool {
        command.name != nil && rank(of: word.lowercased(), in: command).map { $0 < 5 } == true
    }

    /// The rank of a match, 0 being best; nil if the word does not match.
    private static func rank(of word: String, in command: Command) -> Int? {
        let title = command.title.string.lowercased()
        if title.hasPrefix(word) { return 0 }
        if title.split(separator: " ").contains(where: { $0.hasPrefix(word) }) { return 1 }
        if title.contains(word) { return 2 }
        if command.synonyms.contains(where: { isForm(word, of: $0) }) { return 3 }
        if command.help.string.lowercased().contains(word) { return 4 }
        return hasLetters(of: word, in: title) ? 5 : nil
    }

    /// The minimum letters of a synonym for a longer form of it to match, such as `throttled` or `retries`.
    private static let stem = 4

    /// Whether a word begins a synonym or is another form of it.
    package static func isForm(_ word: String, of synonym: String) -> Bool {
        if synonym.hasPrefix(word) { return true }
        // The end of a stem changes with its form: retry, retries; throttle, throttling.
        let stem = synonym.dropLast()
        return stem.count >= Self.stem && word.hasPrefix(stem) && word.count <= synonym.count + 3
    }

    private static func hasLetters(of word: String, in title: String) -> Bool {
        var rest = Substring(title)
        for letter in word {
            guard let index = rest.firstIndex(of: letter) else { return false }
            rest = rest[rest.index(after: index)...]
        }
        return true
    }
}
