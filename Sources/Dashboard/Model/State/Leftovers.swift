/// The list of parts that nothing owns any more.
package struct LeftoversState: Sendable, Equatable {
    /// What was found; nil while it is being looked for.
    package var parts: [LeftoverLine]?
    /// Why nobody can tell, as a sentence.
    package var problem: SafeText?
    /// The highlighted line.
    package var line = 0
    /// The paths that are removed when the question is answered with yes; empty while nothing is asked.
    package var asked: [String] = []

    package init() {}

    /// The highlighted part.
    var current: LeftoverLine? { parts.flatMap { $0.indices.contains(line) ? $0[line] : nil } }
}
