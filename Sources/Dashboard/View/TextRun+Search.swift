extension TextRun {
    /// The cells that what is looked for takes.
    package func cells(of search: TextSearch) -> [Range<Int>] {
        var scalars: [Unicode.Scalar] = []
        var cells: [Range<Int>] = []
        var column = 0
        for piece in pieces {
            for scalar in piece.cluster.scalars {
                scalars.append(scalar)
                cells.append(column..<column + piece.width)
            }
            column += piece.width
        }
        return search.matches(in: scalars).map { cells[$0.lowerBound].lowerBound..<cells[$0.upperBound - 1].upperBound }
    }
}
