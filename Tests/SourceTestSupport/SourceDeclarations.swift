/// What one Swift file declares, and which names it uses in which types.
struct SourceDeclarations {
    /// A type, or a member that an extension adds.
    struct Declaration: Hashable {
        /// The types around it and its own name, as in `AddForm.Field`.
        var path: [String]
        var line: Int
        /// Whether other files cannot see it.
        var isPrivate: Bool
        /// Whether it stands in an extension.
        var isInExtension: Bool
    }

    /// A use of a name.
    struct Use {
        /// The name and the names behind it, as in `AddForm.Field.url`.
        var path: [String]
        var line: Int
        /// The types around it, the outermost first.
        var scope: [String]
        /// Whether something stands before it that it is a member of.
        var isMember: Bool
        /// Whether it is called.
        var isCall: Bool
    }

    private(set) var types: [Declaration] = []
    private(set) var members: [Declaration] = []
    /// Functions outside of any type.
    private(set) var functions: [Declaration] = []
    private(set) var uses: [Use] = []
    /// The names of generic parameters, which are no types of the module.
    private(set) var parameters: Set<String> = []

    private struct Scope {
        /// The type that it adds members to; nil for a body of code.
        var type: [String]?
        var isExtension = false
    }

    private let tokens: [SourceTokens.Token]
    private var position = 0
    private var scopes: [Scope] = []
    /// The type whose brace is still to come.
    private var pending: Scope?

    init(_ text: String) {
        tokens = SourceTokens(text).tokens
        while position < tokens.count { readNext() }
    }

    // MARK: - Reading

    private func text(at index: Int) -> String { tokens.indices.contains(index) ? tokens[index].text : "" }

    private var typePath: [String] { scopes.compactMap(\.type).flatMap(\.self) }
    private var isInType: Bool { scopes.last.map { $0.type != nil } ?? true }
    private var isInExtension: Bool { scopes.contains { $0.isExtension } }

    private mutating func readNext() {
        let token = tokens[position]
        switch token.text {
        case "{":
            scopes.append(pending ?? Scope())
            pending = nil
            position += 1
        case "}":
            scopes.removeLast(min(scopes.count, 1))
            position += 1
        case "struct", "enum", "actor", "protocol", "class", "typealias", "associatedtype":
            readType(keyword: token.text)
        case "extension":
            readExtension()
        case "func", "var", "let", "case":
            readMember(keyword: token.text)
        default:
            if token.isWord { readUse() } else { position += 1 }
        }
    }

    /// Whether a word at a place declares something, and is no name itself.
    private var startsDeclaration: Bool {
        text(at: position - 1) != "." && position + 1 < tokens.count && tokens[position + 1].isWord
    }

    private mutating func readType(keyword: String) {
        let modifiers: Set = ["func", "var", "let", "subscript", "override", "final", "init"]
        guard startsDeclaration, !modifiers.contains(text(at: position + 1)) else { return position += 1 }
        let name = text(at: position + 1)
        types.append(declaration(of: name))
        position += 2
        readParameters()
        if keyword != "typealias", keyword != "associatedtype" { pending = Scope(type: [name]) }
    }

    private mutating func readExtension() {
        guard startsDeclaration else { return position += 1 }
        position += 1
        let path = readUse()
        pending = Scope(type: path, isExtension: true)
    }

    private mutating func readMember(keyword: String) {
        guard startsDeclaration, isInType else { return position += 1 }
        let name = text(at: position + 1)
        if scopes.isEmpty {
            if keyword == "func" { functions.append(declaration(of: name)) }
        } else {
            members.append(declaration(of: name))
        }
        position += 2
        if keyword == "func" { readParameters() }
        if keyword == "case" { readFurtherCases() }
    }

    /// Reads what follows an enumeration's case: its values, its raw value, and further cases behind commas.
    private mutating func readFurtherCases() {
        while position < tokens.count {
            switch text(at: position) {
            case "(": skipGroup()
            case "=": position += text(at: position + 1) == "-" ? 3 : 2
            case "," where position + 1 < tokens.count && tokens[position + 1].isWord:
                members.append(declaration(of: text(at: position + 1)))
                position += 2
            default: return
            }
        }
    }

    /// Reads up to the parenthesis that closes the one that is next; what is named in it is used.
    private mutating func skipGroup() {
        var depth = 0
        repeat {
            if text(at: position) == "(" { depth += 1 }
            if text(at: position) == ")" { depth -= 1 }
            if tokens[position].isWord { readUse() } else { position += 1 }
        } while depth > 0 && position < tokens.count
    }

    /// Notes generic parameters, as in `<Value: Sendable>`.
    private mutating func readParameters() {
        guard text(at: position) == "<" else { return }
        var index = position + 1
        while index < tokens.count, tokens[index].text != ">" {
            if ["<", ","].contains(text(at: index - 1)) { parameters.insert(text(at: index)) }
            index += 1
        }
    }

    private func declaration(of name: String) -> Declaration {
        var isPrivate = false
        var index = position - 1
        while index >= 0, tokens[index].line == tokens[position].line, tokens[index].isWord || text(at: index) == "@" {
            if ["private", "fileprivate"].contains(text(at: index)) { isPrivate = true }
            index -= 1
        }
        return Declaration(
            path: typePath + [name], line: tokens[position].line, isPrivate: isPrivate, isInExtension: isInExtension)
    }

    /// Reads a name and the names behind it, and answers them.
    @discardableResult
    private mutating func readUse() -> [String] {
        let before = text(at: position - 1)
        var use = Use(path: [], line: tokens[position].line, scope: typePath, isMember: before == ".", isCall: false)
        use.path = [tokens[position].text]
        position += 1
        while text(at: position) == ".", position + 1 < tokens.count, tokens[position + 1].isWord {
            use.path.append(text(at: position + 1))
            position += 2
        }
        use.isCall = text(at: position) == "("
        uses.append(use)
        return use.path
    }
}
