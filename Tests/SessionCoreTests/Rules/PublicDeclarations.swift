import Foundation

/// The public declarations of source files, read as text: what a program of another package can name.
struct PublicDeclarations {
    /// A public structure, class, enumeration, actor or protocol.
    struct TypeDeclaration: Sendable {
        /// The name with those of the types around it, such as `Checksum.Algorithm`.
        let name: String
        /// The folder of the file, such as `Sources/SessionCore/Manager`.
        let folder: String
        /// The documentation, a line each, without its slashes.
        let comment: [String]
    }

    private static let access: Set<Substring> = ["public", "package", "internal", "fileprivate", "private"]
    private static let modifiers: Set<Substring> = [
        "final", "indirect", "nonisolated", "convenience", "static", "mutating", "override", "required",
    ]

    private(set) var types: [TypeDeclaration] = []
    /// How many functions, properties, initializers, subscripts and aliases are public.
    ///
    /// Cases of enumerations and requirements of protocols come with their type and are not counted.
    private(set) var memberCount = 0

    init(_ files: [SourceTree.File]) {
        for file in files { read(file) }
    }

    /// The public declarations of modules.
    static func of(_ modules: [String]) throws -> PublicDeclarations {
        PublicDeclarations(try modules.flatMap { try SourceTree.files(under: "Sources/\($0)") })
    }

    private mutating func read(_ file: SourceTree.File) {
        let folder = file.path.split(separator: "/").dropLast().joined(separator: "/")
        var surroundings: [(indent: Int, name: String)] = []
        var comment: [String] = []
        for line in file.lines {
            let indent = line.prefix { $0 == " " }.count
            let code = line.dropFirst(indent)
            guard !code.hasPrefix("///") else {
                comment.append(String(code.dropFirst(code.hasPrefix("/// ") ? 4 : 3)))
                continue
            }
            if !code.isEmpty { surroundings.removeAll { $0.indent >= indent } }
            let words = Self.words(code)
            let isPublic = Self.isPublic(words)
            if let name = Self.typeName(words) {
                surroundings.append((indent, name))
                if isPublic {
                    let name = surroundings.map(\.name).joined(separator: ".")
                    types.append(TypeDeclaration(name: name, folder: folder, comment: comment))
                }
            } else if isPublic, !words.contains("import") {
                memberCount += 1
            }
            if !code.hasPrefix("@") { comment = [] }
        }
    }

    /// The words before a declaration's name, and the name.
    private static func words(_ code: Substring) -> [Substring] {
        code.prefix { $0 != "{" && $0 != "=" }.split { $0 == " " || $0 == ":" || $0 == "(" || $0 == "<" }
    }

    /// Whether the word stands where access is said: behind attributes and modifiers alone.
    private static func isPublic(_ words: [Substring]) -> Bool {
        words.first { !($0.hasPrefix("@") || $0.hasSuffix(")") || modifiers.contains($0)) } == "public"
    }

    /// The name of the type that a line declares or extends.
    private static func typeName(_ words: [Substring]) -> String? {
        let kinds: Set<Substring> = ["struct", "class", "enum", "protocol", "actor", "extension"]
        let rest = words.drop { $0.hasPrefix("@") || modifiers.contains($0) || access.contains($0) }
        guard let kind = rest.first, kinds.contains(kind), rest.count > 1 else { return nil }
        return String(rest[rest.startIndex + 1])
    }
}
