/// A file that a pager is to show.
struct ViewableFile: Sendable, Equatable {
    var path: String
    /// Whether it was made for the pager alone.
    var isTemporary: Bool
}
