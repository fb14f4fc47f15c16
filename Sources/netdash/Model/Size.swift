/// The size of a screen or of a part of it, in cells.
struct Size: Sendable, Hashable {
    var columns: Int
    var rows: Int
}
