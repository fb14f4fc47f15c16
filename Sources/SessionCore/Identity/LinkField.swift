import SessionSupport

/// The links of a `Link` field (RFC 8288).
package enum LinkField {
    /// One link: its target as it was written, and its parameters.
    struct Link {
        var target: String
        var parameters: [Parameter]

        /// Whether one of its relation types is this one; of several parameters `rel` the first counts.
        func isRelated(as type: String) -> Bool {
            guard let relation = parameters.first(where: { $0.name == "rel" })?.value else { return false }
            return relation.split(separator: " ").contains { ByteText.isSame(String($0), type) }
        }
    }

    struct Parameter {
        var name: String
        var value: String
    }

    /// The target of the first link of a relation type, as it was written; a link about another resource is none.
    package static func target(of type: String, in headers: HeaderFields) -> String? {
        headers.values(named: "Link").lazy.flatMap(links).first { link in
            link.isRelated(as: type) && !link.parameters.contains { $0.name == "anchor" }
        }?.target
    }

    /// Splits a field into its links (RFC 8288, 3): targets in angle brackets with parameters, separated by commas.
    static func links(_ field: String) -> [Link] {
        var result: [Link] = []
        for piece in split(field, at: ",") {
            let pieces = split(piece, at: ";").map { String(ByteText.trimmed($0[...])) }
            guard let first = pieces.first, first.hasPrefix("<"), first.hasSuffix(">") else { continue }
            let parameters = pieces.dropFirst().map { text -> Parameter in
                let name = text.prefix { $0 != "=" }
                var value = ByteText.trimmed(text.dropFirst(name.count + 1))
                if value.count >= 2, value.hasPrefix("\""), value.hasSuffix("\"") {
                    value = String(value.dropFirst().dropLast())
                }
                return Parameter(name: ByteText.lowercased(ByteText.trimmed(name)), value: String(value))
            }
            result.append(Link(target: String(first.dropFirst().dropLast()), parameters: parameters))
        }
        return result
    }

    /// Splits text at separators that are neither in angle brackets nor in quotes.
    private static func split(_ text: String, at separator: Character) -> [String] {
        var pieces = [""]
        var (isInBrackets, isInQuotes) = (false, false)
        for character in text {
            switch character {
            case "<" where !isInQuotes: isInBrackets = true
            case ">" where !isInQuotes: isInBrackets = false
            case "\"" where !isInBrackets: isInQuotes.toggle()
            case separator where !isInBrackets && !isInQuotes:
                pieces.append("")
                continue
            default: break
            }
            pieces[pieces.count - 1].append(character)
        }
        return pieces
    }
}
