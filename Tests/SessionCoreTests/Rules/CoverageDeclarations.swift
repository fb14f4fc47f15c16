/// The names that one file declares; nested ones stand beside their types.
struct CoverageDeclarations {
    private(set) var types: Set<String> = []
    private(set) var members: Set<String> = []
    /// Those of them that are public functions and properties.
    private(set) var publicMembers: Set<String> = []

    init(_ lines: [String]) {
        for line in lines { read(line) }
    }

    private mutating func read(_ line: String) {
        let code = line.drop { $0 == " " }
        guard !code.hasPrefix("//") else { return }
        let words = code.split(whereSeparator: { !($0.isLetter || $0.isNumber || $0 == "_" || $0 == ".") })
        for (word, next) in zip(words, words.dropFirst()) {
            switch word {
            case "struct", "class", "enum", "protocol", "extension", "typealias": types.insert(String(next))
            case "var", "let", "func":
                members.insert(String(next))
                if words.first == "public" { publicMembers.insert(String(next)) }
            default: continue
            }
        }
        if words.contains("init") { members.insert("init") }
        if words.first == "case" || words.prefix(2) == ["indirect", "case"] {
            members.formUnion(words.dropFirst().map(String.init))
        }
    }
}
