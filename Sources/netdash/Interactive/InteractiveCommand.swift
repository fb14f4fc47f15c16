import Dashboard

/// A command of somebody who works by line.
enum InteractiveCommand: Sendable, Equatable {
    /// The tasks that a command is about.
    enum Selection: Sendable, Equatable {
        case all
        case ids([UInt64])
    }

    /// An empty line.
    case nothing
    case list
    case status(Selection)
    case pause(Selection)
    case resume(Selection)
    /// Without `deletingParts` the bytes are kept for a later resume.
    case cancel(Selection, deletingParts: Bool)
    /// URLs as they were typed.
    case add([String])
    case clear
    case help
    case quit

    /// The words a line may begin with.
    private enum Word: String, CaseIterable {
        case list, status, pause, resume, cancel, delete, add, clear, help, quit
    }

    /// The reason why a line is not understood, as a sentence for its author.
    struct Misunderstanding: Error, Equatable {
        var sentence: SafeText
    }

    /// Reads a line.
    static func parse(_ line: String) throws(Misunderstanding) -> InteractiveCommand {
        let words = line.split { $0.isWhitespace || $0 == "," }.map(String.init)
        guard let first = words.first else { return .nothing }
        guard let word = Word(rawValue: first.lowercased()) else {
            let near = Suggestion.nearest(to: first.lowercased(), among: Word.allCases.map(\.rawValue))
            let hint: SafeText = near.map { "; did you mean " + SafeText(untrusted: $0) + "?" } ?? "; type help"
            throw Misunderstanding(sentence: "\"" + SafeText(untrusted: first) + "\" is not a command" + hint)
        }
        let rest = Array(words.dropFirst())
        switch word {
        case .list, .clear, .help, .quit: return try single(word, rest)
        case .status: return .status(rest.isEmpty ? .all : try selection(rest, of: word))
        case .pause: return .pause(try selection(rest, of: word))
        case .resume: return .resume(try selection(rest, of: word))
        case .cancel: return .cancel(try selection(rest, of: word), deletingParts: false)
        case .delete: return .cancel(try selection(rest, of: word), deletingParts: true)
        case .add:
            guard !rest.isEmpty else {
                throw Misunderstanding(sentence: "add needs a URL, as in: add https://host/file")
            }
            return .add(rest)
        }
    }

    private static func single(_ word: Word, _ rest: [String]) throws(Misunderstanding) -> InteractiveCommand {
        guard rest.isEmpty else {
            throw Misunderstanding(
                sentence: SafeText(untrusted: word.rawValue) + " takes nothing behind it; nothing was done")
        }
        switch word {
        case .list: return .list
        case .clear: return .clear
        case .quit: return .quit
        case .help, .status, .pause, .resume, .cancel, .delete, .add: return .help
        }
    }

    private static func selection(_ words: [String], of word: Word) throws(Misunderstanding) -> Selection {
        let name = SafeText(untrusted: word.rawValue)
        guard !words.isEmpty else {
            throw Misunderstanding(sentence: name + " needs a task's number or all, as in: " + name + " 3")
        }
        if words.map({ $0.lowercased() }) == ["all"] { return .all }
        var ids: [UInt64] = []
        for text in words {
            guard let id = UInt64(text.hasPrefix("#") ? text.dropFirst() : text[...]) else {
                throw Misunderstanding(
                    sentence: "\"" + SafeText(untrusted: text) + "\" is not a task's number; type list")
            }
            if !ids.contains(id) { ids.append(id) }
        }
        return .ids(ids)
    }
}
