/// One line of details: a label, if it has one, and what it says.
struct DetailLine: Sendable, Equatable {
    var label: SafeText = .empty
    var text: SafeText
    var role: Role = .plain
}
