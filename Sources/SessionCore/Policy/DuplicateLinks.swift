import SessionSupport

/// The further places of a file that an answer names itself: `Link: <…>; rel=duplicate` (RFC 6249).
///
/// They count only beside a strong digest of the whole, by which the file is proven in the end, and never give up encryption.
enum DuplicateLinks {
    /// The places that an answer names, the one with the lowest number first.
    static func urls(of head: ResponseHead) -> [String] {
        let fields = head.headers.values(named: "Link")
        guard !fields.isEmpty else { return [] }
        let isEncrypted = URLScan(head.url).isEncrypted
        var found: [(priority: Int, url: String)] = []
        for link in fields.flatMap(links) where isDuplicate(link.parameters) && found.count < Mirrors.limit {
            guard let url = try? URLParser.resolve(link.target, against: head.url),
                !isEncrypted || URLScan(url).isEncrypted
            else { continue }
            let priority = link.parameters.first { $0.name == "pri" }.flatMap { Int($0.value) } ?? .max
            found.append((priority, url))
        }
        return found.enumerated().sorted { ($0.element.priority, $0.offset) < ($1.element.priority, $1.offset) }
            .map(\.element.url)
    }

    private struct Parameter {
        var name: String
        var value: String
    }

    private static func isDuplicate(_ parameters: [Parameter]) -> Bool {
        guard let relation = parameters.first(where: { $0.name == "rel" })?.value else { return false }
        return relation.split(separator: " ").contains { ByteText.isSame(String($0), "duplicate") }
    }

    /// The links of a field (RFC 8288, 3): targets in angle brackets with parameters, commas between.
    private static func links(_ field: String) -> [(target: String, parameters: [Parameter])] {
        var result: [(target: String, parameters: [Parameter])] = []
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
            result.append((String(first.dropFirst().dropLast()), parameters))
        }
        return result
    }

    /// The pieces between separators that stand neither in angle brackets nor in quotes.
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
