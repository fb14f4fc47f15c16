import Dashboard
import SessionSupport

/// A typed command of a user who works by line.
enum InteractiveCommand: Sendable, Equatable {
    /// The tasks that a command applies to.
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
    /// Sends a file to a URL; `keys` are written as in an input list, such as `method=POST`.
    case upload(file: String, url: String, keys: [String])
    case request(url: String, keys: [String])
    case edit(UInt64, keys: [String])
    /// Prints the body of a response.
    case body(UInt64)
    /// Limits all downloads, or downloads and uploads; an empty text prints the limits.
    case limit(String)
    /// Limits one task; an empty text restores the common limits.
    case limitTask(UInt64, String)
    case undo
    case clear
    case help
    case quit

    /// The words that a line may begin with.
    private enum Word: String, CaseIterable {
        case list, status, pause, resume, cancel, delete, add, upload, request, edit, body, limit, undo, clear, help,
            quit
    }

    /// A parse error, as a sentence for the user.
    struct Misunderstanding: Error, Equatable {
        var sentence: SafeText
    }

    static func parse(_ line: String) throws(Misunderstanding) -> InteractiveCommand {
        let words = line.split { $0.isWhitespace || $0 == "," }.map(String.init)
        guard let first = words.first else { return .nothing }
        guard let word = Word(rawValue: first.lowercased()) else {
            let near = Suggestion.nearest(to: first.lowercased(), among: Word.allCases.map(\.rawValue))
            let hint = near.map { InteractiveErrors.didYouMean(SafeText(untrusted: $0)) } ?? InteractiveErrors.typeHelp
            throw Misunderstanding(sentence: InteractiveErrors.unknown(SafeText(untrusted: first), hint: hint))
        }
        let rest = Array(words.dropFirst())
        switch word {
        case .list, .clear, .undo, .help, .quit: return try single(word, rest)
        case .status: return .status(rest.isEmpty ? .all : try selection(rest, of: word))
        case .pause: return .pause(try selection(rest, of: word))
        case .resume: return .resume(try selection(rest, of: word))
        case .cancel: return .cancel(try selection(rest, of: word), deletingParts: false)
        case .delete: return .cancel(try selection(rest, of: word), deletingParts: true)
        case .body: return .body(try task(rest.first, of: word))
        case .limit: return try limit(rest, line)
        case .add, .upload, .request, .edit: return try texts(word, try quoted(line))
        }
    }

    /// Parses a command with text operands; texts with blanks are quoted.
    private static func texts(_ word: Word, _ texts: [String]) throws(Misunderstanding) -> InteractiveCommand {
        switch word {
        case .upload:
            guard texts.count >= 2 else {
                throw Misunderstanding(sentence: InteractiveErrors.uploadNeedsURL)
            }
            return .upload(file: texts[0], url: texts[1], keys: Array(texts.dropFirst(2)))
        case .request:
            guard let url = texts.first else {
                throw Misunderstanding(sentence: InteractiveErrors.requestNeedsURL)
            }
            return .request(url: url, keys: Array(texts.dropFirst()))
        case .edit:
            guard texts.count >= 2 else {
                throw Misunderstanding(sentence: InteractiveErrors.editNeedsChange)
            }
            return .edit(try task(texts.first, of: word), keys: Array(texts.dropFirst()))
        case .add, .list, .status, .pause, .resume, .cancel, .delete, .body, .limit, .undo, .clear, .help, .quit:
            guard !texts.isEmpty else {
                throw Misunderstanding(sentence: InteractiveErrors.addNeedsURL)
            }
            return .add(texts)
        }
    }

    /// The words after the first one, split like a shell does.
    private static func quoted(_ line: String) throws(Misunderstanding) -> [String] {
        guard let words = ShellWords.split(line) else {
            throw Misunderstanding(sentence: InteractiveErrors.openQuote)
        }
        return Array(words.dropFirst())
    }

    /// `limit 2M`, `limit 2M 512k`, `limit task 3 100k`.
    private static func limit(_ rest: [String], _ line: String) throws(Misunderstanding) -> InteractiveCommand {
        guard let first = rest.first, first.lowercased() == "task" || first.hasPrefix("#") else {
            // Timetables contain commas, which separate the numbers of tasks elsewhere.
            let text = line.drop { $0.isWhitespace }.drop { !$0.isWhitespace }
            return .limit(text.split { $0.isWhitespace }.joined(separator: " "))
        }
        let words = first.hasPrefix("#") ? rest : Array(rest.dropFirst())
        return .limitTask(try task(words.first, of: .limit), words.dropFirst().joined(separator: " "))
    }

    private static func task(_ text: String?, of word: Word) throws(Misunderstanding) -> UInt64 {
        guard case .ids(let ids) = try selection([text].compactMap { $0 }, of: word), let id = ids.first else {
            throw Misunderstanding(sentence: InteractiveErrors.oneTask(SafeText(untrusted: word.rawValue)))
        }
        return id
    }

    private static func single(_ word: Word, _ rest: [String]) throws(Misunderstanding) -> InteractiveCommand {
        guard rest.isEmpty else {
            throw Misunderstanding(sentence: InteractiveErrors.noArguments(SafeText(untrusted: word.rawValue)))
        }
        switch word {
        case .list: return .list
        case .clear: return .clear
        case .undo: return .undo
        case .quit: return .quit
        case .help, .status, .pause, .resume, .cancel, .delete, .add, .upload, .request, .edit, .body, .limit:
            return .help
        }
    }

    private static func selection(_ words: [String], of word: Word) throws(Misunderstanding) -> Selection {
        let name = SafeText(untrusted: word.rawValue)
        guard !words.isEmpty else {
            throw Misunderstanding(sentence: InteractiveErrors.needsTask(name))
        }
        if words.map({ $0.lowercased() }) == ["all"] { return .all }
        var ids: [UInt64] = []
        for text in words {
            guard let id = UInt64(text.hasPrefix("#") ? text.dropFirst() : text[...]) else {
                throw Misunderstanding(sentence: InteractiveErrors.notNumber(SafeText(untrusted: text)))
            }
            if !ids.contains(id) { ids.append(id) }
        }
        return .ids(ids)
    }
}
