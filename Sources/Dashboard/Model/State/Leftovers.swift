/// The list of partial files without an owner.
package struct LeftoversState: Sendable, Equatable {
    /// The partial files found; nil during the search.
    package var parts: [LeftoverLine]?
    /// Why the search failed, as a sentence.
    package var problem: SafeText?
    /// The highlighted line.
    package var line = 0
    /// The paths to remove if the question is answered with yes; empty without a question.
    package var asked: [String] = []

    package init() {}

    var current: LeftoverLine? { parts.flatMap { $0.indices.contains(line) ? $0[line] : nil } }
}
