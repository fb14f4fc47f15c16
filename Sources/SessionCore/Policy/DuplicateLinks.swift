import SessionSupport

/// Mirrors of a file that a response announces: `Link: <…>; rel=duplicate` (RFC 6249).
///
/// They count only with a strong digest of the full file, which proves it in the end, and never drop encryption.
enum DuplicateLinks {
    /// Returns the announced mirrors, lowest `pri` first.
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

    /// Splits a field into its links (RFC 8288, 3): targets in angle brackets with parameters, separated by commas.
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
