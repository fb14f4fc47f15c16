/// Finds the intended word for a mistyped one.
public enum Suggestion {
    /// The candidate with the fewest edits away from `word`, if that is near enough to be a typing error.
    public static func nearest(to word: String, among candidates: [String]) -> String? {
        let limit = max(1, min(3, word.count / 3))
        let ranked = candidates.map { (name: $0, distance: distance(word, $0)) }
        guard let best = ranked.min(by: { $0.distance < $1.distance }), best.distance <= limit else { return nil }
        return best.name
    }

    /// The number of edits (insert, delete, replace, swap of neighbours) that turn one word into the other.
    static func distance(_ left: String, _ right: String) -> Int {
        let first = Array(left.lowercased())
        let second = Array(right.lowercased())
        guard !first.isEmpty, !second.isEmpty else { return max(first.count, second.count) }
        var beforePrevious: [Int] = []
        var previous = Array(0...second.count)
        for row in 1...first.count {
            var current = [row]
            for column in 1...second.count {
                let isSame = first[row - 1] == second[column - 1]
                var best = previous[column - 1] + (isSame ? 0 : 1)
                best = min(best, previous[column] + 1, current[column - 1] + 1)
                if row > 1, column > 1, first[row - 1] == second[column - 2], first[row - 2] == second[column - 1] {
                    best = min(best, beforePrevious[column - 2] + 1)
                }
                current.append(best)
            }
            beforePrevious = previous
            previous = current
        }
        return previous[second.count]
    }
}
