package import Dashboard

/// Surfaces that change a little, a lot, or by whole rows, as a dashboard's do.
package enum RandomSurface {
    private static let clusters: [(String, UInt8)] = [
        (" ", 1), (" ", 1), ("a", 1), ("Z", 1), ("█", 1), ("▏", 1), ("…", 1), ("é", 1), ("e\u{301}", 1), ("日", 2),
        ("本", 2),
        ("▸", 1), ("─", 1), ("8", 1),
    ]

    package static func next(after surface: Surface, using generator: inout some RandomNumberGenerator) -> Surface {
        var result = surface
        let rows = surface.size.rows
        switch Int.random(in: 0..<6, using: &generator) {
        case 0: for row in 0..<rows { fill(row, of: &result, from: 0, using: &generator) }
        case 1: scroll(&result)
        case 2: for row in 0..<rows { blank(row, of: &result) }
        default:
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                fill(Int.random(in: 0..<rows, using: &generator), of: &result, from: 0, using: &generator)
            }
        }
        return result
    }

    private static func blank(_ row: Int, of surface: inout Surface) {
        for column in 0..<surface.size.columns { surface[row, column] = .blank }
    }

    /// Moves the rows up by one, which makes ncurses use the terminal's own scrolling where it can.
    private static func scroll(_ surface: inout Surface) {
        for row in 0..<surface.size.rows - 1 {
            for column in 0..<surface.size.columns { surface[row, column] = surface[row + 1, column] }
        }
    }

    private static func fill(
        _ row: Int, of surface: inout Surface, from start: Int, using generator: inout some RandomNumberGenerator
    ) {
        var column = start
        let columns = surface.size.columns
        while column < columns {
            let role = Role.allCases[Int.random(in: 0..<Role.allCases.count, using: &generator)]
            let repeats = Int.random(in: 1...9, using: &generator)
            let choice = clusters[Int.random(in: 0..<clusters.count, using: &generator)]
            for _ in 0..<repeats where column + Int(choice.1) <= columns {
                surface[row, column] = .init(cluster: Cluster(choice.0), width: choice.1, role: role)
                if choice.1 == 2 { surface[row, column + 1] = .init(cluster: "", width: 0, role: role) }
                column += Int(choice.1)
            }
            if column == columns - 1, choice.1 == 2 {
                surface[row, column] = .blank
                column += 1
            }
        }
    }
}
