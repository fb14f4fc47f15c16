/// What is looked for in the full-screen details.
///
/// It stays when another part is shown, so that it can be looked for there too.
struct DetailsSearch: Sendable, Equatable {
    /// The line that was gone to last, and which one it was of all that have the text.
    struct Place: Sendable, Equatable {
        /// Its number in the part that is shown, from 0.
        var line: Int
        /// Which of the found lines it was, from 1.
        var ordinal: Int
        var count: Int
    }

    var text: TextSearch
    /// Nil where nothing was found, or since another part is shown.
    var place: Place?
}
