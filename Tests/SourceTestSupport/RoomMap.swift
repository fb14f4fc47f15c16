/// The rooms of a module and which others each may use, as `docs/ARCHITECTURE.md` says it.
///
/// The map stands in a code block that begins with the word `rooms` and the module's name. A line is a room, an arrow and
/// the rooms it may use; a room without an arrow may use none.
package enum RoomMap {
    /// Reads the map of a module from a document; empty when the document has none.
    package static func table(of module: String, in document: String) -> [String: Set<String>] {
        var table: [String: Set<String>] = [:]
        for line in block("rooms \(module)", in: document) {
            let sides = line.split(separator: "→")
            guard let room = sides.first else { continue }
            table[word(room)] = Set((sides.count > 1 ? sides[1].split(separator: ",") : []).map(word))
        }
        return table
    }

    /// The pairs of folders of a module that may use each other, one on a line, from the block that begins with `pairs`.
    package static func pairs(of module: String, in document: String) -> [String] {
        block("pairs \(module)", in: document).map { word($0) }
    }

    private static func block(_ heading: String, in document: String) -> [Substring] {
        let lines = document.split(separator: "\n", omittingEmptySubsequences: false)
        guard let start = lines.firstIndex(of: "```\(heading)") else { return [] }
        return Array(lines[(start + 1)...].prefix { $0 != "```" })
    }

    private static func word(_ text: Substring) -> String {
        String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
