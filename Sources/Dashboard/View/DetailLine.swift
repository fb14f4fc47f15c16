/// One line of details: a label, if it has one, and what it says.
struct DetailLine: Sendable, Equatable {
    var label: SafeText = .empty
    var text: SafeText
    var role: Role = .plain
    /// Cells for the label where there is no column for labels, so that what follows stands in a column all the same.
    var labelCells = 0
    /// Whether both its ends matter, so that it is cut in its middle.
    var isURL = false

    /// Whether what is looked for stands in it.
    func has(_ search: TextSearch) -> Bool { search.isFound(in: text) || search.isFound(in: label) }
}
