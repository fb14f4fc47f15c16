/// One line of details: a label, if it has one, and what it says.
struct DetailLine: Sendable, Equatable {
    var label: SafeText = .empty
    var text: SafeText
    var role: Role = .plain
    /// Whether both its ends matter, so that it is cut in its middle.
    var isURL = false

    /// Whether what is looked for stands in it.
    func has(_ search: TextSearch) -> Bool { search.isFound(in: text) || search.isFound(in: label) }
}
